// `bankproof schedule`: makes a conflict-free plan for a permutation, verifies it, writes it to a
// folder, and reports the stages of the permutation without and with the plan.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code` to 0.
void add_schedule(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
