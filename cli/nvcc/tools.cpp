// See tools.hpp.
#include "tools.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "../../processes/process.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"
#include "../support/version.hpp"

namespace bankproof::cli::nvcc {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

cuda::Compiler find_compiler() {
  std::string wanted = variable("BANKPROOF_CUDA_COMPILER");
  const std::string clang = variable("BANKPROOF_CLANG");
  try {
    if (wanted.empty() && cuda::find_nvcc().empty()) wanted = "clang";
    if (wanted == "clang" && !clang.empty()) wanted = clang;
    return cuda::choose_compiler(wanted);
  } catch (const cuda::CompileError& error) {
    throw InputError(error.what());
  }
}

bool runs(const std::string& program) {
  const Ran ran = run_to_end({program, "--version"});
  return ran.start_error == 0 && ran.problem.empty();
}

std::string find_host(const CommandLine& line, const cuda::Compiler& compiler) {
  std::string wanted = line.last("compiler-bindir");
  if (wanted.empty()) wanted = variable("NVCC_CCBIN");
  if (!wanted.empty()) {
    if (std::error_code ignored; fs::is_directory(wanted, ignored)) {
      wanted = (fs::path(wanted) / "g++").string();
    }
    // C files are compiled with -x c, by the compiler that also links C++.
    if (const fs::path path = wanted; path.filename() == "gcc") {
      wanted = (path.parent_path() / "g++").string();
    }
    if (!runs(wanted)) {
      throw InputError("-ccbin names " + shown(wanted) + ", which does not run");
    }
    return wanted;
  }
  for (const char* const program : {"g++", "clang++"}) {
    if (runs(program)) return program;
  }
  if (compiler.kind == cuda::CompilerKind::clang) return compiler.program;
  throw InputError("there is no compiler for the host: install g++ (apt install g++)");
}

/// "V13.0.88" in the text of nvcc's --version.
Version version_of(const cuda::Compiler& compiler) {
  // That of the headers for clang (CUDART_VERSION).
  if (compiler.kind == cuda::CompilerKind::clang) return {"12", "0", "0"};
  const std::string text = run_to_end({compiler.program, "--version"}).output;
  const std::size_t at = text.find(", V");
  if (at == std::string::npos) return {"12", "0", "0"};
  const std::string rest = text.substr(at + 3, text.find_first_of(" \n", at + 3) - at - 3);
  const std::size_t first = rest.find('.');
  const std::size_t second = rest.find('.', first + 1);
  if (first == std::string::npos || second == std::string::npos) return {rest, "0", "0"};
  return {rest.substr(0, first), rest.substr(first + 1, second - first - 1),
          rest.substr(second + 1)};
}

/// The folder of the toolkit's headers, which nvcc names when it is asked to do nothing.
std::string includes_of(const cuda::Compiler& compiler) {
  const std::string text = run_to_end({compiler.program, "-v", "__bankproof"}).output;
  const std::size_t at = text.find("INCLUDES=\"-I");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + 12;
  return text.substr(begin, text.find('"', begin) - begin);
}

}  // namespace

Tools find_tools(const CommandLine& line) {
  Tools tools;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  tools.toolkit = (self.parent_path() / BANKPROOF_CUDA_LIBRARIES).lexically_normal();
  if (!fs::exists(tools.toolkit / "lib64/libcudart.so.13", error)) {
    throw InputError("nvcc needs the libraries in " + shown(tools.toolkit.string()) +
                     ", which are not installed");
  }
  tools.compiler = find_compiler();
  tools.host = find_host(line, tools.compiler);
  tools.version = version_of(tools.compiler);
  if (tools.has_nvcc()) tools.includes = includes_of(tools.compiler);
  if (tools.includes.empty()) tools.includes = tools.headers();
  return tools;
}

std::string version_text(const Tools& tools) {
  const Version& of = tools.version;
  return fmt::format(
      "bankproof {} stands in for nvcc: NVIDIA (R) Cuda compiler driver\n"
      "Device code is compiled by {}, and runs on the reference machine\n"
      "Cuda compilation tools, release {}.{}, V{}.{}.{}\n",
      version(), tools.compiler.program, of.major, of.minor, of.major, of.minor, of.build);
}

}  // namespace bankproof::cli::nvcc
