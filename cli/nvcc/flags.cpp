// See flags.hpp.
#include "flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "../../processes/process.hpp"
#include "phase.hpp"

namespace bankproof::cli::nvcc {
namespace {

void add(Words& words, std::initializer_list<std::string> more) { words.insert(words.end(), more); }
void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// What all of clang, gcc and nvcc's preprocessor spell alike.
Words shared_flags(const CommandLine& line) {
  Words flags;
  for (const Word& word : line.words) {
    if (word.option == nullptr || word.option->goes != Goes::compilers) continue;
    const std::string brief = "-" + std::string(word.option->brief);
    if (word.option->takes == Takes::nothing) flags.push_back(brief);
    if (word.option->takes == Takes::value) flags.push_back(brief + "=" + word.value);
    for (const std::string& one : word.values) {
      if (brief.size() == 2) {
        flags.push_back(brief + one);
      } else {
        add(flags, {brief, one});
      }
    }
  }
  return flags;
}

/// The macros of nvcc. clang's half of a .cu file has __CUDACC__ from bankproof's headers.
Words macros(const CommandLine& line, const Tools& tools) {
  Words flags = {"-D__NVCC__",
                 "-D__CUDACC_VER_MAJOR__=" + tools.version.major,
                 "-D__CUDACC_VER_MINOR__=" + tools.version.minor,
                 "-D__CUDACC_VER_BUILD__=" + tools.version.build,
                 "-D__CUDA_API_VER_MAJOR__=" + tools.version.major,
                 "-D__CUDA_API_VER_MINOR__=" + tools.version.minor,
                 "-D__CUDA_ARCH_LIST__=800"};
  if (is_relocatable(line)) flags.emplace_back("-D__CUDACC_RDC__");
  if (line.has("expt-relaxed-constexpr")) flags.emplace_back("-D__CUDACC_RELAXED_CONSTEXPR__");
  if (line.has("extended-lambda") || line.has("expt-extended-lambda")) {
    flags.emplace_back("-D__CUDACC_EXTENDED_LAMBDA__");
  }
  // The headers then name the thread's versions of functions, and launches follow them.
  if (line.last("default-stream") == "per-thread") {
    flags.emplace_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM");
  }
  return flags;
}

std::string standard(const CommandLine& line) {
  const std::string typed = line.last("std");
  return "-std=" + (typed.empty() ? "gnu++17" : typed);
}

/// Debug information, optimization, exceptions.
Words code_flags(const CommandLine& line) {
  // Lines of calls of CUDA are in the reports.
  Words flags = {line.has("debug") ? "-g" : "-g1"};
  const std::string level = line.last("optimize");
  if (!level.empty() || !line.has("debug")) flags.push_back("-O" + (level.empty() ? "1" : level));
  if (line.has("profile")) flags.emplace_back("-pg");
  if (line.has("no-exceptions")) flags.emplace_back("-fno-exceptions");
  return flags;
}

bool uses_openmp(const CommandLine& line) {
  const Words typed = typed_for_host(line);
  return std::ranges::find(typed, "-fopenmp") != typed.end();
}

/// The folder of gcc's omp.h, whose functions are in the library that -fopenmp links. clang itself
/// compiles for one thread: its own library is another.
std::string openmp_headers(const Tools& tools) {
  std::string folder = run_to_end({tools.host, "-print-file-name=include"}).output;
  while (!folder.empty() && folder.back() == '\n') folder.pop_back();
  return folder;
}

/// Behind the folders of -I, so that a program's own copy is found first.
Words core_libraries(const Tools& tools) {
  return tools.cccl.empty() ? Words{} : Words{"-isystem", tools.cccl};
}

bool is_true(const CommandLine& line, std::string_view name) { return line.last(name) == "true"; }
bool is_false(const CommandLine& line, std::string_view name) { return line.last(name) == "false"; }

}  // namespace

Words typed_for_host(const CommandLine& line) {
  Words flags = line.all("compiler-options");
  add(flags, line.to_host);
  return flags;
}

Words flags_for_nvcc(const CommandLine& line, const Tools& tools,
                     const Architecture& architecture) {
  constexpr std::string_view also[] = {
      "debug", "optimize", "std",       "profile",       "no-exceptions",  "ftz",
      "fmad",  "prec-div", "prec-sqrt", "use_fast_math", "default-stream", "compiler-bindir"};
  const std::string target = "compute_" + architecture.name;
  Words flags = {"-gencode", "arch=" + target + ",code=" + target, "-lineinfo", "-Xcompiler",
                 "-g1"};
  for (const Word& word : line.words) {
    if (word.option == nullptr) continue;
    if (word.option->name == "include-path" || word.option->name == "system-include") {
      for (const std::string& folder : word.values) {
        std::error_code ignored;
        if (std::filesystem::equivalent(folder, tools.headers, ignored)) continue;
        add(flags, {"-" + std::string(word.option->brief), folder});
      }
      continue;
    }
    // nvcc warns of a value that another replaces.
    const auto is_same = [&](const Word& other) { return other.option == word.option; };
    const auto after = line.words.begin() + (&word - line.words.data()) + 1;
    if (word.option->takes == Takes::value && std::any_of(after, line.words.end(), is_same)) {
      continue;
    }
    const Goes goes = word.option->goes;
    if (goes != Goes::compilers && goes != Goes::host && goes != Goes::nvcc &&
        goes != Goes::nvcc_or_nowhere &&
        std::ranges::find(also, word.option->name) == std::end(also)) {
      continue;
    }
    // Older versions know only the short name.
    flags.push_back(
        (word.option->brief.size() == 1 ? "-" : "--") +
        std::string(word.option->brief.size() == 1 ? word.option->brief : word.option->name));
    if (word.option->name == "cudafe-options") flags.back() = "-Xcudafe";
    if (word.option->takes != Takes::nothing) flags.push_back(word.value);
  }
  if (!line.to_host.empty()) {
    flags.emplace_back("-forward-unknown-to-host-compiler");
    add(flags, line.to_host);
  }
  if (is_relocatable(line)) flags.emplace_back("-rdc=true");
  if (!line.last("cccl").empty()) flags.push_back("-I" + tools.cccl);
  return flags;
}

Words flags_for_device(const CommandLine& line, const Tools& tools) {
  // The host's half says the same warnings.
  Words flags = {standard(line), "-w"};
  add(flags, macros(line, tools));
  add(flags, shared_flags(line));
  add(flags, core_libraries(tools));
  const Words typed = typed_for_host(line);
  for (std::size_t k = 0; k < typed.size(); ++k) {
    const std::string& word = typed[k];
    if ((word == "-include" || word == "-isystem") && k + 1 < typed.size()) {
      add(flags, {word, typed[++k]});
    } else if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-I")) {
      flags.push_back(word);
    }
  }
  if (is_true(line, "ftz") || line.has("use_fast_math")) {
    flags.emplace_back("-fcuda-flush-denormals-to-zero");
  }
  if (is_false(line, "fmad")) flags.emplace_back("-ffp-contract=off");
  if (uses_openmp(line)) add(flags, {"-idirafter", openmp_headers(tools)});
  return flags;
}

