// Time for solvers on machines that do other things, too.
#pragma once

#include <sys/resource.h>

#include <chrono>

namespace bankproof::symbolic {

/// Whose work counts.
enum class Worker : int { this_thread = RUSAGE_THREAD, processes_that_ended = RUSAGE_CHILDREN };

/// The time that a processor has worked for it.
inline std::chrono::duration<double, std::milli> work_of(Worker worker) {
  rusage used{};
  getrusage(static_cast<int>(worker), &used);
  const auto time_of = [](const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return time_of(used.ru_utime) + time_of(used.ru_stime);
}

/// Calls `ask` with a limit in milliseconds by the clock, and once more with twice as many as long
/// as `is_open` says that there is no answer, although the clock went on and no processor worked on
/// it: a verdict must not depend on what else runs.
template <class Ask, class IsOpen>
auto although_busy(Worker worker, unsigned ms, const Ask& ask, const IsOpen& is_open) {
  constexpr unsigned most = 32;
  constexpr double almost = 0.8;
  for (unsigned times = 1;; times *= 2) {
    const auto begin = std::chrono::steady_clock::now();
    const auto before = work_of(worker);
    auto answer = ask(times * ms);
    const std::chrono::duration<double, std::milli> passed =
        std::chrono::steady_clock::now() - begin;
    const bool is_late = passed.count() >= times * ms;
    const bool has_worked = (work_of(worker) - before).count() >= almost * ms;
    if (!is_open(answer) || !is_late || has_worked || times == most) return answer;
  }
}

}  // namespace bankproof::symbolic
