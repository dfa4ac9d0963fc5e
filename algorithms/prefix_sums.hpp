// The prefix sums a[0], a[0] + a[1], …, a[0] + … + a[n−1], in place.
//
// Simple (MOD 6): each level adds to each number another number to its left, at twice the distance
// of the level before,
//
//   for t ← 0 to ⌈log₂ n⌉ − 1 do
//     for i ← 2ᵗ to n − 1 do in parallel: a[i] ← a[i] + a[i − 2ᵗ]
//
// This takes O((n/w + nl/p + l) log n). A level has to read all numbers before it overwrites them.
// With p < n threads the program has to ensure this order. MOD 6 does not say how, and in ascending
// order 2 threads get wrong sums of n = 8 numbers. In this program the p highest i come first;
// their a[i − 2ᵗ] are overwritten later.
//
// Optimal (MOD 7): the numbers are in the largest array, and each work array a_t has half the size
// of a_{t+1},
//
//   for t downwards: a_t[i] ← a_{t+1}[2i] + a_{t+1}[2i + 1]         sums of intervals
//   for t upwards:   a_{t+1}[2i + 1] ← a_t[i]                       their prefix sums, one array
//                    a_{t+1}[2i + 2] ← a_t[i] + a_{t+1}[2i + 2]     after the other
//
// This takes O(n/w + nl/p + l log n). An array of odd size leaves its last number out on the way
// down.
//
// Example, optimal, n = 5: first the sums of the pairs (0,1) and (2,3), then of all four. On the
// way back first 0…3, and with it 0…1; at last 0, 0…1, 0…2, 0…3, 0…4.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../oracles/sums.hpp"
#include "algorithm.hpp"
#include "layout.hpp"

namespace bankproof {

/// One level of the simple algorithm. The turn of the highest i comes first. On the last level, no
/// number on the left is written, so there is no barrier.
template <class T, class W = Warp>
Program add_from_the_left(W& warp, ArrayOf<W, T>& a, NumberOf<W> distance) {
  const auto items = a.size() - distance;
  for (auto i : warp.falling_turns(items)) {
    auto sum = warp.all(T{});
    {
      const auto inside = warp.only(i < items);
      const auto right = co_await a.read(i + distance);
      const auto left = co_await a.read(i);
      sum = left + right;
    }
    co_await barrier_if(items > distance);
    const auto inside = warp.only(i < items);
    co_await a.write(i + distance, sum);
  }
}

template <class T, class W = Warp>
Program prefix_sums_simple(W& warp, ArrayOf<W, T>& a) {
  for (const auto distance : warp.rising_powers(a.size())) {
    co_await add_from_the_left<T>(warp, a, distance);
    co_await barrier_if(2 * distance < a.size());
  }
}

/// above[i] ← below[2i] + below[2i + 1] for all i.
template <class T, class W = Warp>
Program add_pairs(W& warp, ArrayOf<W, T>& below, ArrayOf<W, T>& above) {
  for (auto i : warp.each(above.size())) {
    const PairOf pair{i};
    const auto left = co_await below.read(pair.first());
    const auto right = co_await below.read(pair.other());
    co_await above.write(i, left + right);
  }
}

/// `above` holds the prefix sums of the pairs; turns `below` into the prefix sums of its numbers.
template <class T, class W = Warp>
Program spread_to_pairs(W& warp, ArrayOf<W, T>& below, ArrayOf<W, T>& above) {
  for (auto i : warp.each(above.size())) {
    const PairOf pair{i};
    const auto before = co_await above.read(i);
    co_await below.write(pair.other(), before);
    const auto inside = warp.only(pair.next() < below.size());
    const auto next = co_await below.read(pair.next());
    co_await below.write(pair.next(), before + next);
  }
}

/// The numbers and the work arrays. The pairs of ⌊n/power⌋ numbers are the numbers of twice this
/// power.
template <class T>
class PairLevels {
 public:
  PairLevels(Memory& memory, const std::vector<T>& numbers) {
    arrays_.push_back(std::make_unique<Array<T>>(memory, numbers, "a"));
    for (std::uint64_t n = size() / 2; n > 0; n /= 2) {
      arrays_.push_back(std::make_unique<Array<T>>(memory, n, "sums"));
    }
  }
  std::uint64_t size() const { return numbers().size(); }
  Array<T>& numbers() const { return *arrays_.front(); }
  Array<T>& below(Address power) const { return *arrays_[level(power)]; }
  Array<T>& above(Address power) const { return *arrays_[level(power) + 1]; }

 private:
  static std::size_t level(Address power) { return ceil_log2(power); }

