// Families of permutations and transposes whose times come near to their upper bounds
// (families.hpp).
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "../../../algorithms/permutation/offline.hpp"
#include "../../../algorithms/transpose.hpp"

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

/// Sets the permutation of a task that runs: n elements stay in place.
template <class N>
void stay(TaskOf<N>& task, const N& n) {
  if constexpr (std::integral<N>) {
    task.permutation.resize(n);
    std::iota(task.permutation.begin(), task.permutation.end(), 0U);
  }
}

/// A permutation in which 32k elements stay in place, with one warp in each of k turns.
template <class N>
TaskOf<N> of_elements(std::string_view variant, const N& k) {
  TaskOf<N> task{variant, {}, {.machine = MachineKind::dmm, .w = N(32), .l = N(1000)}};
  task.sizes.add("n", N(32) * k);
  task.sizes.add("stages", k);
  stay(task, N(32) * k);
  return task;
}

struct PermutationByPlan {
  using Algorithm = Permutes<true>;
  static constexpr std::string_view id = "R3.tight";
  static constexpr std::string_view source = "THS 4.1";
  static constexpr std::string_view what = "the conflict-free permutation takes";
  static constexpr std::string_view terms = "(⌈n/w⌉ + nl/p + l)";
  static constexpr std::string_view domain = "all n = 32k, k ≥ 200, p = w = 32, l = 1,000";
  static constexpr std::uint64_t factor = 4;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t largest = 2000;
  static constexpr std::uint64_t thousandths = 3994;
  template <class N>
  static TaskOf<N> task(const N& k) {
    return of_elements("conflict-free", k);
  }
};

struct PermutationByDestination {
  using Algorithm = Permutes<false>;
  static constexpr std::string_view id = "H2.tight";
  static constexpr std::string_view source = "THS lemma 5.2.3";
  static constexpr std::string_view what =
      "the permutation by destination, with S stages of its casual access, takes";
  static constexpr std::string_view terms = "(S + nl/p + l)";
  static constexpr std::string_view domain =
      "all n = 32k, k ≥ 200, p = w = 32, l = 1,000, S = n/w on the DMM";
  static constexpr std::uint64_t factor = 3;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t largest = 2000;
  static constexpr std::uint64_t thousandths = 2995;
  template <class N>
  static TaskOf<N> task(const N& k) {
    return of_elements("D-designated", k);
  }
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

/// Numbered by w: there is one warp of threads less than a row needs, and fewer threads than a tile
/// needs. So a row and a tile take two turns each.
struct PermutationBySchedule {
  using Algorithm = PermutesBySchedule;
  static constexpr std::string_view id = "H6.tight";
  static constexpr std::string_view source = "THS 5.5";
  static constexpr std::string_view what = "the scheduled permutation takes";
  static constexpr std::string_view terms = "(n/w + n/(dw) + nL/(dp) + nl/(dp) + L + l)";
  static constexpr std::string_view domain =
      "all w ≥ 150, R = C = w², p = w² − w, d = 1, l = 1,000w, L = 1";
  static constexpr std::uint64_t factor = 32;
  static constexpr std::uint64_t least = 150;
  static constexpr std::uint64_t largest = 24;
  static constexpr bool least_takes_long = true;
  static constexpr std::uint64_t thousandths = 30585;
  template <class N>
  static TaskOf<N> task(const N& w) {
    const N side = w * w;
    TaskOf<N> task{
        "scheduled",
        {},
        {.w = w, .l = N(1000) * w, .L = N(1), .d = N(1), .p = side - w, .capacity = N(2) * side}};
    task.sizes.add("n", side * side);
    task.sizes.add("side", side);
    stay(task, side * side);
    return task;
  }
};

template <class N>
TaskOf<N> of_matrix(std::string_view variant, const MachineParametersOf<N>& letters,
                    const N& side) {
  TaskOf<N> task{variant, {}, letters};
  task.sizes.add("rows", side);
  task.sizes.add("columns", side);
  return task;
}

/// Shared parts of the families of transposes; sizes differ.
struct TransposesOfTiles {
  using Algorithm = Transpose;
  static constexpr std::string_view source = "THS 5.3";
  static constexpr std::string_view what = "the transpose in diagonal arrangement takes";
  static constexpr std::string_view terms = "(n/w + n/(dw) + nL/(dp) + nl/(dp))";
};

/// The tasks have one tile each, which one turn reads and writes; their number is L.
struct TransposeOfWholeTiles : TransposesOfTiles {
  static constexpr std::string_view id = "H3.tight.full";
  static constexpr std::string_view domain = "all L, n = p = w², w = 32, d = 1, l = 200";
  static constexpr std::uint64_t factor = 2;
  static constexpr std::uint64_t least = 1;
  static constexpr std::uint64_t largest = 1U << 20U;
  static constexpr std::uint64_t thousandths = 1999;
  template <class N>
  static TaskOf<N> task(const N& L) {
    const N words(32 * 32);
    return of_matrix("diagonal",
                     {.w = N(32), .l = N(200), .L = L, .d = N(1), .p = words, .capacity = words},
                     N(32));
  }
};

/// Numbered by w: four tiles for little more than w² words, in two waves on three DMMs. A turn of
/// 2w − 1 threads has one row. In shared memory all rows of a tile are turns.
struct TransposeJustAboveATile : TransposesOfTiles {
  static constexpr std::string_view id = "H3.tight";
  static constexpr std::string_view domain =
      "all w ≥ 300, n = (w + 1)², p = 2w − 1, d = 3, l = 10,000, L = 1";
  static constexpr std::uint64_t factor = 24;
  static constexpr std::uint64_t least = 300;
  static constexpr std::uint64_t largest = widest_warp;
  static constexpr std::uint64_t thousandths = 23068;
  template <class N>
  static TaskOf<N> task(const N& w) {
    return of_matrix(
        "diagonal",
        {.w = w, .l = N(10000), .L = N(1), .d = N(3), .p = N(2) * w - N(1), .capacity = w * w},
        w + N(1));
  }
};

}  // namespace bankproof::proofs
