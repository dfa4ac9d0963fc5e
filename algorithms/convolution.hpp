// The direct convolution of m numbers x and n + m − 1 numbers y (HMM V, VIII and IX),
//
//   z[i] = x[0]·y[i] + x[1]·y[i + 1] + … + x[m − 1]·y[i + m − 1], 0 ≤ i < n.
//
// The terms of each z[i] are cut into s pieces of ⌈m/s⌉ terms. A thread sums a piece in a register.
// Then the s partial sums of each z[i] are added pairwise, for all i at the same time. With n
// threads s is 1, with mn threads it is m, and with n < p < mn it is p/n (HMM VIII prints n/p):
// O(mn/w + mnl/p + l log m) on a DMM or UMM, and O(mn/p + log m) on the PRAM.
//
// On the HMM, each DMM copies x, and the part of y that it needs, to its shared memory and computes
// a share of z there: O(n/w + mn/(dw) + nL/P + L + log m) for m ≤ n/d, n/d ≥ w and P = dp ≥ dw.
//
// The partial sums of piece k are row k of a matrix, and each row is padded to whole rows of banks.
// The threads of one warp belong to the same piece k, so they access one word of x and consecutive
// words of y.
//
// Example: m = 3, s = 2: pieces x[0]·y[i] + x[1]·y[i + 1] and x[2]·y[i + 2].
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../oracles/convolution.hpp"
#include "sum.hpp"
#include "sweep.hpp"
#include "window.hpp"

namespace bankproof {

/// n outputs of m terms each; the terms of an output are cut into `pieces` pieces.
template <class N>
struct DirectConvolvingOf {
  N n;
  N m;
  N pieces;

