// A thread that redraws the line ten times a second; see progress.hpp.
#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "output.hpp"

namespace bankproof::cli {
namespace {

constexpr std::chrono::milliseconds patience{1000};
constexpr std::chrono::milliseconds frame{100};

/// A bar with a block that moves back and forth: the length of a step is unknown.
std::string bar(std::chrono::milliseconds elapsed) {
  constexpr long cells = 20;
  constexpr long block = 4;
  const long beat = elapsed / frame % (2 * (cells - block));
  const long at = beat < cells - block ? beat : 2 * (cells - block) - beat;
  std::string text(cells, '-');
  text.replace(static_cast<std::size_t>(at), block, std::string(block, '='));
  return "[" + text + "]";
}

/// Whether standard error is a terminal that can erase a line, and the user has not asked for plain
/// text.
bool is_welcome() {
  const auto value_of = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  return isatty(STDERR_FILENO) == 1 && value_of("TERM") != "dumb" && value_of("NO_COLOR").empty();
}

}  // namespace

Progress::Progress() {
  if (is_welcome()) thread_ = std::thread([this] { show_until_ended(); });
}

void Progress::begin(std::string_view step) {
  const std::lock_guard lock(mutex_);
  step_ = step;
  ++steps_;
}

void Progress::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::show_until_ended() {
  std::unique_lock lock(mutex_);
  bool shown = false;
  const auto ended = [this] { return ended_; };
  changed_.wait_until(lock, began_ + patience, ended);
  while (!ended_) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - began_);
    write_all(STDERR_FILENO,
              fmt::format("\r{} {:.1f} s, step {}: {}\x1b[K", bar(elapsed),
                          static_cast<double>(elapsed.count()) / 1000, steps_, step_));
    shown = true;
    changed_.wait_for(lock, frame, ended);
  }
  if (shown) write_all(STDERR_FILENO, "\r\x1b[K");
}

}  // namespace bankproof::cli
