// `bankproof exec`: runs a whole CUDA program on the reference machine, without a GPU and without a
// change of the program.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: the program's own code if that is not 0; else 1
/// if there are findings, and 3 if the program could not start or launched nothing.
void add_exec(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
