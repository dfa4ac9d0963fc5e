// `bankproof prove`: two solvers prove theorems, or that a layout is conflict-free.
#pragma once

#include <CLI/CLI.hpp>

#include "prove/kernel_options.hpp"

namespace bankproof::cli {

/// Adds the command; running it sets `exit_code`: 0 when everything is proved, 1 when something is
/// refuted, 3 when a solver does not decide.
void add_prove(CLI::App& app, int& exit_code);

/// Likewise with the function that proves claims about kernels; the program bankproof-prove has
/// none, and is not called for them.
void add_prove_with(CLI::App& app, int& exit_code, int (*prove_kernel)(const KernelProofOptions&));

}  // namespace bankproof::cli
