// The sum a[0] + a[1] + … + a[n−1].
//
// On one memory (MOD 4, HMM VI), each level adds pairs of numbers at a distance that is half the
// distance of the level before:
//
//   for t ← ⌈log₂ n⌉ − 1 downto 0 do
//     for i ← 0 to 2ᵗ − 1 do in parallel: a[i] ← a[i] + a[i + 2ᵗ]
//
// If n is not a power of two, i + 2ᵗ stays below n on the first level. Each level is three
// contiguous accesses, so p threads take O(n/w + nl/p + l log n).
//
// On the HMM (HMM VII), the array is seen as a matrix with p or dp columns, and each thread sums a
// column. The threads of a DMM add up their sums in shared memory as above. Then the sums of the
// DMMs are added up: by DMM(0), or recursively, by one DMM for each p sums. For DMM(0), HMM theorem
// 7 asks for n ≥ d² to reach O(n/w + nL/P + L + log n) with P = dp threads. Recursion does not
// remove this condition: the values of d DMMs take L·⌈log d / log p⌉ time units to meet in one DMM.
//
// Example: n = 5: a[0] += a[4]; then a[0] += a[2] and a[1] += a[3]; then a[0] += a[1].
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

/// Leaves the sum of a[0 … n−1] in a[0]. All warps of the block take part.
template <class T, class W = Warp>
Program sum_pairwise(W& warp, ArrayOf<W, T>& a, NumberOf<W> n) {
  for (const auto distance : warp.falling_powers(n)) {
    for (auto i : warp.each(pairs_of_level(n, distance))) {
      const auto left = co_await a.read(i);
      const auto right = co_await a.read(i + distance);
      co_await a.write(i, left + right);
    }
    // The first w numbers always belong to one warp, so they need no barrier.
    co_await barrier_if(distance > warp.width());
  }
}

/// One level of sum_pairwise: three accesses a turn.
template <class N>
Rounds<N> pairwise_level(MemoryKind kind, const N& n, const N& distance, const N& p, const N& w) {
  return over_turns(pairs_of_level(n, distance), p, [&](const N& start, const N& count) {
    Rounds<N> turn = N(2) * round_of(kind, Run<N>{start, count}, w);
    return turn += round_of(kind, Run<N>{start + distance, count}, w);
  });
}

template <class N>
Rounds<N> pairwise_cost(MemoryKind kind, const N& n, const N& p, const N& w) {
  return sum_over_powers(
      n, [&](const N& distance) { return pairwise_level(kind, n, distance, p, w); });
}

/// On the PRAM (HMM V): each thread sums a column, and the min(n, p) sums in b are added pairwise.
template <class T, class W = Warp>
Program sum_columns_in_memory(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b) {
  auto sum = warp.all(T{});
  for (auto i : warp.each(a.size())) sum += co_await a.read(i);
  {
    const auto owners = warp.only(warp.thread() < b.size());
    co_await b.write(warp.thread(), sum);
  }
  co_await barrier();
  co_await sum_pairwise<T>(warp, b, b.size());
}

/// Launched with any number of blocks; leaves the sum of block i's columns in c[i].
template <class T, class W = Warp>
Program sum_columns(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& c) {
  auto& b = warp.template shared<T>(smaller(warp.threads(), a.size()), "b");
  auto sum = warp.all(T{});
  for (auto i : warp.each_of_launch(a.size())) sum += co_await a.read(i);
  {
    const auto owners = warp.only(warp.thread() < b.size());
    co_await b.write(warp.thread(), sum);
  }
  co_await barrier();
  co_await sum_pairwise<T>(warp, b, b.size());
  const auto first = warp.only(warp.thread() == 0);
  const auto total = co_await b.read(warp.thread());
  co_await c.write(warp.same(warp.block()), total);
}

/// The cost of sum_columns with `blocks` blocks of p threads, each on a DMM of its own.
template <class N>
Cost<N> columns_cost(const N& n, const N& blocks, const N& p, const N& w) {
  Cost<N> cost;
  cost.global = over_turns(n, blocks * p, [&](const N& start, const N& count) {
    const N stages = over_turns(count, p, [&](const N& first, const N& words) {
      return group_stages(Run<N>{start + first, words}, w);
    });
    return one_round(stages, count);
  });
  cost.global += one_round(blocks, blocks);
  const N sums = smaller(p, n);
  cost.shared = round_of(MemoryKind::banks, Run<N>{N(0), sums}, w);
  cost.shared += pairwise_cost(MemoryKind::banks, sums, p, w);
  cost.shared += one_round(N(1), N(1));
  cost.shared.requests = cost.shared.requests * blocks;
  cost.launches = N(1);
  return cost;
}

