// `bankproof check`: does a permutation conflict? Reports what the destination-designated write and
// the source-designated read of a permutation take, and fails when a warp takes too many stages.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 0 when every warp of the chosen access needs at
/// most
/// `--max-stages`, 1 when not.
void add_check(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