  std::vector<std::unique_ptr<Array<T>>> arrays_;
};

template <class T, class W = Warp, class Levels = PairLevels<T>>
Program prefix_sums_optimal(W& warp, const Levels& levels) {
  for (const auto power : warp.rising_powers(levels.size() / 2 + 1)) {
    co_await add_pairs<T>(warp, levels.below(power), levels.above(power));
    co_await barrier();
  }
  for (const auto power : warp.falling_powers(levels.size() / 2 + 1)) {
    co_await spread_to_pairs<T>(warp, levels.below(power), levels.above(power));
    co_await barrier_if(power > 1);
  }
}

struct PrefixSums {
  static constexpr std::string_view name = "prefix-sums";
  static constexpr std::string_view does = "a[0], a[0] + a[1], …, a[0] + … + a[n−1]";
  static constexpr Algebra algebra = Algebra::monoid;
  static constexpr std::array size_keys = {SizeKey{"n", "numbers", 4096}};

  static constexpr std::array one_memory = {MachineKind::dmm, MachineKind::umm};
  static constexpr std::array variants = {
      Variant{"simple", "MOD 6", "adds from a distance that doubles", one_memory},
      Variant{"optimal", "MOD 7", "sums of intervals, and back", one_memory}};

  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {{"a", sizes["n"]}};
  }
  static Shape output(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {"a", sizes["n"]};
  }
  static std::string refusal(const Task&) { return {}; }

  template <class T>
  static std::vector<T> expected(const Task&, const Inputs<T>& inputs) {
    return oracle::prefix_sums(inputs[0]);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    if constexpr (Hierarchical<Machine>) {
      throw unsuitable("prefix-sums run on a DMM or a UMM");
    } else {
      const Launch launch{.threads = task.machine.p, .name = "prefix-sums"};
      if (task.variant == "simple") {
        Array<T> a(machine.memory(), inputs[0], "a");
        const Time time = machine.launch(launch, prefix_sums_simple<T>, a);
        return {{a.values().begin(), a.values().end()}, time};
      }
      const PairLevels<T> levels(machine.memory(), inputs[0]);
      const Time time = machine.launch(launch, prefix_sums_optimal<T>, levels);
      const auto values = levels.numbers().values();
      return {{values.begin(), values.end()}, time};
    }
  }

  template <class N>
  static Rounds<N> simple_level(const MachineParametersOf<N>& m, const N& n, const N& distance) {
    return over_turns(n - distance, m.p, [&](const N& start, const N& count) {
      const auto right = round_of(m.memory(), Run<N>{start + distance, count}, m.w);
      auto turn = round_of(m.memory(), Run<N>{start, count}, m.w);
      return turn += N(2) * right;  // read and written
    });
  }

  /// The rounds between an array of n numbers and the array of its pairs, on the way down and on
  /// the way up together.
  template <class N>
  static Rounds<N> optimal_level(const MachineParametersOf<N>& m, const N& n) {
    return over_turns(n / N(2), m.p, [&](const N& start, const N& count) {
      const auto every_second = [&](const N& address, const N& threads) {
        const Run<N> run{address, threads};
        return one_round(stages_of_stride(m.memory(), run, N(2), m.w), threads);
      };
      const auto above = round_of(m.memory(), Run<N>{start, count}, m.w);
      Rounds<N> down = every_second(N(2) * start, count);
      down += every_second(N(2) * start + N(1), count);
      down += above;
      Rounds<N> up = above;
      up += every_second(N(2) * start + N(1), count);
      const N next = smaller(count, minus_or_zero((n - N(1)) / N(2), start));
      up += N(2) * every_second(N(2) * start + N(2), next);
      return up += down;
    });
  }

  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const N& n = task.sizes["n"];
    const MachineParametersOf<N>& m = task.machine;
    const bool simple = task.variant == "simple";
    return Cost<N>::on_one_memory(
        sum_over_powers(simple ? n : n / N(2) + N(1), [&](const N& power) {
          return simple ? simple_level(m, n, power) : optimal_level(m, n / power);
        }));
  }

  /// With groups, a turn of c threads takes at most 2c/w + 2 stages to access consecutive words,
  /// and 3c/w + 2 to access every second word; with banks, c/w + 1 and 2c/w + 1. A simple turn has
  /// three accesses to consecutive words. An optimal turn has, down and up together, two accesses
  /// to consecutive words and five to every second word. There are at most n/p + log n such turns,
  /// of fewer than n threads in all. So the factor is 6 for simple with groups, and for optimal 19
  /// with groups and 12 with banks.
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N& n = task.sizes["n"];
    const N log = ceil_log2(n);
    if (task.variant == "simple") {
      return BoundOf<N>{N(m.machine == MachineKind::dmm ? 3 : 6),
                        {{"(n/w) log n", n * log, m.w},
                         {"(nl/p) log n", n * m.l * log, m.p},
                         {"l log n", m.l * log}}};
    }
    const N factor = N(m.memory() == MemoryKind::banks ? 12 : 19);
    return BoundOf<N>{factor, {{"n/w", n, m.w}, {"nl/p", n * m.l, m.p}, {"l log n", m.l * log}}};
  }

  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N& n = task.sizes["n"];
    const auto several = n > N(1);
    return {{N(1), {{"bandwidth n/w", n, m.w}}, several},
            {N(1), {{"latency nl/p", n * m.l, m.p}}, several},
            {N(1), {{"reduction l log n", m.l * ceil_log2(n)}}, several}};
  }
};

}  // namespace bankproof
