// `bankproof verify`: is the plan in a folder right for a permutation, and free of conflicts?
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 0 when the plan is right, 1 when not.
void add_verify(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
