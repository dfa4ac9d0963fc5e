// How fast conflict-free plans are made and verified, as multiples of a plain copy (read P, write
// two arrays of n indices), taken in turn within one run; width 32, 32-bit indices, buffers that
// are in memory already, one core. Random permutations are fresh in each iteration.
//
// Columns: `x_copy`, the median over the iterations; `copy_ns` and `ns`, an element.
#include "../algorithms/permutation/plan.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "../algorithms/permutation/named.hpp"
#include "../algorithms/permutation/verify.hpp"
#include "timing.hpp"

namespace {

using namespace bankproof;
using Index = std::uint32_t;
constexpr Width width = 32;

enum class Work : std::uint8_t { plan, verify };

/// `name` is a specification; "random" draws another permutation each time.
void against_copy(benchmark::State& state, const std::string& name, std::size_t n, Work work) {
  std::vector<Index> s(n);
  std::vector<Index> d(n);
  std::vector<double> ratios;
  std::vector<double> copies;
  std::vector<double> works;
  std::uint64_t seed = 0;
  std::vector<Index> permutation;
  for (auto _ : state) {
    if (permutation.empty() || name == "random") {
      const std::string random = "random:" + std::to_string(n) + ",seed=" + std::to_string(++seed);
      permutation = parse_named(name == "random" ? random : name).generate<Index>();
    }
    const std::span<const Index> p(permutation);
    const double copy_seconds = seconds_of([&] {
      for (std::size_t i = 0; i < n; ++i) s[i] = d[i] = p[i];
      benchmark::DoNotOptimize(s.data());
      benchmark::DoNotOptimize(d.data());
      benchmark::ClobberMemory();
    });
    const auto make_plan = [&] { plan_banks(p, width, std::span<Index>(s), std::span<Index>(d)); };
    if (work == Work::verify) make_plan();
    const double work_seconds = seconds_of([&] {
      if (work == Work::plan) {
        make_plan();
      } else if (verify_plan(p, std::span<const Index>(s), std::span<const Index>(d), width)) {
        std::abort();
      }
    });
    state.SetIterationTime(work_seconds);
    ratios.push_back(work_seconds / copy_seconds);
    copies.push_back(1e9 * copy_seconds / static_cast<double>(n));
    works.push_back(1e9 * work_seconds / static_cast<double>(n));
  }
  state.counters["x_copy"] = median(ratios);
  state.counters["copy_ns"] = median(copies);
  state.counters["ns"] = median(works);
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
    for (const Work work : {Work::plan, Work::verify}) {
      const std::string title = (work == Work::plan ? "plan/" : "verify/") + name + "/";
      benchmark::RegisterBenchmark((title + std::to_string(n)).c_str(),
                                   [name = name, n = n, work](benchmark::State& state) {
                                     against_copy(state, name, n, work);
                                   })
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
  return true;
}();

}  // namespace
