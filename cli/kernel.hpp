// `bankproof kernel`: a CUDA kernel on the reference machine, without a GPU.
#pragma once

#include <CLI/CLI.hpp>

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 1 where faults or excess are found that count.
void add_kernel(CLI::App& app, int& exit_code);

}  // namespace bankproof::cli
