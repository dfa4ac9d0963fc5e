// Permuting an array offline, b[P(i)] ← a[i], as an algorithm under the contract of algorithm.hpp.
// Its variants are the programs of permute.hpp, on one memory and on the global memory of an HMM,
// and the scheduled permutation of scheduled.hpp. P is the task's own, `task.permutation`; n is its
// length.
//
// Index arrays, plans and schedules exist when the machine starts: the time to make them is not
// counted (THS 4.1). A scheduled permutation extends a to the matrix of its schedule, with elements
// that stay where they are.
//
// Example: P = (1, 2, 0) takes (x, y, z) to (z, x, y).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../../oracles/permutation.hpp"
#include "../algorithm.hpp"
#include "conflicts.hpp"
#include "permute.hpp"
#include "schedule.hpp"
#include "scheduled.hpp"

namespace bankproof {

struct OfflinePermutation {
  static constexpr std::string_view name = "permutation";
  static constexpr std::string_view does = "b[P(i)] = a[i]";
  static constexpr Algebra algebra = Algebra::monoid;
  static constexpr std::array size_keys = {SizeKey{"n", "elements", 4096, 1, 400}};

  static constexpr std::array any_memory = {MachineKind::dmm, MachineKind::umm, MachineKind::hmm,
                                            MachineKind::asynchronous_hmm};
  static constexpr std::array banks = {MachineKind::dmm};
  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array variants = {
      Variant{"D-designated", "THS 4.1, 5.2", "b[p[i]] = a[i]", any_memory},
      Variant{"S-designated", "THS 4.1, 5.2", "b[i] = a[q[i]], where q is the inverse of p",
              any_memory},
      Variant{"conflict-free", "THS 4.1", "b[d[j]] = a[s[j]] by a plan", banks},
      Variant{"scheduled", "THS 5.5", "by rows, by columns, by rows", hierarchical}};

  /// A random permutation, for random tasks.
  static void complete(Task& task, std::uint64_t seed) {
    task.permutation.resize(task.sizes["n"]);
    for (std::uint32_t i = 0; i < task.permutation.size(); ++i) task.permutation[i] = i;
    std::mt19937_64 random(seed);
    std::ranges::shuffle(task.permutation, random);
  }

  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;

    return {{"a", sizes["n"]}};
  }
  static Shape output(const Task& task) { return {"b", task.sizes["n"]}; }

