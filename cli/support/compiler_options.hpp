// The options that choose and direct a compiler of CUDA source.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cli {

/// The compiler of CUDA source and its options, as typed.
struct TypedCompiler {
  std::string name;
  std::vector<std::string> includes;
  std::vector<std::string> defines;
  std::vector<std::string> options;

  /// The words for the compiler.
  std::vector<std::string> words() const;
};

/// Adds --compiler, -I, -D and --compile-option.
void add_compiler(CLI::App& command, TypedCompiler& compiler);

/// Throws UsageError if the file is PTX, and there are options for a compiler.
void refuse_compiler_of_ptx(const std::string& file, const TypedCompiler& compiler);

}  // namespace bankproof::cli
