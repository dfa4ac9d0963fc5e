// Compiles a .cu file to PTX text with line tables. The compiler is nvcc, or clang with the headers
// of cuda/headers in place of NVIDIA's toolkit.
//
// The file is compiled unchanged, host code included, but only device code is generated. All
// temporary files are removed.
#pragma once

#include <string>
#include <vector>

#include "compilers.hpp"

namespace bankproof::cuda {

struct CompileOptions {
  /// The argument of choose_compiler().
  std::string compiler;
  /// More arguments for the compiler: -I, -D, -std (default: C++17), the architecture (default:
  /// compute_80).
  std::vector<std::string> flags;
  /// The folder of the headers for clang; if empty, headers_for_clang() finds it.
  std::string headers;
  /// Whether the PTX is to have debug information about types. clang's instructions stay the same;
  /// nvcc does not optimize then.
  bool debug = false;
};

struct PtxText {
  std::string text;
  std::string file;      ///< the name of the source
  std::string command;   ///< the compiler's command line, quoted for a shell
  std::string messages;  ///< warnings
};

/// Throws CompileError if there is no such file or no compiler, or if the compiler fails.
PtxText compile(const std::string& file, const CompileOptions& options = {});

/// Compiles with the given compiler.
PtxText compile(const std::string& file, const CompileOptions& options, const Compiler& compiler);

/// The words of the compiler's command line, without the name of the output.
std::vector<std::string> command_words(const std::string& file, const CompileOptions& options,
                                       const Compiler& compiler);

/// The command line, quoted for a shell.
std::string quoted_for_shell(const std::vector<std::string>& words);

/// The folder of the headers for clang: $BANKPROOF_CUDA_HEADERS if set; else beside the running
/// program (../share/bankproof/cuda); else in the source tree. Throws CompileError if the headers
/// are not there.
std::string headers_for_clang();

}  // namespace bankproof::cuda
