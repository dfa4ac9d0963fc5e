// See compilers.hpp.
#include "compilers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <system_error>

#include "../../processes/process.hpp"

namespace bankproof::cuda {
namespace {

constexpr const char* how_to_install =
    "install clang (Debian and Ubuntu: apt install clang-16), or NVIDIA's CUDA toolkit and set "
    "CUDACXX "
    "to its nvcc";

/// The compiler that --version reports; nullopt if the program does not run or is no compiler of
/// CUDA. bankproof-nvcc is none: it calls the compilers that are found here.
std::optional<Compiler> reported_by(const std::string& program) {
  constexpr std::string_view before = "clang version ";
  const Ran ran = run_to_end({program, "--version"});
  if (ran.start_error != 0 || !ran.problem.empty()) return std::nullopt;
  if (ran.output.find("bankproof stands in for") != std::string::npos) return std::nullopt;
  if (ran.output.find("Cuda compiler driver") != std::string::npos) {
    return Compiler{CompilerKind::nvcc, program};
  }
  if (const std::size_t found = ran.output.find(before); found != std::string::npos) {
    return Compiler{CompilerKind::clang, program,
                    std::atoi(ran.output.c_str() + found + before.size())};
  }
  return std::nullopt;
}

/// Whether this clang was built with the code generator for NVIDIA's chips and knows PTX 7.5.
bool makes_ptx(const std::string& clang) {
  const Ran ran = run_to_end({clang, "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
                              "--cuda-gpu-arch=sm_80", "-Xclang", "-target-feature", "-Xclang",
                              "+ptx75", "-S", "/dev/null", "-o", "-"});
  return ran.start_error == 0 && ran.problem.empty() &&
         ran.output.find(".target sm_80") != std::string::npos;
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Compiler named(const std::string& program) {
  if (const std::optional<Compiler> reported = reported_by(program)) return *reported;
  const Ran ran = run_to_end({program, "--version"});
  if (ran.start_error != 0) {
    throw CompileError(fmt::format("cannot run the compiler {}: {}", program,
                                   std::generic_category().message(ran.start_error)));
  }
  throw CompileError(fmt::format("{} is neither nvcc nor clang++, as its --version says", program),
                     ran.output);
}

}  // namespace

std::vector<Compiler> find_nvcc() {
  std::vector<std::string> programs;
  if (const std::string chosen = variable("CUDACXX"); !chosen.empty()) programs.push_back(chosen);
  programs.emplace_back("nvcc");
  const std::string home = variable("CUDA_HOME");
  programs.push_back((home.empty() ? "/usr/local/cuda" : home) + "/bin/nvcc");
  for (const std::string& program : programs) {
    const std::optional<Compiler> reported = reported_by(program);
    if (reported && reported->kind == CompilerKind::nvcc) return {*reported};
  }
  return {};
}

std::vector<Compiler> find_clangs(std::size_t most) {
  std::vector<std::string> programs = {"clang++"};
  for (int version = 19; version >= 14; --version) {
    programs.push_back(fmt::format("clang++-{}", version));
  }
  std::vector<Compiler> result;
  std::vector<Compiler> last;
  for (const std::string& program : programs) {
    if (result.size() == most) break;
    if (!makes_ptx(program)) continue;
    const std::optional<Compiler> reported = reported_by(program);
    if (!reported || reported->kind != CompilerKind::clang) continue;
    // LLVM 14 takes a structure with padding for undefined as a whole, where a function returns it:
    // it drops comparisons of its members.
    (reported->version < 15 ? last : result).push_back(*reported);
  }
  result.insert(result.end(), last.begin(), last.end());
  result.resize(std::min(result.size(), most));
  return result;
}

Compiler choose_compiler(const std::string& wanted) {
  if (!wanted.empty() && wanted != "nvcc" && wanted != "clang") return named(wanted);
  if (wanted != "clang") {
    if (std::vector<Compiler> found = find_nvcc(); !found.empty()) return found.front();
    if (wanted == "nvcc") {
      throw CompileError(
          "there is no nvcc in CUDACXX, the PATH or CUDA_HOME/bin (/usr/local/cuda/bin): install "
          "NVIDIA's CUDA toolkit, or say --compiler clang");
    }
  }
  if (std::vector<Compiler> found = find_clangs(1); !found.empty()) return found.front();
  throw CompileError(fmt::format("there is no {} that makes PTX: {}",
                                 wanted == "clang" ? "clang++ (14 to 19)" : "nvcc and no clang++",
                                 how_to_install));
}

}  // namespace bankproof::cuda
