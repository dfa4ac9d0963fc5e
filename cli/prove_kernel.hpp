// `bankproof prove --kernel`: claims about a compiled kernel, for all inputs.
#pragma once

#include <CLI/CLI.hpp>

#include "prove/kernel_options.hpp"

namespace bankproof::cli {

/// Adds the command prove, with proofs of kernels.
void add_prove_with_kernels(CLI::App& app, int& exit_code);

/// Decides the claims and writes the report. Returns the exit code: 0 if all that the kernel has
/// something of are proved, 1 if one is refuted, 3 if one stays unknown or unsupported, unless that
/// is allowed, or if the kernel has nothing that any of them is about. Throws UsageError and
/// InputError.
int prove_kernel(const KernelProofOptions& options);

}  // namespace bankproof::cli
