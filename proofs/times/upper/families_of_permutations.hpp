// Families of copies, permutations, transposes and summed area tables that take nearly as long as
// they may (families.hpp).
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "../../../algorithms/copy.hpp"
#include "../../../algorithms/permutation/offline.hpp"
#include "../../../algorithms/summed_area_table.hpp"
#include "../../../algorithms/summed_area_table/accesses.hpp"
#include "../../../algorithms/transpose.hpp"

namespace bankproof::proofs {

/// Copies as algorithms are (C5): of n words in one piece, to the shared memories.
struct Copies {
  template <class N>
  static CopyOf<N> copy_of(const TaskOf<N>& task) {
    const LettersOf<N>& m = task.machine;
    return {task.sizes["n"], m.d, m.p, m.w, m.l, m.L};
  }
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const CopyOf<N> copy = copy_of(task);
    const N rounds = copy.levels();
    return {
        .global = {sum_over(rounds, [&](const N& k) { return copy.global_stages(k); }), rounds},
        .shared = {sum_over(rounds, [&](const N& k) { return copy.shared_stages(k); }), rounds}};
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const auto [n, d, p, w, l, L] = copy_of(task);
    return BoundOf<N>{
        N(1),
        {{"n/w", n, w}, {"n/(dw)", n, d * w}, {"n(l+L)/(dp)", n * (l + L), d * p}, {"l+L", l + L}}};
  }
  static std::vector<Shape> inputs(const Task& task) { return {{"a", task.sizes["n"]}}; }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    if constexpr (Hierarchical<Machine>) {
      const std::uint64_t n = task.sizes["n"];
      const auto [d, p, w] = std::tuple(task.machine.d, task.machine.p, task.machine.w);
      Array<T> a(machine.global(), inputs[0], "a");
      const Concatenation words({{0, n}});
      std::deque<Array<T>> shared;
      for (std::uint64_t i = 0; i < d; ++i) {
        shared.emplace_back(machine.shared(i), std::max(Share::size(n, d, w), w), "share");
      }
      const Launch launch{.blocks = d, .threads = p, .name = "copy"};
      const Time time =
          machine.launch(launch, copy_to_shared<T, std::deque<Array<T>>>, a, words, shared);
      return {{}, time};
    } else {
      throw unsuitable("copies to shared memories run on an HMM");
    }
  }
};

/// By k: k rounds of a warp of each of two DMMs.
struct CopyToShared {
  using Algorithm = Copies;
  static constexpr std::string_view id = "C5.tight";
  static constexpr std::string_view source = "OPT lemma 2";
  static constexpr std::string_view what =
      "copying n words from the global memory to d shared memories takes";
  static constexpr std::string_view terms = "(n/w + n/(dw) + n(l + L)/(dp) + l + L)";
  static constexpr std::string_view domain =
      "all n = 64k, k ≥ 200, d = 2, p = w = 32, l = 1, L = 1,000";
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t least = 200;
  static constexpr std::uint64_t small = 2;
  static constexpr std::uint64_t largest = 2000;
  static constexpr std::uint64_t thousandths = 997;
  template <class N>
  static TaskOf<N> task(const N& k) {
    TaskOf<N> task{"copy", {}, {.w = N(32), .L = N(1000), .d = N(2)}};
    task.sizes.add("n", N(64) * k);
    return task;
  }
};

/// What runs of permutations on terms share.
struct PermutesOffline {
  static std::vector<Shape> inputs(const Task& task) { return OfflinePermutation::inputs(task); }
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    return OfflinePermutation::run<T>(task, machine, inputs);
  }
};

