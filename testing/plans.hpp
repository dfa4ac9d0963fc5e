// Checks of conflict-free plans for property suites: the verifier accepts the plan, and the plan
// moves an array on a DMM, where every access to the array takes one stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "../algorithms/permutation/permute.hpp"
#include "../algorithms/permutation/plan.hpp"
#include "../algorithms/permutation/verify.hpp"
#include "../oracles/permutation.hpp"
#include "permutations.hpp"

namespace bankproof::testing {

using Plan = BankPlan<std::uint32_t>;

inline Plan plan_of(const Permutation& permutation, Width width) {
  return plan_banks(std::span<const std::uint32_t>(permutation), width);
}

inline std::optional<PlanDefect> defect_of(const Permutation& permutation, const Plan& plan) {
  return verify_plan(std::span<const std::uint32_t>(permutation),
                     std::span<const std::uint32_t>(plan.s), std::span<const std::uint32_t>(plan.d),
                     plan.width);
}

/// The array b that the plan makes from a on a DMM. The program declares its accesses
/// conflict-free, so the machine reports an access of two stages as a fault.
inline std::vector<std::int64_t> moved_on_a_dmm(const Plan& plan,
                                                const std::vector<std::int64_t>& a) {
  Dmm machine({.width = plan.width, .latency = 2});
  Array<std::int64_t> from(machine.memory(), a, "a");
  Array<std::int64_t> to(machine.memory(), std::vector<std::int64_t>(a.size(), -1), "b");
  Array<Address> s(machine.memory(), addresses_of(plan.s), "s");
  Array<Address> d(machine.memory(), addresses_of(plan.d), "d");
  machine.launch({.threads = std::uint64_t{2} * plan.width}, permute_conflict_free<std::int64_t>,
                 from, to, s, d);
  return {to.values().begin(), to.values().end()};
}

/// A run on tags decides for all values, since the program moves values and never looks at them.
inline std::vector<std::int64_t> tags(std::size_t n) {
  std::vector<std::int64_t> a(n);
  std::iota(a.begin(), a.end(), 1000);
  return a;
}

inline bool moves_as(const Permutation& permutation, const Plan& plan) {
  const std::vector<std::int64_t> a = tags(permutation.size());
  return moved_on_a_dmm(plan, a) == oracle::permuted(a, {permutation.begin(), permutation.end()});
}

}  // namespace bankproof::testing
