// bankproof_embed FILE.cu OUT [FLAG…]: compiles the device's code of a file and writes its PTX as
// clang is to embed it in the host's object file: a first line that names the source, and a zero
// byte behind the text. Flags go to the compiler; $BANKPROOF_CUDA_COMPILER chooses it.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <string>

#include "../compile/compile.hpp"

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bankproof_embed FILE.cu OUT [FLAG…]\n");
    return 2;
  }
  try {
    bankproof::cuda::CompileOptions options;
    if (const char* const compiler = std::getenv("BANKPROOF_CUDA_COMPILER"); compiler != nullptr) {
      options.compiler = compiler;
    }
    options.flags.assign(argv + 3, argv + argc);
    const auto compiler = bankproof::cuda::choose_compiler(options.compiler);
    // As clang has it: a constexpr function is the device's, too.
    if (compiler.kind == bankproof::cuda::CompilerKind::nvcc) {
      options.flags.emplace_back("--expt-relaxed-constexpr");
    }
    const auto ptx = bankproof::cuda::compile(argv[1], options, compiler);
    std::ofstream out(argv[2], std::ios::binary);
    out << "// source: " << argv[1] << '\n' << ptx.text << '\0';
    out.close();
    if (!out) throw std::runtime_error(std::string(argv[2]) + ": cannot be written");
  } catch (const bankproof::cuda::CompileError& error) {
    fmt::print(stderr, "{}{}\n", error.messages(), error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return 0;
}
