// The folder in which the processes of a program leave what they did (cuda/runtime/run_folder.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "../../ptx/report/report.hpp"

namespace bankproof::cli {

/// What all processes of the program did, so far.
struct Gathered {
  ptx::KernelReport report;
  std::uint64_t launches = 0;  // that were checked
  std::uint64_t unchecked = 0;
  std::uint64_t library_calls = 0;    // of CUDA's libraries
  std::uint64_t processes = 0;        // that loaded the machine
  std::uint64_t without_end = 0;      // of these: that were killed, or that called _exit()
  bool cannot_start = false;          // a kernel could not run here
  std::string kernel;                 // that runs now
  std::vector<std::string> messages;  // of calls of CUDA that failed, each once
};

class RunDirectory {
 public:
  /// A new folder for temporary files. Throws InputError.
  RunDirectory();
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// The counts of launches, without the report.
  Gathered progress() const;
  /// Everything, once the program has ended. Throws InputError.
  Gathered gather() const;

 private:
  std::filesystem::path path_;
};

}  // namespace bankproof::cli
