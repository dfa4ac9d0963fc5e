// The product c = ab of an R × K and a K × C matrix (OPT V).
//
// MUL-DMM, on one memory: each element of c has a thread, which sums
//
//   for k ← 0 to K − 1 do: c(i, j) ← c(i, j) + a(i, k)·b(k, j)
//
// in a register. The threads of a warp access one word of a and consecutive words of b: O(n³/w +
// n³l/p) for n × n matrices.
//
// MUL-HMM: each m × m tile of c has a block. The threads of the block copy tiles of a and b to
// shared memory, multiply them by MUL-DMM, and add the product to the tile of c, which is in shared
// memory, too. In the end the threads copy the tile of c to global memory: O(n³/(mw) + n³L/(mdp) +
// n³/(dw) + n³l/(dp)). Tiles that reach over the edge are filled with zeros.
//
// Example: m = 2, n = 4: the block of c's upper left tile reads a's tiles (0, 0), (0, 1) and b's
// (0, 0), (1, 0).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "../oracles/matrix_product.hpp"
#include "algorithm.hpp"
#include "sweep.hpp"
#include "window.hpp"

namespace bankproof {

/// The sizes of a product: a is rows × inner, b is inner × columns.
template <class N>
struct MultiplyingOf {
  N rows;
  N inner;
  N columns;
};
using Multiplying = MultiplyingOf<std::uint64_t>;

/// c ← ab, or c ← c + ab if `onto`.
template <class T, class W = Warp>
Program multiply(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b, ArrayOf<W, T>& c,
                 const MultiplyingOf<NumberOf<W>> size, ConditionOf<W> onto) {
  for (auto [i, j] : sweep(warp, size.rows, size.columns)) {
    auto sum = warp.all(T{});
    {
      const auto all_or_none = warp.only_if(onto);
      sum = co_await c.read(row_major(i, j, size.columns));
    }
    for (const auto k : warp.times(size.inner)) {
      const auto left = co_await a.read(warp.same(row_major(i, k, size.inner)));
      const auto right = co_await b.read(row_major(k, j, size.columns));
      sum += left * right;
    }
    co_await c.write(row_major(i, j, size.columns), sum);
  }
}

/// `onto` is 1 if the program reads c, else 0.
template <class N>
Rounds<N> multiply_cost(MemoryKind kind, const MultiplyingOf<N>& size, const N& onto, const N& p,
                        const N& w) {
  const SweepShape<N> shape{size.rows, size.columns, p, w};
  return over_sweep(shape, [&](const SweepTurn<N>& turn) {
    const N elements = turn.rows * turn.columns;
    // A warp reads one word of a.
    Rounds<N> cost = size.inner * one_round(turn.rows * ceil_div(turn.columns, w), elements);
    // Each row of the turn reads the same words of b.
    cost += sum_over(size.inner, [&](const N& k) {
      const Run<N> words{row_major(k, turn.column, size.columns), turn.columns};
      return one_round(turn.rows * stages_of(kind, words, w), elements);
    });
    const Rounds<N> of_c = round_of(kind, turn, size.columns, w);
    cost += onto * of_c;
    return cost += of_c;
  });
}

/// Runs a block for each m × m tile of c.
template <class T, class W = Warp>
Program multiply_tiles(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b, ArrayOf<W, T>& c,
                       const MultiplyingOf<NumberOf<W>> size, NumberOf<W> m) {
  using N = NumberOf<W>;
  const auto [top, left] = CornerOf<N>(warp.block(), size.columns, m);
  auto& a_tile = warp.template shared<T>(m * m, "a tile");
  auto& b_tile = warp.template shared<T>(m * m, "b tile");
  auto& c_tile = warp.template shared<T>(m * m, "c tile");
  const MultiplyingOf<N> of_tiles{m, m, m};
  for (const auto step : warp.times(ceil_div(size.inner, m))) {
    const N k = step * m;
    const auto onto = step > N(0);
    const auto goes_on = k + m < size.inner;
    const WindowOf<N> of_a{size.rows, size.inner, top, k};
    const WindowOf<N> of_b{size.inner, size.columns, k, left};
    co_await copy_window<T>(warp, a, of_a, a_tile, m, m);
    co_await copy_window<T>(warp, b, of_b, b_tile, m, m);
    co_await barrier();
    co_await multiply<T>(warp, a_tile, b_tile, c_tile, of_tiles, onto);
    co_await barrier_if(goes_on);
  }
  const WindowOf<N> of_c{size.rows, size.columns, top, left};
  co_await copy_back<T>(warp, c_tile, c, of_c, m, m);
}

struct MatrixProduct {
  static constexpr std::string_view name = "matrix-product";
  static constexpr std::string_view does = "c = ab";
  static constexpr Algebra algebra = Algebra::ring;
  static constexpr std::array size_keys = {
      SizeKey{"rows", "rows of a and c", 64, 1, 20},
      SizeKey{"inner", "columns of a, rows of b", 64, 1, 12},
      SizeKey{"columns", "columns of b and c", 64, 1, 20},
      SizeKey{"m", "side of a tile", 32, 1, 10, most_of_side, "MUL-HMM"}};

