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
template <class T>
Program add_from_the_left(Warp& warp, Array<T>& a, Address distance) {
  const Address items = a.size() - distance;
  for (Address turn = ceil_div(items, warp.threads()); turn-- > 0;) {
    const Progression i = row_major(turn, warp.thread(), warp.threads()) + distance;
    Lanes<T> sum = warp.all(T{});
    {
      const auto inside = warp.only(i < a.size());
      const Lanes<T> right = co_await a.read(i);
      const Lanes<T> left = co_await a.read(i - distance);
      sum = left + right;
    }
    if (items > distance) co_await barrier();
    const auto inside = warp.only(i < a.size());
    co_await a.write(i, sum);
  }
}

template <class T>
Program prefix_sums_simple(Warp& warp, Array<T>& a) {
  for (Address distance = 1; distance < a.size(); distance *= 2) {
    co_await add_from_the_left(warp, a, distance);
    if (2 * distance < a.size()) co_await barrier();
  }
}

/// above[i] ← below[2i] + below[2i + 1] for all i.
template <class T>
Program add_pairs(Warp& warp, Array<T>& below, Array<T>& above) {
  for (auto i : warp.each(above.size())) {
    const Lanes<T> left = co_await below.read(PairOf{i}.first());
    const Lanes<T> right = co_await below.read(PairOf{i}.other());
    co_await above.write(i, left + right);
  }
}

/// `above` holds the prefix sums of the pairs; turns `below` into the prefix sums of its numbers.
template <class T>
Program spread_to_pairs(Warp& warp, Array<T>& below, Array<T>& above) {
  for (auto i : warp.each(above.size())) {
    const Lanes<T> before = co_await above.read(i);
    co_await below.write(PairOf{i}.other(), before);
    const auto inside = warp.only(PairOf{i}.next() < below.size());
    const Lanes<T> next = co_await below.read(PairOf{i}.next());
    co_await below.write(PairOf{i}.next(), before + next);
  }
}

/// `arrays` holds the numbers and the work arrays, each half as large as the one before.
template <class T>
Program prefix_sums_optimal(Warp& warp, const std::vector<std::unique_ptr<Array<T>>>& arrays) {
  for (std::size_t t = 1; t < arrays.size(); ++t) {
    co_await add_pairs(warp, *arrays[t - 1], *arrays[t]);
    co_await barrier();
  }
  for (std::size_t t = arrays.size() - 1; t > 0; --t) {
    co_await spread_to_pairs(warp, *arrays[t - 1], *arrays[t]);
    if (t > 1) co_await barrier();
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
      std::vector<std::unique_ptr<Array<T>>> arrays;
      arrays.push_back(std::make_unique<Array<T>>(machine.memory(), inputs[0], "a"));
      Array<T>& a = *arrays.front();
      const Launch launch{.threads = task.machine.p, .name = "prefix-sums"};
      Time time = 0;
      if (task.variant == "simple") {
        time = machine.launch(launch, prefix_sums_simple<T>, a);
      } else {
        for (std::uint64_t n = a.size() / 2; n > 0; n /= 2) {
          arrays.push_back(std::make_unique<Array<T>>(machine.memory(), n, "sums"));
        }
        time = machine.launch(launch, prefix_sums_optimal<T>, arrays);
      }
      return {{a.values().begin(), a.values().end()}, time};
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