/// Permutations by a plan, or by destination, of which the casual access has `stages` stages.
template <bool by_plan>
struct Permutes : PermutesOffline {
  template <class N>
  static PermutingOf<N> size_of(const TaskOf<N>& task) {
    const LettersOf<N>& m = task.machine;
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

/// The permutation of a task that runs: n elements stay where they are.
template <class N>
void stay(TaskOf<N>& task, const N& n) {
  if constexpr (std::integral<N>) {
    task.permutation.resize(n);
    std::iota(task.permutation.begin(), task.permutation.end(), 0U);
  }
}

/// Of 32k elements that stay where they are, a warp in each of k turns.
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
  static constexpr std::uint64_t small = 2;
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
  static constexpr std::uint64_t small = 2;
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

/// By w: a warp less than a row has, and a tile; so both take two turns.
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
  static constexpr std::uint64_t small = 2;
  static constexpr std::uint64_t largest = 24;
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
TaskOf<N> of_matrix(std::string_view variant, const LettersOf<N>& letters, const N& side) {
  TaskOf<N> task{variant, {}, letters};
  task.sizes.add("rows", side);
  task.sizes.add("columns", side);
  return task;
}

/// Transposes, but for the sizes.
struct TransposesOfTiles {
  using Algorithm = Transpose;
  static constexpr std::string_view source = "THS 5.3";
  static constexpr std::string_view what = "the transpose in diagonal arrangement takes";
  static constexpr std::string_view terms = "(n/w + n/(dw) + nL/(dp) + nl/(dp))";
};

/// By L: a tile, which a turn reads and writes.
struct TransposeOfWholeTiles : TransposesOfTiles {
  static constexpr std::string_view id = "H3.tight.full";
  static constexpr std::string_view domain = "all L, n = p = w², w = 32, d = 1, l = 200";
  static constexpr std::uint64_t factor = 2;
  static constexpr std::uint64_t least = 1;
  static constexpr std::uint64_t small = 1;
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

/// By w: four tiles for little more than w² words, in two waves of three DMMs, a row of 2w − 1
/// threads in each turn; all of a tile's rows are turns of the shared memory.
struct TransposeJustAboveATile : TransposesOfTiles {
  static constexpr std::string_view id = "H3.tight";
  static constexpr std::string_view domain =
      "all w ≥ 300, n = (w + 1)², p = 2w − 1, d = 3, l = 10,000, L = 1";
  static constexpr std::uint64_t factor = 24;
  static constexpr std::uint64_t least = 300;
  static constexpr std::uint64_t small = 3;
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

/// The global memory access cost as a time: that of one round a launch.
struct CostsOfTables {
  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const Cost<N> all = SummedAreaTable::global_accesses(task);
    return {.global = {all.global.stages, all.launches, all.global.requests}};
  }
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    return SummedAreaTable::global_cost_upper(task);
  }
  static std::vector<Shape> inputs(const Task& task) { return SummedAreaTable::inputs(task); }
  /// What the accesses of a run cost.
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    SatAccessCounter counter;
    machine.attach(counter);
    Outcome<T> outcome = SummedAreaTable::run<T>(task, machine, inputs);
    machine.detach(counter);
    outcome.time = static_cast<Time>(std::llround(counter.counts().cost(task.machine)));
    return outcome;
  }
};

/// By L, tables of side × side elements.
template <class N>
TaskOf<N> of_table(std::string_view variant, const N& w, const N& side, const N& L) {
  return of_matrix(variant, {.w = w, .l = N(1), .L = L, .d = N(1), .p = side, .capacity = w * w},
                   side);
}

/// Of tables, by L from 1 on.
struct TablesByLatency {
  using Algorithm = CostsOfTables;
  static constexpr std::uint64_t factor = 1;
  static constexpr std::uint64_t least = 1;
  static constexpr std::uint64_t small = 1;
  static constexpr std::uint64_t largest = 1;
};

struct TableDownAndAlong : TablesByLatency {
  static constexpr std::string_view id = "A2.tight";
  static constexpr std::string_view source = "THS lemma 6.2.1";
  static constexpr std::string_view what = "2R2W costs";
  static constexpr std::string_view terms = "(2n + 2n/w + 2(L - 1))";
  static constexpr std::string_view domain = "all L, n = 64², p = w = 64, d = 1";
  static constexpr std::uint64_t thousandths = 992;
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table("2R2W", N(64), N(64), L);
  }
};

struct TableWithTransposes : TablesByLatency {
  static constexpr std::string_view id = "A3.tight";
  static constexpr std::string_view source = "THS lemma 6.2.2";
  static constexpr std::string_view what = "4R4W costs";
  static constexpr std::string_view terms = "(8n/w + 4(L - 1))";
  static constexpr std::string_view domain = "all L, n = 32², p = w = 32, d = 1";
  static constexpr std::uint64_t thousandths = 992;
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table("4R4W", N(32), N(32), L);
  }
};

/// Of sides that are two tiles, of which elements at an edge take less than five accesses.
struct TableByDiagonals : TablesByLatency {
  static constexpr std::string_view id = "A5.tight";
  static constexpr std::string_view source = "THS lemma 6.4.1";
  static constexpr std::string_view what = "4R1W costs";
  static constexpr std::string_view terms = "(5n + (2√n - 1)(L - 1))";
  static constexpr std::string_view domain = "all L, n = 90², p = 90, w = 45, d = 1";
  static constexpr std::uint64_t thousandths = 991;
  template <class N>
  static TaskOf<N> task(const N& L) {
    return of_table("4R1W", N(45), N(90), L);
  }
};

}  // namespace bankproof::proofs
