// Measures how fast conflict-free plans are made and verified, as multiples of the time of a plain
// copy (read P, write two arrays of n indices). The work and the copy are timed alternately within
// one run. The width is 32, the buffers are already in memory, and each iteration has a new
// permutation.
//
// Columns: `x_copy` is this multiple, the median over the iterations; `copy_ns` and `ns` are per
// element; `memory` is the output plus the peak allocation during the work, as a multiple of the
// output. Times of one thread are processor time; times of two threads are wall-clock time.
#include "../algorithms/permutation/plan.hpp"

#include <benchmark/benchmark.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../algorithms/permutation/named.hpp"
#include "../algorithms/permutation/schedule.hpp"
#include "../algorithms/permutation/verify.hpp"
#include "memory.hpp"
#include "timing.hpp"

namespace {

using namespace bankproof;
constexpr Width width = 32;

/// P, S and D, as spans of memory that earlier accesses have mapped.
template <class Index>
struct Problem {
  std::span<const Index> p;
  std::span<Index> s;
  std::span<Index> d;
};

template <class Index>
using Work = std::function<void(const Problem<Index>&)>;

void plan(const Problem<std::uint32_t>& problem) {
  plan_banks(problem.p, width, problem.s, problem.d);
}

void verify(const Problem<std::uint32_t>& problem) {
  const std::span<const std::uint32_t> s(problem.s);
  const std::span<const std::uint32_t> d(problem.d);
  if (verify_plan(problem.p, s, d, width)) std::abort();
}

/// The medians of the times of `work` and of the copy. Before each iteration, `fresh` makes P, and
/// `prepare` makes the other inputs.
template <class Index>
void against_copy(benchmark::State& state, std::size_t n, int threads,
                  const std::function<void(std::vector<Index>&)>& fresh, const Work<Index>& prepare,
                  const Work<Index>& work) {
  std::vector<Index> p(n);
  std::vector<Index> s(n);
  std::vector<Index> d(n);
  std::vector<double> ratios;
  std::vector<double> copies;
  std::vector<double> works;
  std::size_t peak = 0;
  tbb::task_arena arena(threads);
  const Problem<Index> problem{p, s, d};
  for (auto _ : state) {
    fresh(p);
    const auto copy = [&] {
      for (std::size_t i = 0; i < n; ++i) s[i] = d[i] = p[i];
      benchmark::DoNotOptimize(s.data());
      benchmark::DoNotOptimize(d.data());
      benchmark::ClobberMemory();
    };
    const auto act = [&] { arena.execute([&] { work(problem); }); };
    double work_seconds = 0;
    const double copy_seconds = threads == 1 ? seconds_of(copy) : wall_seconds_of(copy);
    if (prepare) prepare(problem);
    peak = std::max(peak, peak_bytes_of([&] {
                      work_seconds = threads == 1 ? seconds_of(act) : wall_seconds_of(act);
                    }));
    state.SetIterationTime(work_seconds);
    ratios.push_back(work_seconds / copy_seconds);
    copies.push_back(1e9 * copy_seconds / static_cast<double>(n));
    works.push_back(1e9 * work_seconds / static_cast<double>(n));
  }
  state.counters["x_copy"] = median(ratios);
  state.counters["copy_ns"] = median(copies);
  state.counters["ns"] = median(works);
  const auto output = static_cast<double>(2 * n * sizeof(Index));
  state.counters["memory"] = 1 + static_cast<double>(peak) / output;
}

/// A named permutation; "random" gives another permutation each time.
std::function<void(std::vector<std::uint32_t>&)> fresh(const std::string& name, std::size_t n) {
  return [name, n, seed = std::uint64_t{0}](std::vector<std::uint32_t>& p) mutable {
    const std::string random = "random:" + std::to_string(n) + ",seed=" + std::to_string(++seed);
    const auto values = parse_named(name == "random" ? random : name).generate<std::uint32_t>();
    std::copy(values.begin(), values.end(), p.begin());
  };
}

void add(const std::string& title, const std::function<void(benchmark::State&)>& run) {
  benchmark::RegisterBenchmark(title.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond);
}

/// 4 Mi elements in separate rows, each a random permutation of 16-bit numbers.
void rows_in_a_batch(benchmark::State& state, std::size_t length) {
  const std::size_t rows = (std::size_t{1} << 22) / length;
  std::uint64_t seed = 0;
  const auto make = [&](std::vector<std::uint16_t>& p) {
    for (std::size_t row = 0; row < rows; ++row) {
      const auto values =
          parse_named("random:" + std::to_string(length) + ",seed=" + std::to_string(++seed))
              .generate<std::uint16_t>();
      std::copy(values.begin(), values.end(),
                p.begin() + static_cast<std::ptrdiff_t>(row * length));
    }
  };
  against_copy<std::uint16_t>(state, rows * length, 1, make, nullptr,
                              [&](const Problem<std::uint16_t>& problem) {
                                BankPlanner<std::uint16_t> planner(length, width);
                                for (std::size_t row = 0; row < rows; ++row) {
                                  planner.plan(problem.p.subspan(row * length, length),
                                               problem.s.subspan(row * length, length),
                                               problem.d.subspan(row * length, length));
                                }
                              });
}

/// A whole schedule of a random permutation; the output is the arrays of its three passes.
void whole_schedule(benchmark::State& state, std::uint32_t m) {
  const std::size_t n = std::size_t{m} * m;
  std::vector<std::uint32_t> p(n);
  const auto make = fresh("random", n);
  std::vector<double> times;
  std::size_t peak = 0;
  tbb::task_arena arena(1);
  for (auto _ : state) {
    make(p);
    double seconds = 0;
    peak = std::max(peak, peak_bytes_of([&] {
                      seconds = seconds_of([&] {
                        arena.execute([&] {
                          benchmark::DoNotOptimize(schedule<std::uint16_t>(
                              std::span<const std::uint32_t>(p), {m, m}, width));
                        });
                      });
                    }));
    state.SetIterationTime(seconds);
    times.push_back(1e9 * seconds / static_cast<double>(n));
  }
  state.counters["ns"] = median(times);
  const auto output = static_cast<double>(6 * n * sizeof(std::uint16_t));
  state.counters["memory"] = static_cast<double>(peak) / output;
}

const bool registered = [] {
  struct Case {
    std::string name;
    std::size_t n;
  };
  const std::vector<Case> cases = {{"random", 1 << 22},
                                   {"transpose:2048x2048", 1 << 22},
                                   {"bit-reversal:4194304", 1 << 22},
                                   {"random", 1 << 20}};
  for (const auto& [name, n] : cases) {
    const std::string what = name == "random" ? name + ":" + std::to_string(n) : name;
    for (const int threads : {1, 2}) {
      add("plan/" + what + "/threads:" + std::to_string(threads),
          [name = name, n = n, threads](benchmark::State& state) {
            against_copy<std::uint32_t>(state, n, threads, fresh(name, n), nullptr, plan);
          });
    }
    add("verify/" + what, [name = name, n = n](benchmark::State& state) {
      against_copy<std::uint32_t>(state, n, 1, fresh(name, n), plan, verify);
    });
  }
  for (const std::size_t length : {1024U, 2048U}) {
    add("rows/" + std::to_string(length),
        [length](benchmark::State& state) { rows_in_a_batch(state, length); });
  }
  for (const std::uint32_t m : {1024U, 2048U}) {
    add("schedule/" + std::to_string(m),
        [m](benchmark::State& state) { whole_schedule(state, m); });
  }
  return true;
}();

}  // namespace
