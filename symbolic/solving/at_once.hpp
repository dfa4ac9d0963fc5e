// Independent work on all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace bankproof::symbolic {

/// The results of work(0) to work(count - 1), of which as many run at once as the machine has
/// processors. Throws what one of them throws, when all threads have ended.
template <class Work>
auto at_once(std::size_t count, const Work& work) {
  std::vector<decltype(work(std::size_t{}))> results(count);
  std::atomic<std::size_t> next = 0;
  const auto work_on = [&] {
    for (std::size_t k = next++; k < count; k = next++) results[k] = work(k);
  };
  const std::size_t processors = std::max(std::thread::hardware_concurrency(), 1U);
  std::vector<std::future<void>> others;
  for (std::size_t k = 1; k < std::min(count, processors); ++k) {
    others.push_back(std::async(std::launch::async, work_on));
  }
  work_on();
  for (std::future<void>& one : others) one.get();
  return results;
}

}  // namespace bankproof::symbolic