  N terms() const { return ceil_div(m, pieces); }
};
using DirectConvolving = DirectConvolvingOf<std::uint64_t>;

/// Leaves z[i] at partial[i]; partial has `pieces` rows, `pitch` words apart.
template <class T, class W = Warp>
Program convolve(W& warp, ArrayOf<W, T>& x, ArrayOf<W, T>& y, ArrayOf<W, T>& partial,
                 const DirectConvolvingOf<NumberOf<W>> size, NumberOf<W> pitch) {
  const auto terms = size.terms();
  for (auto [piece, i] : sweep(warp, size.pieces, size.n)) {
    auto sum = warp.all(T{});
    for (const auto t : warp.times(terms)) {
      const auto term = row_major(piece, t, terms);
      const auto of_piece = warp.only_if(term < size.m);
      const auto factor = co_await x.read(warp.same(term));
      const auto number = co_await y.read(i + term);
      sum += factor * number;
    }
    co_await partial.write(row_major(piece, i, pitch), sum);
  }
  for (const auto distance : warp.falling_powers(size.pieces)) {
    co_await barrier();
    for (auto [piece, i] : sweep(warp, pairs_of_level(size.pieces, distance), size.n)) {
      const auto sum = co_await partial.read(row_major(piece, i, pitch));
      const auto other = co_await partial.read(row_major(piece + distance, i, pitch));
      co_await partial.write(row_major(piece, i, pitch), sum + other);
    }
  }
}

template <class N>
Rounds<N> convolve_cost(MemoryKind kind, const DirectConvolvingOf<N>& size, const N& p,
                        const N& w) {
  const N pitch = rounded_up(size.n, w);
  const auto over = [&](const N& pieces, auto of) {
    return over_sweep(SweepShape<N>{pieces, size.n, p, w}, of);
  };
  Rounds<N> cost = over(size.pieces, [&](const SweepTurn<N>& turn) {
    Rounds<N> rounds = round_of(kind, turn, pitch, w);
    // The pieces of a turn have consecutive terms, and the first of these pieces has the most
    // terms.
    const N first = turn.row * size.terms();
    const N end = first + turn.rows * size.terms();
    const N terms = minus_or_zero(smaller(end, size.m), first);
    const N of_y = sum_over(terms, [&](const N& k) {
      return stages_of(kind, Run<N>{turn.column + first + k, turn.columns}, w);
    });
    return rounds += {terms * ceil_div(turn.columns, w) + of_y, N(2) * smaller(size.terms(), terms),
                      N(2) * terms * turn.columns};
  });
  return cost += sum_over_powers(size.pieces, [&](const N& distance) {
           return over(smaller(distance, size.pieces - distance), [&](const SweepTurn<N>& turn) {
             return N(3) * round_of(kind, turn, pitch, w);
           });
         });
}

/// On the PRAM, a turn need not take whole rows of the matrix: thread k sums piece ⌊k/n⌋ of z[k mod
/// n].
template <class T>
Program convolve_on_pram(Warp& warp, Array<T>& x, Array<T>& y, Array<T>& partial,
                         const DirectConvolving size) {
  for (auto k : warp.each(size.pieces * size.n)) {
    const Lanes<Address> piece = k / size.n;
    const Lanes<Address> i = k % size.n;
    Lanes<T> sum = warp.all(T{});
    for (Address t = 0; t < size.terms(); ++t) {
      const Lanes<Address> term = row_major(piece, t, size.terms());
      const auto of_piece = warp.only(term < size.m);
      const Lanes<T> factor = co_await x.read(term);
      const Lanes<Address> place = i + term;
      const Lanes<T> number = co_await y.read(place);
      sum += factor * number;
    }
    co_await partial.write(k, sum);
  }
  Address left = size.pieces;
  for (Address distance = first_distance(left); distance > 0; distance /= 2) {
    co_await barrier();
    for (auto k : warp.each(std::min(distance, left - distance) * size.n)) {
      const Lanes<T> sum = co_await partial.read(k);
      const Lanes<T> other = co_await partial.read(row_major(distance, k, size.n));
      co_await partial.write(k, sum + other);
    }
    left = distance;
  }
}

/// If there are several pieces, one turn handles all of them.
template <class N>
Rounds<N> convolve_cost_on_pram(const DirectConvolvingOf<N>& size, const N& p) {
  const N turns = ceil_div(size.pieces * size.n, p);
  const N reads = N(2) * turns * size.terms();
  Rounds<N> cost{turns + reads, turns + reads, size.pieces * size.n + N(2) * size.m * size.n};
  return cost += sum_over_powers(size.pieces, [&](const N& distance) {
           const N sums = smaller(distance, size.pieces - distance) * size.n;
           const N level = ceil_div(sums, p);
           return N(3) * Rounds<N>{level, level, sums};
         });
}

/// One block runs on each DMM; it computes `share.n` numbers of z.
template <class T, class W = Warp>
Program convolve_shares(W& warp, ArrayOf<W, T>& x, ArrayOf<W, T>& y, ArrayOf<W, T>& z,
                        const DirectConvolvingOf<NumberOf<W>> share, NumberOf<W> pitch) {
  const auto first = warp.block() * share.n;
  auto& own_x = warp.template shared<T>(share.m, "x");
  auto& own_y = warp.template shared<T>(share.n + share.m - 1, "y");
  auto& partial = warp.template shared<T>(share.pieces * pitch, "z");
  for (auto j : warp.each(share.m)) {
    const auto values = co_await x.read(j);
    co_await own_x.write(j, values);
  }
  for (auto i : warp.each(own_y.size())) {
    auto values = warp.all(T{});
    {
      const auto inside = warp.only(first + i < y.size());
      values = co_await y.read(first + i);
    }
    co_await own_y.write(i, values);
  }
  co_await barrier();
  co_await convolve<T>(warp, own_x, own_y, partial, share, pitch);
  // Each thread copies back its own results, so no barrier is needed.
  for (auto i : warp.each(share.n)) {
    const auto values = co_await partial.read(i);
    const auto inside = warp.only(first + i < z.size());
    co_await z.write(first + i, values);
  }
}

struct Convolution {
  static constexpr std::string_view name = "convolution";
  static constexpr std::string_view does = "z[i] = x[0]·y[i] + … + x[m−1]·y[i+m−1]";
  static constexpr Algebra algebra = Algebra::ring;
  static constexpr std::array size_keys = {
      SizeKey{"n", "numbers of z", 1024, 1, 60},
      SizeKey{"m", "numbers of x", 16, 1, 20, std::uint64_t{1} << 31U}};