Words flags_for_host_half(const CommandLine& line, const Tools& tools) {
  const std::string headers = tools.headers;
  Words flags = {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib",
                 "--cuda-path=" + headers, "-Xclang", "-target-sdk-version=11.5", "-I" + headers,
                 "-include", headers + "/cuda_runtime.h", "-fPIE", standard(line),
                 // Libraries declare such functions, and no device code calls them.
                 "-Xclang", "-fcuda-allow-variadic-functions", "-Wno-unknown-warning-option",
                 "-Wno-ignored-attributes",
                 // Old code has "text"NAME, which is an error for clang and none for nvcc.
                 "-Wno-reserved-user-defined-literal",
                 // nvcc only warns of a number in braces that may not fit.
                 "-Wno-c++11-narrowing",
                 // libdw finds lines by it.
                 "-gdwarf-aranges"};
  add(flags, code_flags(line));
  add(flags, macros(line, tools));
  add(flags, shared_flags(line));
  add(flags, core_libraries(tools));
  for (const std::string& word : typed_for_host(line)) {
    if (word == "-fopenmp") {
      add(flags, {"-idirafter", openmp_headers(tools)});
    } else {
      flags.push_back(word);
    }
  }
  return flags;
}

Words relocatable_flags(const CommandLine& line, const std::string& file) {
  if (!is_relocatable(line)) return {};
  // Static variables of a file get its number as part of their names, in both halves.
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(file, ignored).lexically_normal().string();
  return {"-fgpu-rdc", fmt::format("-cuid={:016x}", std::hash<std::string>{}(path))};
}

Words flags_for_host(const CommandLine& line, const Tools& tools, bool is_c) {
  Words flags = code_flags(line);
  if (!is_c && line.has("std")) flags.push_back(standard(line));
  add(flags, macros(line, tools));
  add(flags, shared_flags(line));
  add(flags, typed_for_host(line));
  add(flags, {"-I" + tools.headers});
  add(flags, core_libraries(tools));
  return flags;
}

Words without_meaning(const CommandLine& line, const Tools& tools) {
  Words names;
  const auto add_once = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Word& word : line.words) {
    if (word.option == nullptr) continue;
    const Option& option = *word.option;
    const std::string name = (option.brief == option.name || option.brief.size() < 2 ? "--" : "-") +
                             std::string(option.brief.size() < 2 ? option.name : option.brief);
    const bool is_nowhere =
        option.goes == Goes::nowhere || option.name == "device-debug" ||
        (!tools.has_nvcc() &&
         (option.goes == Goes::nvcc_or_nowhere ||
          ((option.name == "prec-div" || option.name == "prec-sqrt") && word.value == "false")));
    if (is_nowhere) add_once(option.name == "device-debug" ? "-G" : name);
  }
  if (!tools.has_nvcc() && uses_openmp(line)) add_once("-fopenmp in .cu files");
  return names;
}

}  // namespace bankproof::cli::nvcc
