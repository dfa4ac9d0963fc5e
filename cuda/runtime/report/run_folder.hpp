// The folder in which a program under `bankproof exec` leaves what it did, for the command that
// waits for its end. Each process of the program writes files, named by its number:
//
//   progress-PID   the number of launches so far and the kernel that runs, mapped into memory
//   faults-PID     each new fault, as one line, as soon as it is found
//   messages-PID   a line for each call of CUDA that failed
//   report-PID     the whole report, when the process ends by exit()
//
// A process that is killed, or that calls _exit(), leaves all but the last. $BANKPROOF_RUN names
// the folder.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "../../../ptx/report/report.hpp"

namespace bankproof::cuda {

/// The contents of progress-PID.
struct RunProgress {
  static constexpr std::size_t longest_name = 255;

  std::atomic<std::uint64_t> launches;  // that were checked
  std::atomic<std::uint64_t> unchecked;
  std::atomic<std::uint64_t> library_calls;  // of CUDA's libraries
  std::atomic<std::uint64_t> faults;
  std::atomic<std::uint32_t> cannot_start;    // 1: the program cannot run here, and said so
  std::array<char, longest_name + 1> kernel;  // that runs now; empty between launches
};

class RunFolder {
 public:
  /// The folder of $BANKPROOF_RUN; null without one, or if it cannot be written.
  static std::unique_ptr<RunFolder> of_environment();

  explicit RunFolder(std::string folder);
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder();

  void begin_launch(const std::string& kernel);
  /// Adds the faults of the launch to faults-PID.
  void end_launch(const ptx::KernelReport& launch, bool checked);
  /// A call of one of CUDA's libraries was performed.
  void end_library_call();
  /// The launch that has begun does not run.
  void refuse_launch();
  void add(const ptx::FaultReport& fault);
  /// Adds a line to messages-PID: the failure of a call.
  void say(const std::string& message);
  /// The program has a kernel that cannot run here.
  void cannot_start();
  void finish(const ptx::KernelReport& report);

  /// In a process that fork() has made: its files are its own.
  void begin_process();

 private:
  std::string path(const char* kind) const;
  void add_line(const char* kind, const std::string& line) const;

  std::string folder_;
  RunProgress* progress_ = nullptr;
};

}  // namespace bankproof::cuda