  /// The programs promise coalesced accesses; blocks that end inside a warp would break the
  /// promise.
  static std::string refusal(const Task& task) {
    const MachineParameters& machine = task.machine;
    if (machine.p % machine.w != 0) {
      return "takes whole warps: p=" + std::to_string(machine.p) +
             " is not a multiple of w=" + std::to_string(machine.w);
    }
    if (task.variant != "scheduled") return {};
    const Transposing matrix = matrix_of(task);
    const std::uint64_t words =
        std::max(2 * std::max(matrix.rows, matrix.columns), machine.w * machine.w);
    if (words <= machine.capacity) return {};
    return "two rows of the schedule, or a tile, take " + std::to_string(words) +
           " words, and a shared memory has " + std::to_string(machine.capacity);
  }

  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    return oracle::permuted(
        inputs[0], std::vector<std::int64_t>(task.permutation.begin(), task.permutation.end()));
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const std::span<const std::uint32_t> permutation(task.permutation);
    const Launch launch{.blocks = is_hierarchical(task.machine.machine) ? task.machine.d : 1,
                        .threads = task.machine.p,
                        .name = std::string(name)};
    Memory& memory = main_memory(machine);
    if (task.variant == "scheduled") {
      if constexpr (!Hierarchical<Machine>) {
        throw unsuitable("a scheduled permutation runs on an HMM");
      } else {
        return run_scheduled<T>(task, machine, inputs[0]);
      }
    }
    Array<T> a(memory, inputs[0], "a");
    Array<T> b(memory, a.size(), "b");
    Time time = 0;
    if (task.variant == "D-designated") {
      Array<Address> p(memory, addresses_of(permutation), "p");
      time = machine.launch(launch, permute_destination_designated<T>, a, b, p);
    } else if (task.variant == "S-designated") {
      Array<Address> q(memory, addresses_of(inverse_of(permutation)), "q");
      time = machine.launch(launch, permute_source_designated<T>, a, b, q);
    } else {
      const auto plan = plan_banks(permutation, static_cast<Width>(task.machine.w));
      Array<Address> s(memory, addresses_of(plan.s), "s");
      Array<Address> d(memory, addresses_of(plan.d), "d");
      time = machine.launch(launch, permute_conflict_free<T>, a, b, s, d);
    }
    return {{b.values().begin(), b.values().end()}, time};
  }

  static Cost<std::uint64_t> cost(const Task& task) {
    const MachineParameters& machine = task.machine;
    const std::uint64_t n = task.permutation.size();
    if (task.variant == "scheduled") return permute_scheduled_cost(machine, matrix_of(task));
    const Permuting size{n, machine.threads(), machine.w, machine.latency()};
    return Cost<std::uint64_t>::on_one_memory(
        task.variant == "conflict-free" ? size.rounds_of_plan() : size.rounds(3, stages(task)));
  }

  /// The bounds of THS 4.1, lemma 5.2.3 and section 5.5.
  static std::optional<Bound> upper(const Task& task) {
    const MachineParameters& machine = task.machine;
    if (task.variant == "scheduled") return permute_scheduled_upper(machine, matrix_of(task));
    const Permuting size{task.permutation.size(), machine.threads(), machine.w, machine.latency()};
    return task.variant == "conflict-free" ? size.upper_of_plan()
                                           : size.upper_of_designated(stages(task));
  }

  /// All elements are read, w in a time unit; then the last element is written (THS 5.5).
  static std::vector<Bound> lower(const Task& task) {
    const MachineParameters& machine = task.machine;
    return {{1, {{"n/w", task.permutation.size(), machine.w}, {"latency", machine.latency()}}}};
  }

 private:
  static Transposing matrix_of(const Task& task) {
    const auto width = static_cast<Width>(task.machine.w);
    const MatrixShape shape = shape_for(task.permutation.size(), width);
    return {shape.rows, shape.columns, width};
  }

  /// The stages of the access that the permutation makes casual: D_w(P) on a memory with groups,
  /// B_w(P) on a memory with banks.
  static std::uint64_t stages(const Task& task) {
    const auto width = static_cast<Width>(task.machine.w);
    const AccessRule rule = task.machine.memory() == MemoryKind::banks
                                ? AccessRule(dmm_rule(width))
                                : AccessRule(umm_rule(width));
    return analyze(std::span<const std::uint32_t>(task.permutation),
                   task.variant == "D-designated" ? Designation::destination : Designation::source,
                   rule)
        .stages;
  }

  template <class T, class Machine>
  static Outcome<T> run_scheduled(const Task& task, Machine& machine, std::vector<T> values) {
    const std::uint64_t n = values.size();
    const Transposing matrix = matrix_of(task);
    const auto schedule =
        bankproof::schedule<std::uint32_t>(std::span<const std::uint32_t>(task.permutation),
                                           {matrix.rows, matrix.columns}, machine.width());
    const auto arrays = [&](const RowPlans<std::uint32_t>& pass) {
      return RowPlanArrays(machine.global(), std::span(pass.s), std::span(pass.d));
    };
    std::array<RowPlanArrays, 3> passes = {arrays(schedule.passes[0]), arrays(schedule.passes[1]),
                                           arrays(schedule.passes[2])};
    values.resize(matrix.rows * matrix.columns);
    Array<T> a(machine.global(), values, "a");
    Array<T> b(machine.global(), values.size(), "b");
    Array<T> other(machine.global(), values.size(), "other");
    const Time time = permute_scheduled(machine, a, b, other, passes, matrix, task.machine.p);
    const auto first = b.values().begin();
    return {{first, first + static_cast<std::ptrdiff_t>(n)}, time};
  }
};

}  // namespace bankproof