  static constexpr std::array one_memory = {MachineKind::dmm, MachineKind::umm};
  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array pram = {MachineKind::pram};
  static constexpr std::array variants = {
      Variant{"one-each", "HMM VIII", "a thread sums all terms of a z[i]", one_memory},
      Variant{"pieces", "HMM VIII", "p/n threads for each z[i]", one_memory},
      Variant{"products", "HMM VIII", "m threads for each z[i]", one_memory},
      Variant{"pram", "HMM V", "p/n processors for each z[i]", pram},
      Variant{"shares", "HMM IX", "a share of z on each DMM, in shared memory", hierarchical}};

  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {{"x", sizes["m"]}, {"y", sizes["n"] + sizes["m"] - 1}};
  }
  static Shape output(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {"z", sizes["n"]};
  }

  /// The number of elements of z that each DMM computes; a multiple of w.
  template <class N>
  static N share(const TaskOf<N>& task) {
    return rounded_up(ceil_div(task.sizes["n"], task.machine.d), task.machine.w);
  }
  /// The sizes of the convolution that one launch computes; on the HMM, the sizes of one DMM's
  /// share.
  template <class N>
  static DirectConvolvingOf<N> size_of(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const N& m = task.sizes["m"];
    const N n = is_hierarchical(machine.machine) ? share(task) : task.sizes["n"];
    if (task.variant == "one-each") return {n, m, N(1)};
    if (task.variant == "products") return {n, m, m};
    const N threads = machine.machine == MachineKind::pram ? n : rounded_up(n, machine.w);
    return {n, m, larger(N(1), smaller(m, machine.p / threads))};
  }
  static std::uint64_t shared_words(const Task& task) {
    const DirectConvolving size = size_of(task);
    const std::uint64_t w = task.machine.w;
    return rounded_up(size.m, w) + rounded_up(size.n + size.m - 1, w) +
           size.pieces * rounded_up(size.n, w);
  }
  static std::string refusal(const Task& task) {
    if (!is_hierarchical(task.machine.machine) || shared_words(task) <= task.machine.capacity) {
      return {};
    }
    return "x, and shares of " + std::to_string(share(task)) + " numbers of y and z, take " +
           std::to_string(shared_words(task)) + " words, and a shared memory has " +
           std::to_string(task.machine.capacity) + ": choose a smaller m or n, or more DMMs";
  }

