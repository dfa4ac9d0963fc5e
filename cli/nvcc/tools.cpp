// See tools.hpp.
#include "tools.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

#include "../../processes/process.hpp"
#include "../support/errors.hpp"
#include "../support/shown.hpp"
#include "../support/version.hpp"
#include "phase.hpp"

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
  // The headers for clang have this version (CUDART_VERSION).
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

/// The folders behind this flag in the text of nvcc -v, which writes "-I/usr/local/cuda/include".
std::vector<std::string> folders_behind(const std::string& flag, const std::string& variable,
                                        const std::string& text) {
  std::vector<std::string> folders;
  const std::size_t line = text.find("#$ " + variable + "=");
  if (line == std::string::npos) return folders;
  const std::string rest = text.substr(line, text.find('\n', line) - line);
  const std::string begin = '"' + flag;
  for (std::size_t at = rest.find(begin); at != std::string::npos;) {
    at += begin.size();
    const std::size_t end = rest.find('"', at);
    if (end == std::string::npos) break;
    folders.push_back(rest.substr(at, end - at));
    at = rest.find(begin, end);
  }
  return folders;
}

bool has_libraries(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "thrust/version.h", ignored) &&
         fs::is_regular_file(folder / "cub/version.cuh", ignored);
}

std::string find_cccl(const CommandLine& line) {
  std::string wanted = line.last("cccl");
  if (wanted.empty()) wanted = variable("BANKPROOF_CCCL");
  if (!wanted.empty()) {
    if (!has_libraries(wanted)) {
      throw InputError("--cccl or BANKPROOF_CCCL names " + shown(wanted) +
                       ", which has no thrust/version.h and cub/version.cuh");
    }
    return wanted;
  }
  const std::string home = variable("CUDA_HOME");
  const fs::path found = fs::path(home.empty() ? "/usr/local/cuda" : home) / "include/cccl";
  return has_libraries(found) ? found.string() : "";
}

}  // namespace

Tools find_tools(const CommandLine& line) {
  Tools tools;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  tools.toolkit = (self.parent_path() / BANKPROOF_CUDA_LIBRARIES).lexically_normal();
  const bool links = phase_of(line) == Phase::link && !line.inputs().empty();
  if (links && !fs::exists(tools.toolkit / "lib64/libcudart.so.13", error)) {
    throw InputError("nvcc needs the libraries in " + shown(tools.toolkit.string()) +
                     ", which are not installed");
  }
  tools.compiler = find_compiler();
  tools.host = find_host(line, tools.compiler);
  tools.version = version_of(tools.compiler);
  tools.headers = variable("BANKPROOF_CUDA_HEADERS");
  if (tools.headers.empty()) tools.headers = (tools.toolkit / "include").string();
  tools.cccl = find_cccl(line);
  tools.includes = tools.headers;
  if (tools.has_nvcc()) {
    // Asked to do nothing, nvcc shows its folders before it complains.
    const std::string text = run_to_end({tools.compiler.program, "-v", "__bankproof"}).output;
    const std::vector<std::string> includes = folders_behind("-I", "INCLUDES", text);
    if (!includes.empty()) tools.includes = includes.front();
    tools.more_libraries = folders_behind("-L", "LIBRARIES", text);
  }
  return tools;
}

std::vector<std::string> Tools::library_flags() const {
  std::vector<std::string> flags = {"-L" + (toolkit / "lib64").string()};
  for (const std::string& folder : more_libraries) flags.push_back("-L" + folder);
  return flags;
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
