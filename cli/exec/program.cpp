// See program.hpp. ELF files are read by <elf.h> (System V ABI, chapter 4).
#include "program.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include "../support/errors.hpp"
#include "../support/shown.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace bankproof::cli {
namespace {

/// Parts of an ELF file; every read is checked.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path) : in_(path, std::ios::binary) {
    header_ = at<Elf64_Ehdr>(0);
  }

  bool is_elf() const { return header_ && std::memcmp(header_->e_ident, ELFMAG, SELFMAG) == 0; }
  bool is_of_this_machine() const {
    return header_->e_ident[EI_CLASS] == ELFCLASS64 && header_->e_machine == EM_X86_64;
  }
  bool has_section(std::string_view name) {
    const auto names = section(header_->e_shstrndx);
    for (unsigned k = 0; names && k < header_->e_shnum; ++k) {
      const auto one = section(k);
      if (one && text(names->sh_offset + one->sh_name) == name) return true;
    }
    return false;
  }
  /// Whether the dynamic linker loads a library whose name begins so, perhaps by its path.
  bool needs(std::string_view prefix) {
    for (unsigned k = 0; k < header_->e_shnum; ++k) {
      const auto dynamic = section(k);
      if (!dynamic || dynamic->sh_type != SHT_DYNAMIC) continue;
      const auto names = section(dynamic->sh_link);
      for (std::uint64_t at_byte = 0; names && at_byte < dynamic->sh_size;
           at_byte += sizeof(Elf64_Dyn)) {
        const auto entry = at<Elf64_Dyn>(dynamic->sh_offset + at_byte);
        if (!entry || entry->d_tag == DT_NULL) break;
        if (entry->d_tag != DT_NEEDED) continue;
        const std::filesystem::path library = text(names->sh_offset + entry->d_un.d_val);
        if (library.filename().string().starts_with(prefix)) return true;
      }
    }
    return false;
  }

 private:
  template <class T>
  std::optional<T> at(std::uint64_t offset) {
    T value;
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(offset));
    if (!in_.read(reinterpret_cast<char*>(&value), sizeof value)) return std::nullopt;
    return value;
  }
  std::optional<Elf64_Shdr> section(unsigned number) {
    return at<Elf64_Shdr>(header_->e_shoff + std::uint64_t{number} * sizeof(Elf64_Shdr));
  }
  std::string text(std::uint64_t offset) {
    constexpr std::size_t longest = 4096;
    std::string result(longest, '\0');
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(offset));
    in_.read(result.data(), longest);
    return result.c_str();
  }

  std::ifstream in_;
  std::optional<Elf64_Ehdr> header_;
};

constexpr const char* how_to_build =
    "build it with NVCC_APPEND_FLAGS=\"-cudart shared -lineinfo -Xcompiler -g -gencode "
    "arch=compute_80,code=compute_80\"";

volatile std::sig_atomic_t running = 0;  // the program's process

/// Who ends this command means the program.
void forward(int signal) {
  if (running > 0) kill(running, signal);
}

bool can_run(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::filesystem::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    std::error_code error;
    if (can_run(name)) return name;
    if (std::filesystem::is_directory(name, error)) throw InputError(shown(name) + " is a folder");
    if (!std::filesystem::exists(name, error)) throw InputError(shown(name) + " does not exist");
    throw InputError(shown(name) + " is no program that you may run");
  }
  const char* const path = std::getenv("PATH");
  for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const std::filesystem::path found =
        std::filesystem::path(end == 0 ? "." : rest.substr(0, end)) / name;
    if (can_run(found)) return found;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  throw InputError("no program " + shown(name) +
                   " is in the folders of PATH; for a program in "
                   "this folder write ./" +
                   shown(name));
}

void require_shared_runtime(const std::filesystem::path& program) {
  ElfFile file(program);
  if (!file.is_elf()) return;
  if (!file.is_of_this_machine()) {
    throw InputError(shown(program.string()) + " is a program for another processor");
  }
  if (file.has_section(".nv_fatbin") && !file.needs("libcudart.so.")) {
    throw InputError(
        fmt::format("{} has CUDA's runtime linked into it, so the machine cannot take "
                    "its place: {}",
                    shown(program.string()), how_to_build));
  }
}

Ended run_program_with(const std::filesystem::path& program, const std::vector<std::string>& words,
                       const std::map<std::string, std::string>& environment,
                       const std::function<void()>& meanwhile) {
  std::vector<std::string> variables;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    if (environment.count(std::string(text.substr(0, text.find('=')))) == 0) {
      variables.emplace_back(text);
    }
  }
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
    all.push_back(nullptr);
    return all;
  };
  // Signals that this command ignores would stay ignored in the program.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGQUIT}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  // The report about an interrupted program is worth writing.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGQUIT, SIG_IGN);
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), nullptr, &attributes,
                                pointers(words).data(), pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw InputError(shown(program.string()) + " cannot be started: " + std::strerror(error));
  }
  running = child;
  for (const int signal : {SIGTERM, SIGHUP}) std::signal(signal, forward);
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) throw InputError("the program cannot be waited for");
    meanwhile();
    std::this_thread::sleep_for(std::chrono::milliseconds(ended == 0 ? 20 : 0));
  }
  running = 0;
  if (WIFSIGNALED(status)) return {.code = 128 + WTERMSIG(status), .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status)};
}

}  // namespace bankproof::cli
