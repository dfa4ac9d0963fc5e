// `bankproof check`: does a permutation conflict? Reports the stages of its destination-designated
// write and of its source-designated read, and fails when a warp takes too many stages.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 0 when every warp of the chosen access takes at
/// most `--max-stages` stages, else 1.
void add_check(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
