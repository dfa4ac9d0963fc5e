// One run of each permuting kernel.
#include "../../../algorithms/permutation/conflicts.hpp"
#include "../../../algorithms/permutation/formulas.hpp"
#include "../../../cuda/kernels/permutation/affine_permutation.hpp"
#include "../../../cuda/kernels/permutation/permutation.hpp"
#include "permutations.hpp"
#include "scenarios.hpp"

namespace bankproof::cuda::tests {
namespace {

template <class T>
std::vector<T> tags(std::size_t n) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), T{1000});
  return values;
}

/// Whether permute(a, b) gives the oracle's result.
template <class T, class Permute>
bool permutation_is_right(const Permutation& permutation, Permute permute) {
  const std::vector<T> values = tags<T>(permutation.size());
  GuardedArray<T> a(values);
  GuardedArray<T> b(values.size());
  permute(a.in(), b.data());
  return b.values() == oracle_permuted(values, permutation);
}

/// A size with several warps, of which the last is partial, and several turns for each.
constexpr std::size_t scenario_size = 1003;
constexpr std::uint32_t threads = 96;

template <class T>
bool copies() {
  Permutation permutation = shuffled_permutation(scenario_size, 1);
  std::sort(permutation.begin(), permutation.end());
  return permutation_is_right<T>(
      permutation, [](std::span<const T> a, T* b) { copy_in_shared_memory<T>(a, b, {threads}); });
}
template <class T>
bool moves_by_destination_in_shared_memory() {
  const Permutation permutation = shuffled_permutation(scenario_size, 1);
  GuardedArray<std::uint32_t> p(permutation);
  return permutation_is_right<T>(permutation, [&](std::span<const T> a, T* b) {
    permute_destination_designated_in_shared_memory<T>(a, b, p.in(), {threads});
  });
}
template <class T>
bool moves_by_source_in_shared_memory() {
  const Permutation permutation = shuffled_permutation(scenario_size, 1);
  GuardedArray<std::uint32_t> q(inverse_of(std::span<const std::uint32_t>(permutation)));
  return permutation_is_right<T>(permutation, [&](std::span<const T> a, T* b) {
    permute_source_designated_in_shared_memory<T>(a, b, q.in(), {threads});
  });
}
template <class T>
bool moves_without_conflict() {
  const Permutation permutation = shuffled_permutation(scenario_size, 1);
  DevicePlan<std::int16_t> plan(
      plan_banks(std::span<const std::uint32_t>(permutation), plan_width<T>));
  return permutation_is_right<T>(permutation, [&](std::span<const T> a, T* b) {
    permute_conflict_free_in_shared_memory<T>(a, b, plan.tables(), {threads});
  });
}
template <class T>
bool moves_in_place() {
  Permutation permutation(1024);
  for (std::uint64_t i = 0; i < permutation.size(); ++i) {
    permutation[i] = static_cast<std::uint32_t>(formulas::BitReversal{1024}(i));
  }
  return permutation_is_right<T>(permutation, [](std::span<const T> a, T* b) {
    permute_in_place_in_shared_memory<T>(a, b, InPlacePermutation::bit_reversal,
                                         InPlaceVariant::conflict_free, {threads});
  });
}
template <class T>
bool moves_by_destination() {
  const Permutation permutation = shuffled_permutation(scenario_size, 1);
  GuardedArray<std::uint32_t> p(permutation);
  return permutation_is_right<T>(permutation, [&](std::span<const T> a, T* b) {
    permute_destination_designated<T>(a, b, p.in());
  });
}
template <class T>
bool moves_by_source() {
  const Permutation permutation = shuffled_permutation(scenario_size, 1);
  GuardedArray<std::uint32_t> q(inverse_of(std::span<const std::uint32_t>(permutation)));
  return permutation_is_right<T>(
      permutation, [&](std::span<const T> a, T* b) { permute_source_designated<T>(a, b, q.in()); });
}

/// Permutes by the schedule of a matrix that has spare room, in three launches of two kernels.
template <class T>
bool moves_by_a_schedule(MatrixShape shape) {
  const Permutation permutation = shuffled_permutation(shape.rows * shape.columns - 5, 1);
  DeviceSchedule<std::int16_t> schedule(schedule_for(permutation, shape, plan_width<T>));
  GuardedArray<std::byte> scratch(
      permute_scheduled_in_three_launches_scratch_bytes<T>(permutation.size(), schedule.tables()));
  return permutation_is_right<T>(permutation, [&](std::span<const T> a, T* b) {
    permute_scheduled_in_three_launches<T>(a, b, schedule.tables(), scratch.span());
  });
}

/// A bit-reversal of more than one tile.
template <class T>
bool moves_by_an_affine_map() {
  constexpr unsigned bits = 13;
  Permutation permutation(std::size_t{1} << bits);
  for (std::uint64_t i = 0; i < permutation.size(); ++i) {
    permutation[i] = static_cast<std::uint32_t>(formulas::BitReversal{permutation.size()}(i));
  }
  const auto map = affine_form(std::span<const std::uint32_t>(permutation)).map;
  return permutation_is_right<T>(
      permutation, [&](std::span<const T> a, T* b) { permute_affine<T>(a, b, *map); });
}

template <class T>
void add_scenarios_of_permutations(std::vector<Scenario>& scenarios, const std::string& type) {
  const auto add = [&](const char* kernel, std::function<bool()> run) {
    scenarios.push_back({kernel + ("." + type), std::move(run)});
  };
  add("permute_in_shared_memory.copy", copies<T>);
  add("permute_in_shared_memory.by_destination", moves_by_destination_in_shared_memory<T>);
  add("permute_in_shared_memory.by_source", moves_by_source_in_shared_memory<T>);
  add("permute_in_shared_memory.conflict_free", moves_without_conflict<T>);
  add("permute_in_shared_memory.in_place", moves_in_place<T>);
  add("permute_in_global_memory.by_destination", moves_by_destination<T>);
  add("permute_in_global_memory.by_source", moves_by_source<T>);
  add("permute_rows_and_columns", [] { return moves_by_a_schedule<T>({70, 70}); });
  add("permute_rows_and_columns.long", [] { return moves_by_a_schedule<T>({3, 1100}); });
  add("permute_affine_tiles", moves_by_an_affine_map<T>);
}

}  // namespace

std::vector<Scenario> scenarios_of_permutations() {
  std::vector<Scenario> scenarios;
  scenarios.reserve(20);
  add_scenarios_of_permutations<std::int32_t>(scenarios, "int32");
  add_scenarios_of_permutations<double>(scenarios, "double");
  return scenarios;
}

}  // namespace bankproof::cuda::tests
