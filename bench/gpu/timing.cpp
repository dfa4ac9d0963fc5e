// Times a benchmark; see benchmark.hpp.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "benchmark.hpp"

namespace bankproof::cuda::bench {

namespace {

class Event {
 public:
  Event() { require(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record() { require(cudaEventRecord(event_), "cudaEventRecord"); }
  /// Waits for this event.
  double milliseconds_since(const Event& start) const {
    require(cudaEventSynchronize(event_), "cudaEventSynchronize");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Milliseconds of one run, averaged over `runs` runs.
double sample(const Run& run, std::size_t runs) {
  Event start;
  Event end;
  start.record();
  for (std::size_t k = 0; k < runs; ++k) run();
  end.record();
  return end.milliseconds_since(start) / static_cast<double>(runs);
}

/// The times of `samples` samples, each measured by take().
template <class Take>
Times times_of(std::size_t samples, Take take) {
  std::vector<double> taken(std::max<std::size_t>(samples, 1));
  for (double& each : taken) each = take();
  std::sort(taken.begin(), taken.end());
  return {taken[taken.size() / 2], taken.front(), taken.back()};
}

}  // namespace

Times time_of(const Run& run, std::size_t repeats) {
  constexpr double least_sample = 0.2;
  constexpr double most_runs = 1000;
  sample(run, 1);  // the first run loads the code
  const double once = sample(run, 1);
  const double wanted = once > 0 ? std::ceil(least_sample / once) : 1;
  const auto runs = static_cast<std::size_t>(std::clamp(wanted, 1.0, most_runs));
  sample(run, runs);
  return times_of(repeats, [&] { return sample(run, runs); });
}

Times time_on_host(const Run& run, std::size_t repeats) {
  using Clock = std::chrono::steady_clock;
  run();
  return times_of(repeats, [&] {
    const auto start = Clock::now();
    run();
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  });
}

}  // namespace bankproof::cuda::bench
