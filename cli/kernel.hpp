// `bankproof kernel`: runs a CUDA kernel on the reference machine, without a GPU.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 1 when it finds a fault or an excess over a
/// limit.
void add_kernel(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