struct Sum {
  static constexpr std::string_view name = "sum";
  static constexpr std::string_view does = "a[0] + a[1] + … + a[n−1]";
  static constexpr Algebra algebra = Algebra::commutative_monoid;
  static constexpr std::array size_keys = {SizeKey{"n", "numbers", 4096}};

  static constexpr std::array one_memory = {MachineKind::dmm, MachineKind::umm};
  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array pram = {MachineKind::pram};
  static constexpr std::array variants = {
      Variant{"pairwise", "MOD 4, HMM VI", "pairs at a distance that halves", one_memory},
      Variant{"columns", "HMM V", "a column each, then pairs", pram},
      Variant{"one-dmm", "HMM VII", "columns by the threads of DMM(0)", hierarchical},
      Variant{"all-dmms", "HMM VII", "columns by all threads; DMM(0) sums the d sums",
              hierarchical},
      Variant{"recursive", "HMM VII", "columns by all threads; the d sums likewise", hierarchical}};

  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {{"a", sizes["n"]}};
  }
  static Shape output(const Task&) { return {"sum", 1}; }
  /// min(p, n) words. If there are more blocks than numbers, the launch that adds the blocks' sums
  /// needs min(p, blocks).
  static std::uint64_t shared_words(const Task& task) {
    const std::uint64_t n = task.sizes["n"];
    return smaller(task.machine.p, larger(n, blocks(task, n)));
  }
  static std::string refusal(const Task& task) {
    const std::uint64_t words = rounded_up(shared_words(task), task.machine.w);
    if (!is_hierarchical(task.machine.machine) || words <= task.machine.capacity) return {};
    return "the sums of p=" + std::to_string(task.machine.p) + " threads take " +
           std::to_string(words) + " words, and a shared memory has " +
           std::to_string(task.machine.capacity) + ": choose a smaller p";
  }

  template <class T>
  static std::vector<T> expected(const Task&, const Inputs<T>& inputs) {
    return {oracle::sum(inputs[0])};
  }

  /// The number of blocks that sum n numbers.
  template <class N>
  static N blocks(const TaskOf<N>& task, const N& n) {
    if (task.variant == "one-dmm") return N(1);
    if (task.variant == "all-dmms") return task.machine.d;
    // A block of one thread has to take two numbers; otherwise the numbers would not become fewer.
    return blocks_of(n, larger(task.machine.p, N(2)), task.machine.d);
  }
  /// The number of blocks, at most d, if each block sums `each` of the n numbers.
  template <class N>
  static N blocks_of(const N& n, const N& each, const N& d) {
    return smaller(d, ceil_div(n, each));
  }
  /// The number of blocks that sum the sums of the previous blocks.
  template <class N>
  static N further_blocks(const TaskOf<N>& task, const N& sums) {
    return task.variant == "all-dmms" ? N(1) : blocks(task, sums);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const std::uint64_t p = task.machine.p;
    const std::uint64_t n = inputs[0].size();
    if constexpr (Hierarchical<Machine>) {
      Time time = 0;
      auto a = std::make_unique<Array<T>>(machine.global(), inputs[0], "a");
      do {
        const bool first = a->name() == "a";
        const std::uint64_t count =
            first ? blocks(task, a->size()) : further_blocks(task, a->size());
        auto c = std::make_unique<Array<T>>(machine.global(), count, "c");
        time += machine.launch(
            {.blocks = count, .threads = p, .shared_words = smaller(p, a->size()), .name = "sum"},
            sum_columns<T>, *a, *c);
        a = std::move(c);
      } while (a->size() > 1);
      return {{a->values()[0]}, time};
    } else {
      Array<T> a(machine.memory(), inputs[0], "a");
      if (task.variant == "pairwise") {
        const Time time = machine.launch({.threads = p, .name = "sum"}, sum_pairwise<T>, a, n);
        return {{a.values()[0]}, time};
      }
      Array<T> b(machine.memory(), smaller(n, p), "b");
      const Time time =
          machine.launch({.threads = p, .name = "sum"}, sum_columns_in_memory<T>, a, b);
      return {{b.values()[0]}, time};
    }
  }

  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N& n = task.sizes["n"];
    if (task.variant == "pairwise") {
      return Cost<N>::on_one_memory(pairwise_cost(m.memory(), n, m.p, m.w));
    }
    if (task.variant == "columns") {
      const N sums = smaller(n, m.p);
      Rounds<N> rounds =
          over_turns(n, m.p, [&](const N&, const N& count) { return one_round(N(1), count); });
      rounds += one_round(N(1), sums);
      return Cost<N>::on_one_memory(rounds += pairwise_cost(MemoryKind::uniform, sums, m.p, m.w));
    }
    const auto next = [&](const N& sums) { return further_blocks(task, sums); };
    Cost<N> sum = columns_cost(n, blocks(task, n), m.p, m.w);
    return sum += sum_over_chain(blocks(task, n), next, [&](const N& sums) {
             return columns_cost(sums, next(sums), m.p, m.w);
           });
  }

  /// For `pairwise` on one memory. Levels run one after another, since a barrier separates them or
  /// a single warp runs them. With three accesses a turn, each warp makes one access in max(warps,
  /// l) time units (row C2), if all turns of a level have the same number of warps. If the last
  /// turn had fewer warps, the time would depend on the warp with which the level begins. Each
  /// access must also take one stage. On the DMM it always does; elsewhere it does if n, p and w
  /// are powers of two and w ≤ p.
  static std::optional<Time> overlapped_time(const Task& task) {
    const MachineParameters& m = task.machine;
    const std::uint64_t n = task.sizes["n"];
    const bool is_aligned = m.p >= m.w && std::has_single_bit(n) && std::has_single_bit(m.p) &&
                            std::has_single_bit(m.w);
    if (task.variant != "pairwise") return std::nullopt;
    if (m.machine != MachineKind::dmm && !is_aligned) return std::nullopt;
    for (std::uint64_t distance = first_distance(n); distance > 0; distance /= 2) {
      const std::uint64_t items = pairs_of_level(n, distance);
      const std::uint64_t of_last_turn = items - (ceil_div(items, m.p) - 1) * m.p;
      if (items > m.p && ceil_div(of_last_turn, m.w) != ceil_div(m.p, m.w)) return std::nullopt;
    }
    return sum_over_powers(
        n, [&](std::uint64_t distance) { return overlapped_level_time(m, n, distance); });
  }
  template <class N>
  static N overlapped_level_time(const MachineParametersOf<N>& m, const N& n, const N& distance) {
    const N items = pairs_of_level(n, distance);
    const N warps = ceil_div(smaller(items, m.p), m.w);
    return (N(3) * ceil_div(items, m.p) - N(1)) * larger(warps, m.l) + warps + m.l - N(1);
  }

  /// The bound is n/w + nl/p + l log n on one memory and n/w + nL/P + L + l log n on the HMM. For
  /// all-dmms it requires n ≥ d² and n ≥ dw. In the recursive variant, each of the k launches waits
  /// for the latencies of both memories. If there are several DMMs, their blocks need whole warps;
  /// otherwise their accesses would have more stages than n/w. The constants are proved, and it is
  /// proved that constants 1 % smaller would be false.
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N& n = task.sizes["n"];
    const N log = ceil_log2(n);
    if (task.variant == "columns") {
      return BoundOf<N>{N(3), {{"n/p", n, m.p}, {"log n", log + N(1)}}};
    }
    if (task.variant == "pairwise") {
      return BoundOf<N>{N(m.machine == MachineKind::dmm ? 3 : 6),
                        {{"n/w", n, m.w}, {"nl/p", n * m.l, m.p}, {"l log n", m.l * log}}};
    }
    if (task.variant == "recursive") {
      return BoundOf<N>{N(5),
                        {{"n/w", n, m.w},
                         {"nL/P", n * m.L, m.threads()},
                         {"k(L + l)", launches(task) * (m.L + m.l)},
                         {"l log n", m.l * log}},
                        m.p >= m.w};
    }
    const bool on_one = task.variant == "one-dmm";
    BoundOf<N> bound{N(on_one ? 5 : 6),
                     {{"n/w", n, m.w},
                      {"nL/P", n * m.L, on_one ? m.p : m.threads()},
                      {"L", m.L},
                      {"l log n", m.l * (log + N(1))}}};
    if (!on_one) bound.domain = m.p >= m.w && n >= m.d * m.d && n >= m.d * m.w;
    return bound;
  }

  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& m = task.machine;
    const N& n = task.sizes["n"];
    const N log = ceil_log2(n);
    const auto several = n > N(1);  // a single number is the sum
    const bool hmm = is_hierarchical(m.machine);
    if (m.machine == MachineKind::pram) {
      return {{N(1), {{"n/p", n, m.p}}, several}, {N(1), {{"log n", log}}, several}};
    }
    return {
        {N(1), {{"n/w", n, m.w}}, several},
        {N(1), {{hmm ? "latency nL/P" : "latency nl/p", n * m.latency(), m.threads()}}, several},
        {N(1),
         {{hmm ? "reduction min(l,L) log n" : "reduction l log n",
           smaller(m.l, m.latency()) * log}},
         several}};
  }

  template <class N>
  static N launches(const TaskOf<N>& task) {
    const auto next = [&](const N& sums) { return further_blocks(task, sums); };
    return N(1) +
           sum_over_chain(blocks(task, task.sizes["n"]), next, [](const N&) { return N(1); });
  }
};

}  // namespace bankproof
