// `bankproof list`: lists the named permutations, one a line.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`.
void add_list(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
