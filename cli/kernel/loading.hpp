// Reads the file of the kernels: PTX, or CUDA source, which is compiled.
#pragma once

#include <string>

#include "../../cuda/session/session.hpp"
#include "../support/compiler_options.hpp"

namespace bankproof::cli {

/// Throws InputError, also for a file without kernels.
cuda::KernelFile load_kernel_file(const std::string& file, const TypedCompiler& compiler);

}  // namespace bankproof::cli