  static constexpr std::array one_memory = {MachineKind::dmm, MachineKind::umm};
  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array variants = {
      Variant{"MUL-DMM", "OPT V", "an element of c for each thread", one_memory},
      Variant{"MUL-HMM", "OPT V", "tiles in shared memory", hierarchical}};

  template <class N>
  static MultiplyingOf<N> size_of(const SizesOf<N>& sizes) {
    return {sizes["rows"], sizes["inner"], sizes["columns"]};
  }
  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {{"a", sizes["inner"], sizes["rows"]}, {"b", sizes["columns"], sizes["inner"]}};
  }
  static Shape output(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {"c", sizes["columns"], sizes["rows"]};
  }

  static std::uint64_t shared_words(const Task& task) {
    const std::uint64_t m = task.sizes["m"];
    return 3 * rounded_up(m * m, task.machine.w);
  }
  static std::string refusal(const Task& task) {
    if (!is_hierarchical(task.machine.machine) || shared_words(task) <= task.machine.capacity) {
      return {};
    }
    return "three tiles of m=" + std::to_string(task.sizes["m"]) + " take " +
           std::to_string(shared_words(task)) + " words, and a shared memory has " +
           std::to_string(task.machine.capacity) + ": choose a smaller m";
  }

  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    const Multiplying size = size_of(task.sizes);
    return oracle::matrix_product(inputs[0], inputs[1], size.rows, size.inner, size.columns);
  }

  template <class N>
  static N blocks(const SizesOf<N>& sizes) {
    const N& m = sizes["m"];
    return ceil_div(sizes["rows"], m) * ceil_div(sizes["columns"], m);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const Multiplying size = size_of(task.sizes);
    Memory& memory = main_memory(machine);
    Array<T> a(memory, inputs[0], "a");
    Array<T> b(memory, inputs[1], "b");
    Array<T> c(memory, size.rows * size.columns, "c");
    Launch launch{.threads = task.machine.p, .name = std::string(name)};
    Time time = 0;
    if constexpr (Hierarchical<Machine>) {
      launch.blocks = blocks(task.sizes);
      launch.shared_words = shared_words(task);
      time = machine.launch(launch, multiply_tiles<T>, a, b, c, size, task.sizes["m"]);
    } else {
      time = machine.launch(launch, multiply<T>, a, b, c, size, false);
    }
    return {{c.values().begin(), c.values().end()}, time};
  }

  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const MultiplyingOf<N> size = size_of(task.sizes);
    if (!is_hierarchical(machine.machine)) {
      return Cost<N>::on_one_memory(
          multiply_cost(machine.memory(), size, N(0), machine.p, machine.w));
    }
    const N& m = task.sizes["m"];
    const auto top = [&](const N& block) { return CornerOf<N>(block, size.columns, m).top; };
    const auto left = [&](const N& block) { return CornerOf<N>(block, size.columns, m).left; };
    return Waves(blocks(task.sizes), machine).cost([&](const typename Waves<N>::Wave& wave) {
      Cost<N> cost = wave.copy(m, m, [&](const N& block) {
        return WindowOf<N>{size.rows, size.columns, top(block), left(block)};
      });
      return cost += sum_over(ceil_div(size.inner, m), [&](const N& step) {
               Cost<N> level = wave.copy(m, m, [&](const N& block) {
                 return WindowOf<N>{size.rows, size.inner, top(block), step * m};
               });
               level += wave.copy(m, m, [&](const N& block) {
                 return WindowOf<N>{size.inner, size.columns, step * m, left(block)};
               });
               const N onto = select(step > N(0), N(1), N(0));
               level.shared += multiply_cost(MemoryKind::banks, MultiplyingOf<N>{m, m, m}, onto,
                                             machine.p, machine.w);
               return level;
             });
    });
  }

  /// The bounds of OPT lemma 7, for rows that fill a warp and w ≤ p ≤ n², and of theorem 8, for w ≤
  /// m ≤ n, w ≤ p ≤ m² and d ≤ n²/m². If turns, tiles and waves are full, the factors are small.
  /// Other tasks need larger factors. If the sides are just above m, there are eight products of
  /// tiles for m³ terms, and one DMM may have to take them in two turns. If p is just below 2w,
  /// half the threads idle. The larger factors are proved (X1.upper, X2.upper), and no smaller
  /// factors would do (X1.tight, X2.tight).
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const MultiplyingOf<N> size = size_of(task.sizes);
    const auto [w, l, L, d, p] = std::tie(machine.w, machine.l, machine.L, machine.d, machine.p);
    const N& m = task.sizes["m"];
    const N products = size.rows * size.inner * size.columns;
    const auto fills_warps = p >= w && size.columns >= w;
    const auto whole_warps = divides(w, p);
    if (!is_hierarchical(machine.machine)) {
      const auto full =
          whole_warps && divides(w, size.columns) &&
          (divides(p, size.columns) ||
           (divides(size.columns, p) && divides(larger(p / size.columns, N(1)), size.rows)));
      return BoundOf<N>{select(full, N(3), N(12)),
                        {{"n³/w", products, w}, {"n³l/p", products * l, p}},
                        fills_warps && p <= size.rows * size.columns};
    }
    const N least = smaller(size.rows, smaller(size.inner, size.columns));
    const auto full = whole_warps && divides(w, m) && (divides(p, m) || divides(m, p)) &&
                      divides(p, m * m) && divides(m, size.rows) && divides(m, size.inner) &&
                      divides(m, size.columns) && divides(d, blocks(task.sizes));
    return BoundOf<N>{select(full, N(6), N(96)),
                      {{"n³/(mw)", products, m * w},
                       {"n³L/(mdp)", products * L, m * d * p},
                       {"n³/(dw)", products, d * w},
                       {"n³l/(dp)", products * l, d * p}},
                      fills_warps && m >= w && m <= least && p <= m * m && d <= blocks(task.sizes)};
  }

  /// OPT theorem 9. Every program reads each word of a and b and writes each word of c. For
  /// programs that fetch both factors of each product from some memory, the speed-up and latency
  /// bounds for 2n³ reads hold, too. Programs that hold m² results on a DMM at a time, and keep no
  /// operand from phase to phase, read 2n³/m words of a and b. The last two bounds follow from this
  /// number.
  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const MultiplyingOf<N> size = size_of(task.sizes);
    const N words = size.rows * size.inner + size.inner * size.columns + size.rows * size.columns;
    const N products = size.rows * size.inner * size.columns;
    const N latency = smaller(machine.l, machine.latency());
    const bool hmm = is_hierarchical(machine.machine);
    std::vector<BoundOf<N>> bounds = {{N(1), {{"bandwidth 3n²/w", words, machine.w}}},
                                      {N(1),
                                       {{hmm ? "latency 3n²L/(dp)" : "latency 3n²l/p",
                                         words * machine.latency(), machine.threads()}}},
                                      {N(1),
                                       {{hmm ? "speed-up 2n³/((d+1)w)" : "speed-up 2n³/w",
                                         N(2) * products, machine.ports() * machine.w}}},
                                      {N(1),
                                       {{hmm ? "latency 2n³·min(l,L)/(dp)" : "latency 2n³l/p",
                                         N(2) * products * latency, machine.threads()}}}};
    if (!hmm) return bounds;
    const N& m = task.sizes["m"];
    bounds.push_back({N(2), {{"bandwidth n³/(mw)", products, m * machine.w}}});
    bounds.push_back({N(2), {{"latency n³L/(mdp)", products * machine.L, m * machine.threads()}}});
    return bounds;
  }
};

}  // namespace bankproof
