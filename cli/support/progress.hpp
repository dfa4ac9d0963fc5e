// Shows people at a terminal what a long command is doing: after the first second it draws a line
// on standard error, redraws it, and removes it in the end. It stays silent without a terminal, and
// where the environment has TERM=dumb or NO_COLOR.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace bankproof::cli {

class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { end(); }

  /// Shows that the next step begins.
  void begin(std::string_view step);
  /// Ends the last step and removes the line.
  void end();

 private:
  void show_until_ended();

  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string step_;
  unsigned steps_ = 0;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace bankproof::cli
