// Finds the compilers of CUDA on this machine: nvcc, or a clang++ that can generate PTX.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::cuda {

/// There is no PTX. what() says why in one line; messages() has the lines that the compiler wrote,
/// if it wrote any.
class CompileError : public std::runtime_error {
 public:
  explicit CompileError(const std::string& line, std::string messages = "")
      : std::runtime_error(line), messages_(std::move(messages)) {}

  const std::string& messages() const { return messages_; }

 private:
  std::string messages_;
};

enum class CompilerKind { nvcc, clang };

struct Compiler {
  CompilerKind kind = CompilerKind::nvcc;
  std::string program;  ///< a path, or a name to be found in the PATH
  int version = 0;      ///< the first number of clang's version
};

/// The nvcc of this machine: $CUDACXX if that is an nvcc, else nvcc in the PATH, else
/// $CUDA_HOME/bin/nvcc (CUDA_HOME defaults to /usr/local/cuda). Returns at most one compiler.
std::vector<Compiler> find_nvcc();

/// The first clangs of the PATH that make PTX: clang++, then clang++-19 down to clang++-14. Those
/// of version 14 come last, since they miscompile structures with padding.
std::vector<Compiler> find_clangs(std::size_t most = 7);

/// Chooses a compiler. If `wanted` is empty, takes nvcc if there is one, else the first clang. If
/// `wanted` is "nvcc" or "clang", takes a compiler of that kind. Any other text names a program,
/// which tells its kind by --version. Throws CompileError, whose text says what to install.
Compiler choose_compiler(const std::string& wanted);

}  // namespace bankproof::cuda