  template <class T>
  static std::vector<T> expected(const Task&, const Inputs<T>& inputs) {
    return oracle::direct_convolution(inputs[0], inputs[1]);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const DirectConvolving size = size_of(task);
    const std::uint64_t n = task.sizes["n"];
    const std::uint64_t pitch = rounded_up(size.n, task.machine.w);
    Memory& memory = main_memory(machine);
    Array<T> x(memory, inputs[0], "x");
    Array<T> y(memory, inputs[1], "y");
    Launch launch{.threads = task.machine.p, .name = std::string(name)};
    Time time = 0;
    if constexpr (Hierarchical<Machine>) {
      Array<T> z(memory, n, "z");
      launch.blocks = task.machine.d;
      launch.shared_words = shared_words(task);
      time = machine.launch(launch, convolve_shares<T>, x, y, z, size, pitch);
      return {{z.values().begin(), z.values().end()}, time};
    } else {
      Array<T> partial(memory, size.pieces * pitch, "z");
      time = task.variant == "pram"
                 ? machine.launch(launch, convolve_on_pram<T>, x, y, partial, size)
                 : machine.launch(launch, convolve<T>, x, y, partial, size, pitch);
      const auto first = partial.values().begin();
      return {{first, first + static_cast<std::ptrdiff_t>(n)}, time};
    }
  }

  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const DirectConvolvingOf<N> size = size_of(task);
    if (machine.machine == MachineKind::pram) {
      return Cost<N>::on_one_memory(convolve_cost_on_pram(size, machine.p));
    }
    if (!is_hierarchical(machine.machine)) {
      return Cost<N>::on_one_memory(convolve_cost(machine.memory(), size, machine.p, machine.w));
    }
    return Waves(machine.d, machine).cost([&](const typename Waves<N>::Wave& wave) {
      // Block i copies words from `share`·i on, as far as they exist.
      const auto copy = [&](const N& words, const N& share, const N& all) {
        return wave.copy_row(words, [&](const N& block, const N& start, const N& count) {
          const N first = start + block * share;
          return Run<N>{first, smaller(count, minus_or_zero(all, first))};
        });
      };
      const N& n = task.sizes["n"];
      Cost<N> cost = wave.copy_row(size.m, [](const N&, const N& start, const N& count) {
        return Run<N>{start, count};
      });
      cost += copy(size.n + size.m - N(1), size.n, n + size.m - N(1));
      cost.shared += convolve_cost(MemoryKind::banks, size, machine.p, machine.w);
      return cost += copy(size.n, size.n, n);
    });
  }

  /// The bounds of HMM lemma 4, section VIII, theorem 8 and corollary 10, in the domains stated
  /// there. The source's bounds for the HMM have l = 1. If n is just above w, a row of partial sums
  /// takes two warps. Then, with one thread for each product, the 6 accesses for each product take
  /// twice the necessary stages. In `products`, with p just below 4w, only about a quarter of the
  /// threads take part in a turn. In `pieces`, one turn handles all pieces. `one-each` has no
  /// levels. Some families of tasks come within 1 % of the constants.
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const N& n = task.sizes["n"];
    const N& m = task.sizes["m"];
    const auto [w, l, L, d, p] = std::tie(machine.w, machine.l, machine.L, machine.d, machine.p);
    const N log = ceil_log2(m) + N(1);
    if (task.variant == "pram") return BoundOf<N>{N(4), {{"mn/p", m * n, p}, {"log m", log}}};
    if (task.variant == "shares") {
      return BoundOf<N>{N(12),
                        {{"n/w", n, w},
                         {"mn/(dw)", m * n, d * w},
                         {"nL/P", n * L, d * p},
                         {"mnl/P", m * n * l, d * p},
                         {"L", L},
                         {"l log m", l * log}},
                        p >= w && m * d <= n && n >= d * w};
    }
    const bool banks = machine.memory() == MemoryKind::banks;
    N factor(24);
    if (task.variant == "one-each") factor = N(banks ? 4 : 5);
    if (task.variant == "pieces") factor = N(banks ? 12 : 13);
    BoundOf<N> bound{factor,
                     {{"mn/w", m * n, w}, {"mnl/p", m * n * l, p}, {"l log m", l * log}},
                     p >= w && n >= w};
    if (task.variant == "one-each") bound.domain = bound.domain && p <= n;
    return bound;
  }

  /// HMM VIII and IX. The bounds on products hold for programs that fetch both factors of each
  /// product; the bound on reductions holds for oblivious programs (D6.reduction).
  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const N& n = task.sizes["n"];
    const N& m = task.sizes["m"];
    if (machine.machine == MachineKind::pram) {
      return {{N(1), {{"speed-up mn/p", m * n, machine.p}}},
              {N(1), {{"reduction log m", ceil_log2(m)}}}};
    }
    const N words = n + m - N(1);
    const N latency = smaller(machine.l, machine.latency());
    const bool hmm = is_hierarchical(machine.machine);
    return {
        {N(1), {{"bandwidth (n+m-1)/w", words, machine.w}}},
        {N(1),
         {{hmm ? "latency (n+m-1)L/P" : "latency (n+m-1)l/p", words * machine.latency(),
           machine.threads()}}},
        {N(1),
         {{hmm ? "speed-up 2mn/((d+1)w)" : "speed-up 2mn/w", N(2) * m * n,
           machine.ports() * machine.w}}},
        {N(1),
         {{hmm ? "latency 2mn·min(l,L)/P" : "latency 2mnl/p", N(2) * m * n * latency,
           machine.threads()}}},
        {N(1), {{hmm ? "reduction min(l,L) log m" : "reduction l log m", latency * ceil_log2(m)}}}};
  }
};

}  // namespace bankproof
