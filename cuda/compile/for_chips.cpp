// `bankproof_for_chips FILE.cu OUT [FLAG…]` compiles the device code of a file for a chip and
// writes its PTX, and OUT.d, a make rule with the dependencies. $BANKPROOF_CUDA_COMPILER is the
// compiler, which gets the flags.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "compile.hpp"

namespace {

void write(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path + ": cannot be written");
}

/// The path, escaped for a make rule.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#') text += '\\';
    text += c;
    if (c == '$') text += c;
  }
  return text;
}

/// Replaces the rule's target. Compilers make the name of a temporary file the target, and nvcc has
/// no option to change this.
void make_rule_for(const std::string& target, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string rule{std::istreambuf_iterator<char>(in), {}};
  const std::size_t colon = rule.find(':');
  if (colon == std::string::npos) throw std::runtime_error(path + ": no rule of the compiler's");
  write(path, escaped(target) + rule.substr(colon));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bankproof_for_chips FILE.cu OUT [FLAG…]\n");
    return 2;
  }
  try {
    bankproof::cuda::CompileOptions options;
    options.flags.assign(argv + 3, argv + argc);
    const std::string output = argv[2];
    const std::string dependencies = output + ".d";
    options.flags.insert(options.flags.end(), {"-MD", "-MF", dependencies});
    const char* const compiler = std::getenv("BANKPROOF_CUDA_COMPILER");
    options.compiler = compiler == nullptr ? "" : compiler;
    const auto ptx = bankproof::cuda::compile(argv[1], options);
    make_rule_for(output, dependencies);
    write(output, ptx.text);
  } catch (const bankproof::cuda::CompileError& error) {
    fmt::print(stderr, "{}{}\n", error.messages(), error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return 0;
}
