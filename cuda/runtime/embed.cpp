// `bankproof_embed FILE.cu OUT [FLAG…]` compiles the device code of a file and writes its PTX in
// the form that clang embeds in the host's object file: the first line names the source, and a zero
// byte follows the text. It also writes OUT.d, a make rule with the dependencies. The compiler gets
// the flags. The compiler is $BANKPROOF_CUDA_COMPILER if set; else nvcc if there is one; else
// clang. $BANKPROOF_CLANG is the clang that compiles the host code; if the compiler of the device
// code is clang, it is this clang.
#include <fmt/format.h>

#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "../compile/compile.hpp"

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

bankproof::cuda::Compiler compiler_for_device() {
  const auto variable = [](const char* name) -> std::string {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  std::string wanted = variable("BANKPROOF_CUDA_COMPILER");
  const bool is_clang =
      wanted == "clang" || (wanted.empty() && bankproof::cuda::find_nvcc().empty());
  if (const std::string clang = variable("BANKPROOF_CLANG"); is_clang && !clang.empty()) {
    wanted = clang;
  }
  return bankproof::cuda::choose_compiler(wanted);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: bankproof_embed FILE.cu OUT [FLAG…]\n");
    return 2;
  }
  try {
    bankproof::cuda::CompileOptions options;
    options.flags.assign(argv + 3, argv + argc);
    const std::string output = argv[2];
    const std::string dependencies = output + ".d";
    options.flags.insert(options.flags.end(), {"-MD", "-MF", dependencies});
    const auto ptx = bankproof::cuda::compile(argv[1], options, compiler_for_device());
    make_rule_for(output, dependencies);
    write(output, "// source: " + std::string(argv[1]) + '\n' + ptx.text + '\0');
  } catch (const bankproof::cuda::CompileError& error) {
    fmt::print(stderr, "{}{}\n", error.messages(), error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
  return 0;
}
