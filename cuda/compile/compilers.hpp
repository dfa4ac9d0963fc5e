// Which compilers of CUDA there are: NVIDIA's nvcc, or a clang++ that knows the device.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bankproof::cuda {

/// No PTX was made. what() is one line; messages() are the compiler's own lines, if it wrote any.
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
};

/// The nvcc of this machine: $CUDACXX if it is one, else that of the PATH or of $CUDA_HOME/bin,
/// which is /usr/local/cuda/bin unless told otherwise. None or one.
std::vector<Compiler> find_nvcc();

/// The clangs of the PATH that make PTX: clang++, then clang++-19 down to clang++-14.
std::vector<Compiler> find_clangs();

/// The compiler to use. `wanted` is empty for nvcc where there is one and else the first clang; or
/// "nvcc"; or "clang"; or a program, whose kind its --version tells. Throws CompileError, which
/// tells what to install.
Compiler choose_compiler(const std::string& wanted);

}  // namespace bankproof::cuda
