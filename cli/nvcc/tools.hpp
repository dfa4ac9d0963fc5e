// The compilers that `bankproof nvcc` calls, and the folder that it shows as its toolkit.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "../../cuda/compile/compilers.hpp"
#include "options.hpp"

namespace bankproof::cli::nvcc {

/// CUDA's version, as programs and CMake ask for it.
struct Version {
  std::string major;
  std::string minor;
  std::string build;
};

struct Tools {
  /// nvcc, which compiles host code and device code; or clang, which does so with bankproof's
  /// headers.
  cuda::Compiler compiler;
  /// Compiles .c and .cpp files for a clang, and links.
  std::string host;
  /// lib/bankproof/cuda, which looks like a toolkit: include, lib64, bin.
  std::filesystem::path toolkit;
  /// The folder of bankproof's headers for clang: $BANKPROOF_CUDA_HEADERS or that of the toolkit.
  std::string headers;
  /// The folder of the CUDA C++ Core Libraries, which has thrust, cub and cuda: --cccl,
  /// $BANKPROOF_CCCL or that of a toolkit; empty if there is none.
  std::string cccl;
  Version version;
  /// The folder of the headers that .cu files include.
  std::string includes;
  /// The folders of the toolkit's libraries: cuBLAS and its like.
  std::vector<std::string> more_libraries;

  bool has_nvcc() const { return compiler.kind == cuda::CompilerKind::nvcc; }
  /// The machine's libraries, and a toolkit's behind them: -L and folder each.
  std::vector<std::string> library_flags() const;
};

/// $BANKPROOF_CUDA_COMPILER is nvcc, clang or a path; without it nvcc where there is one, and else
/// clang; $BANKPROOF_CLANG is the clang. The host's compiler is -ccbin, $NVCC_CCBIN, g++ or
/// clang++. Throws InputError where one is missing, and where the machine's libraries are if the
/// line links a program.
Tools find_tools(const CommandLine& line);

/// The text of --version; its second part is that of the toolkit's nvcc.
std::string version_text(const Tools& tools);

}  // namespace bankproof::cli::nvcc
