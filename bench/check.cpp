// Measures how fast `check` is on elements in memory: validation and both accesses of a random
// permutation of 2²⁴ elements, as multiples of a memcpy of the same array. `check` and the memcpy
// are timed alternately within one run.
//
// Targets for width 32, dmm: validation + destination ≤ 8, validation + both ≤ 20; peak memory
// below 3 times the input. Columns: `x_memcpy` is this multiple, the median over the iterations;
// `memcpy_ms` is the time of the memcpy; `memory` is the input plus the peak allocation during the
// check, as a multiple of the input.
//
// `plain` does not use the fast passes; `fast` shows what they gain.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "../algorithms/permutation/conflicts.hpp"
#include "../algorithms/permutation/validate.hpp"
#include "memory.hpp"
#include "timing.hpp"

namespace {

using namespace bankproof;

constexpr std::size_t elements = std::size_t{1} << 24;

template <class Index>
const std::vector<Index>& random_permutation() {
  static const std::vector<Index> permutation = [] {
    std::vector<Index> values(elements);
    std::iota(values.begin(), values.end(), Index{0});
    std::shuffle(values.begin(), values.end(), std::mt19937_64(20240229));
    return values;
  }();
  return permutation;
}

/// Times `work` and a memcpy of `input` alternately.
template <class Index>
void against_memcpy(benchmark::State& state, const std::vector<Index>& input, const auto& work) {
  std::vector<double> ratios;
  std::vector<double> copies;
  std::size_t peak = 0;
  std::vector<Index> copy(input);
  for (auto _ : state) {
    const double copy_seconds = seconds_of([&] {
      std::memcpy(copy.data(), input.data(), input.size() * sizeof(Index));
      benchmark::DoNotOptimize(copy.data());
      benchmark::ClobberMemory();
    });
    double work_seconds = 0;
    peak = std::max(peak, peak_bytes_of([&] { work_seconds = seconds_of(work); }));
    state.SetIterationTime(work_seconds);
    ratios.push_back(work_seconds / copy_seconds);
    copies.push_back(copy_seconds);
  }
  state.counters["x_memcpy"] = median(ratios);
  state.counters["memcpy_ms"] = 1000 * median(copies);
  state.counters["memory"] =
      1 + static_cast<double>(peak) / static_cast<double>(input.size() * sizeof(Index));
}

template <class Index>
void validate(std::span<const Index> permutation) {
  if (validate_permutation(permutation)) std::abort();
}

template <class Index>
void validation(benchmark::State& state) {
  const std::span<const Index> permutation = random_permutation<Index>();
  against_memcpy(state, random_permutation<Index>(), [&] { validate(permutation); });
}

enum class Pass : std::uint8_t { fast, plain };

/// Times one access.
template <class Index>
void access(benchmark::State& state, const AccessRule& rule, Designation designation, Pass pass) {
  const std::span<const Index> permutation = random_permutation<Index>();
  against_memcpy(state, random_permutation<Index>(), [&] {
    benchmark::DoNotOptimize(pass == Pass::fast ? analyze(permutation, designation, rule)
                                                : analyze_plainly(permutation, designation, rule));
  });
}

/// Times the work of `check --access destination` and of `check` after the elements have been read.
template <class Index>
void check(benchmark::State& state, const AccessRule& rule, bool both) {
  const std::span<const Index> permutation = random_permutation<Index>();
  against_memcpy(state, random_permutation<Index>(), [&] {
    validate(permutation);
    benchmark::DoNotOptimize(analyze(permutation, Designation::destination, rule));
    if (both) benchmark::DoNotOptimize(analyze(permutation, Designation::source, rule));
  });
}

void add(const std::string& name, const auto& run) {
  benchmark::RegisterBenchmark(name.c_str(), run)->UseManualTime()->Unit(benchmark::kMillisecond);
}

void add_rule(const std::string& name, const AccessRule& rule) {
  for (const Pass pass : {Pass::fast, Pass::plain}) {
    for (const Designation designation : {Designation::destination, Designation::source}) {
      add(name + (designation == Designation::destination ? "/destination" : "/source") +
              (pass == Pass::fast ? "/fast" : "/plain"),
          [=](benchmark::State& state) { access<std::uint32_t>(state, rule, designation, pass); });
    }
  }
  add(name + "/check_destination",
      [=](benchmark::State& state) { check<std::uint32_t>(state, rule, false); });
  add(name + "/check_both",
      [=](benchmark::State& state) { check<std::uint32_t>(state, rule, true); });
}

[[maybe_unused]] const bool registered = [] {
  add("validation", validation<std::uint32_t>);
  add_rule("dmm:w=32", dmm_rule(32));
  add_rule("dmm:w=33", dmm_rule(33));
  add_rule("umm:w=32", umm_rule(32));
  add_rule("umm:w=33", umm_rule(33));
  add_rule("sm_90_shared_16_bytes", *shared_rule(*find_chip("sm_90"), 16));
  add("dmm:w=32/check_both/64_bit_indices",
      [](benchmark::State& state) { check<std::uint64_t>(state, dmm_rule(32), true); });
  return true;
}();

}  // namespace
