// Reads the file of the kernels: PTX, or CUDA source, which is compiled.
#pragma once

#include <string>

#include "../../cuda/session/session.hpp"
#include "../support/compiler_options.hpp"

namespace bankproof::cli {

/// Throws InputError, also for a file without kernels.
cuda::KernelFile load_kernel_file(const std::string& file, const TypedCompiler& compiler);

/// Likewise, with the PTX; `debug` as in CompileOptions.
cuda::KernelText load_kernel_text(const std::string& file, const TypedCompiler& compiler,
                                  bool debug);

}  // namespace bankproof::cli
