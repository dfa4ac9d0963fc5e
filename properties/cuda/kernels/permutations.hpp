// Permutations for the differential tests: random permutations, the oracle's result of permuting,
// and plans on the device in the form that `bankproof schedule` writes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "../../../algorithms/permutation/schedule.hpp"
#include "../../../cuda/kernels/permutation/scheduled_permutation.hpp"
#include "../../../model/gpu/chips.hpp"
#include "../../../oracles/permutation.hpp"
#include "../../../testing/permutations.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {

using bankproof::testing::Permutation;

inline Permutation shuffled_permutation(std::size_t n, std::uint64_t seed) {
  Permutation permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0U);
  std::shuffle(permutation.begin(), permutation.end(), std::mt19937_64(seed));
  return permutation;
}

/// A random permutation, a reversal, or a shift.
inline Permutation any_permutation(std::size_t n) {
  Permutation permutation = shuffled_permutation(n, *rc::gen::arbitrary<std::uint64_t>());
  const int kind = *rc::gen::weightedElement<int>({{4, 0}, {1, 1}, {1, 2}});
  if (kind == 0) return permutation;
  std::sort(permutation.begin(), permutation.end());
  if (kind == 1) {
    std::reverse(permutation.begin(), permutation.end());
  } else {
    const auto shift = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, n + 1));
    std::rotate(permutation.begin(), permutation.begin() + shift, permutation.end());
  }
  return permutation;
}

/// The oracle's b[P(i)] = a[i].
template <class T>
std::vector<T> oracle_permuted(const std::vector<T>& a, const Permutation& permutation) {
  return oracle::permuted(a, {permutation.begin(), permutation.end()});
}

/// Converts indices to another type; an idle lane stays −1.
template <class To, class From>
std::vector<To> indices_as(const std::vector<From>& indices) {
  std::vector<To> result(indices.size());
  std::transform(indices.begin(), indices.end(), result.begin(), [](From index) {
    return index == idle<From> ? idle<To> : static_cast<To>(index);
  });
  return result;
}

/// S and D on the device, as signed integers.
template <class Index>
struct DevicePlan {
  GuardedArray<Index> s;
  GuardedArray<Index> d;

  template <class Plan>
  explicit DevicePlan(const Plan& plan)
      : s(indices_as<Index>(plan.s)), d(indices_as<Index>(plan.d)) {}
  PlanTables tables() { return {s.in(), d.in()}; }
};

/// The three passes of a schedule on the device.
template <class Index>
struct DeviceSchedule {
  MatrixShape shape;
  DevicePlan<Index> first;
  DevicePlan<Index> second;
  DevicePlan<Index> third;

  explicit DeviceSchedule(const Schedule<std::uint32_t>& schedule)
      : shape{schedule.rows, schedule.columns},
        first(schedule.passes[0]),
        second(schedule.passes[1]),
        third(schedule.passes[2]) {}
  ScheduleTables tables() {
    return {shape.rows, shape.columns, {first.tables(), second.tables(), third.tables()}};
  }
};

/// The width of plans for elements of T: the number of lanes that shared memory serves together.
template <class T>
inline constexpr Width plan_width = 128 / sizeof(T);

/// The rule that the reference machine applies to accesses of `bytes` bytes: that of the model or
/// that of a chip.
inline AccessRule rule_of_shared_memory(std::uint32_t bytes) {
  const char* const machine = std::getenv("BANKPROOF_MACHINE");
  return machine == nullptr ? dmm_rule(32, bytes) : shared_rule(machine, bytes);
}
inline AccessRule rule_of_global_memory(std::uint32_t bytes) {
  const char* const machine = std::getenv("BANKPROOF_MACHINE");
  return machine == nullptr ? umm_rule(32, bytes) : global_rule(machine, bytes);
}

/// The stages of consecutive warps that access these elements.
inline std::uint64_t stages_of_warps(const Permutation& elements, AccessRule rule) {
  std::uint64_t sum = 0;
  for (std::size_t first = 0; first < elements.size(); first += 32) {
    std::vector<Address> warp;
    for (std::size_t i = first; i < std::min(first + 32, elements.size()); ++i) {
      warp.push_back(elements[i]);
    }
    sum += stages_of(rule, warp);
  }
  return sum;
}

/// The stages of one access to n elements in order.
inline std::uint64_t stages_in_order(std::size_t n, const AccessRule& rule) {
  Permutation elements(n);
  std::iota(elements.begin(), elements.end(), 0U);
  return stages_of_warps(elements, rule);
}
template <class T>
std::uint64_t wavefronts_in_order(std::size_t n) {
  return stages_in_order(n, rule_of_shared_memory(sizeof(T)));
}
template <class T>
std::uint64_t lines_in_order(std::size_t n) {
  return stages_in_order(n, rule_of_global_memory(sizeof(T)));
}

inline Schedule<std::uint32_t> schedule_for(const Permutation& permutation, MatrixShape shape,
                                            Width width) {
  return schedule<std::uint32_t>(std::span<const std::uint32_t>(permutation), shape, width);
}

}  // namespace bankproof::cuda::tests
