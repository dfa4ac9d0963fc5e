// A program that runs by itself has the options of `bankproof exec` as variables of the
// environment: BANKPROOF_FORMAT is --format. If one is set that only exec understands, the library
// begins the program again under exec, which reads the variables.
//
// Only the shared libraries have this part: they lie where the path to exec is known.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace bankproof::cuda {
namespace {

constexpr const char* variables_of_exec[] = {"BANKPROOF_FORMAT",
                                             "BANKPROOF_OUTPUT",
                                             "BANKPROOF_SUPPRESS",
                                             "BANKPROOF_BASELINE",
                                             "BANKPROOF_FAIL_ON",
                                             "BANKPROOF_TOOL",
                                             "BANKPROOF_MAX_EXCESS",
                                             "BANKPROOF_MAX_SHARED_EXCESS",
                                             "BANKPROOF_MAX_GLOBAL_EXCESS",
                                             "BANKPROOF_ERROR_EXITCODE",
                                             "BANKPROOF_LEAK_CHECK",
                                             "BANKPROOF_SAVE_LAUNCHES"};

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

/// The program's command line, as the kernel has it; empty without /proc.
std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> words;
  for (std::string_view rest = all; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

/// libexec/bankproof/bankproof-exec, as seen from this library.
std::filesystem::path path_of_exec() {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void*>(&path_of_exec), &library) == 0) return {};
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::canonical(library.dli_fname, ignored);
  return (self.parent_path() / BANKPROOF_EXEC_PROGRAM).lexically_normal();
}

/// Does not return if the program begins again.
void begin_under_exec() {
  const char* const* const found =
      std::find_if(std::begin(variables_of_exec), std::end(variables_of_exec), is_set);
  if (found == std::end(variables_of_exec) || is_set("BANKPROOF_RUN")) return;
  std::vector<std::string> words = command_line();
  if (words.empty()) return;
  std::error_code ignored;
  // A name without a folder was found in PATH, or given by whoever started the program.
  if (words.front().find('/') == std::string::npos) {
    words.front() = std::filesystem::read_symlink("/proc/self/exe", ignored).string();
  }
  const std::string exec = path_of_exec().string();
  words.insert(words.begin(), {exec, "exec", "--"});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(exec.c_str(), arguments.data());
  std::fprintf(stderr, "bankproof: %s needs the program %s, which cannot be run\n", *found,
               exec.c_str());
  std::_Exit(3);
}

[[gnu::constructor]] void begin() { begin_under_exec(); }

}  // namespace
}  // namespace bankproof::cuda
