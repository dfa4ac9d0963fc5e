// From a .cu file to PTX text, with line tables: by nvcc, or by clang with the headers of
// cuda/headers in place of NVIDIA's toolkit.
//
// The file is compiled as it is, host code and all; only the device's code is made. Nothing is left
// behind.
#pragma once

#include <string>
#include <vector>

#include "compilers.hpp"

namespace bankproof::cuda {

struct CompileOptions {
  /// As for choose_compiler().
  std::string compiler;
  /// Further words for the compiler: -I, -D, -std (C++17 without it), the architecture
  /// (compute_80).
  std::vector<std::string> flags;
  /// The folder of the headers for clang; empty to look for it.
  std::string headers;
};

struct PtxText {
  std::string text;
  std::string file;      ///< the name of the source
  std::string command;   ///< what made it, as one may type it
  std::string messages;  ///< warnings
};

/// Throws CompileError: no such file, no compiler, or one that fails.
PtxText compile(const std::string& file, const CompileOptions& options = {});

/// The same by a compiler that was chosen before.
PtxText compile(const std::string& file, const CompileOptions& options, const Compiler& compiler);

/// The folder of the headers for clang: $BANKPROOF_CUDA_HEADERS, else beside the program that runs
/// (../share/bankproof/cuda), else that of the source tree. Throws CompileError if none is there.
std::string headers_for_clang();

}  // namespace bankproof::cuda
