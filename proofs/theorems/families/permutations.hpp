// Families of permutations and transposes whose times come near to their upper bounds
// (families.hpp).
#pragma once

#include <cmath>
#include <concepts>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "../../../algorithms/permutation/offline.hpp"
#include "../../../algorithms/transpose.hpp"
#include "table.hpp"

namespace bankproof::proofs {

/// Shared parts of the runs of permutations.
struct PermutesOffline {
  static std::vector<Shape> inputs(const Task& task) { return OfflinePermutation::inputs(task); }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    return OfflinePermutation::run<T>(task, machine, inputs);
  }
};

/// Permutations by a plan or by destination. The casual access takes `stages` stages.
template <bool by_plan>
struct Permutes : PermutesOffline {
  template <class N>
  static PermutingOf<N> size_of(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    return {task.sizes["n"], m.p, m.w, m.l};
  }
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const PermutingOf<N> size = size_of(task);
    return {.global = by_plan ? size.rounds_of_plan() : size.rounds(N(3), task.sizes["stages"])};
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const PermutingOf<N> size = size_of(task);
    return by_plan ? size.upper_of_plan() : size.upper_of_designated(task.sizes["stages"]);
  }
};

/// Gives a task the permutation that leaves all n elements in place.
template <class N>
void stay(TaskOf<N>& task, const N& n) {
  if constexpr (std::integral<N>) {
    task.permutation.resize(n);
    std::iota(task.permutation.begin(), task.permutation.end(), 0U);
  }
}

/// A task that permutes 32k elements and leaves them in place, in k turns of one warp each.
template <class N>
TaskOf<N> of_elements(std::string_view variant, const N& k) {
  TaskOf<N> task = MemberTask<N>{
      variant, {.machine = MachineKind::dmm, .w = 32, .l = 1000}, {{"n", 32 * k}, {"stages", k}}};
  stay(task, task.sizes["n"]);
  return task;
}

struct PermutationByPlan : Family<Permutes<true>, "R3.tight"> {
  static auto task(const auto& k) { return of_elements("conflict-free", k); }
};

struct PermutationByDestination : Family<Permutes<false>, "H2.tight"> {
  static auto task(const auto& k) { return of_elements("D-designated", k); }
};

/// Scheduled permutations of square matrices.
struct PermutesBySchedule : PermutesOffline {
  template <class N>
  static TransposingOf<N> matrix_of(const TaskOf<N>& task) {
    const N& side = task.sizes["side"];
    return {side, side, task.machine.w};
  }
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    return permute_scheduled_cost(task.machine, matrix_of(task));
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return permute_scheduled_upper(task.machine, matrix_of(task));
  }
};

/// Members are numbered by w. There are w² − w threads. A row and a tile have w² elements each, so
/// each of them takes two turns.
struct PermutationBySchedule : Family<PermutesBySchedule, "H6.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    const N side = w * w;
    TaskOf<N> task =
        MemberTask<N>{"scheduled",
                      {.w = w, .l = 1000 * w, .L = 1, .d = 1, .p = side - w, .capacity = 2 * side},
                      {{"n", side * side}, {"side", side}}};
    stay(task, task.sizes["n"]);
    return task;
  }
};

template <class N>
TaskOf<N> of_matrix(std::string_view variant, const MachineParametersOf<N>& letters,
                    const N& side) {
  return MemberTask{variant, letters, {{"rows", side}, {"columns", side}}};
}

/// Members are numbered by L. A member has a single tile, which one turn reads and writes.
struct TransposeOfWholeTiles : Family<Transpose, "H3.tight.full"> {
  template <class N>
  static TaskOf<N> task(const N& L) {
    const N words(32 * 32);
    return of_matrix<N>("diagonal",
                        {.w = 32, .l = 200, .L = L, .d = 1, .p = words, .capacity = words}, 32);
  }
};

/// Members are numbered by w: four tiles for little more than w² words, in two waves on three DMMs.
/// A turn of 2w − 1 threads has one row. In shared memory, each row of a tile takes one turn.
struct TransposeJustAboveATile : Family<Transpose, "H3.tight"> {
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_matrix<N>(
        "diagonal", {.w = w, .l = 10000, .L = 1, .d = 3, .p = 2 * w - 1, .capacity = w * w}, w + 1);
  }
};

}  // namespace bankproof::proofs
