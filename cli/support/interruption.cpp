// See interruption.hpp.
#include "interruption.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstring>

namespace bankproof::cli {
namespace {

constexpr std::array<int, 3> signals = {SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, signals.size()> before{};
std::atomic<int> kept{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may store it");

const char* notice_of_first = nullptr;

void keep(int signal) {
  if (notice_of_first != nullptr && kept == 0) {
    // Nobody can be told that nobody reads it.
    [[maybe_unused]] const auto written =
        write(STDERR_FILENO, notice_of_first, std::strlen(notice_of_first));
  }
  kept = signal;
}

}  // namespace

Interruption::Interruption(const char* notice) {
  notice_of_first = notice;
  struct sigaction keeping {};
  keeping.sa_handler = keep;
  keeping.sa_flags = SA_RESTART;
  if (notice != nullptr) keeping.sa_flags |= static_cast<int>(SA_RESETHAND);
  sigemptyset(&keeping.sa_mask);
  for (std::size_t k = 0; k < signals.size(); ++k) {
    sigaction(signals[k], nullptr, &before[k]);
    if (before[k].sa_handler != SIG_IGN) sigaction(signals[k], &keeping, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before[k], nullptr);
  if (const int signal = kept.exchange(0); signal != 0) std::raise(signal);
}

bool Interruption::requested() { return kept != 0; }

}  // namespace bankproof::cli
