// Planted bugs in algorithms. One run on abstract values must reject each buggy algorithm.
#include "../../../testing/one_run.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "../../../algorithms/matrix_product.hpp"
#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../../testing/abstract/corner.hpp"
#include "../../../testing/abstract/interval.hpp"

namespace bankproof {
namespace {

using testing::CornerSum;
using testing::Interval;

template <class A>
Task small_task_of(std::string_view variant,
                   const std::vector<std::pair<std::string_view, testing::Number>>& sizes) {
  return testing::task_of<A>(variant, {.w = 4, .l = 2, .L = 9, .d = 2, .p = 8}, sizes);
}

/// A value whose operators swap their operands.
template <class T>
struct Swapped {
  T value;
  friend Swapped operator+(const Swapped& a, const Swapped& b) { return {b.value + a.value}; }
  friend Swapped operator*(const Swapped& a, const Swapped& b) { return {b.value * a.value}; }
  Swapped& operator+=(const Swapped& b) {
    value = value + b.value;
    return *this;
  }
};
/// The algorithm A with its operands swapped.
template <class A>
struct SwapsOperands : A {
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    Inputs<Swapped<T>> swapped;
    for (const auto& array : inputs) {
      auto& values = swapped.emplace_back();
      for (const T& value : array) values.push_back({value});
    }
    Outcome<T> outcome;
    for (const auto& result : A::template run<Swapped<T>>(task, machine, swapped).values) {
      outcome.values.push_back(result.value);
    }
    return outcome;
  }
};

TEST(Canary, swapped_operands_are_rejected_by_one_run) {
  Task sums = small_task_of<PrefixSums>("simple", {{"n", 8}});
  sums.machine.machine = MachineKind::dmm;
  std::vector<Interval> prefixes;
  for (std::uint64_t i = 0; i < 8; ++i) prefixes.push_back({0, i + 1});
  const Inputs<Interval> units = {testing::unit_intervals(8)};
  EXPECT_TRUE(testing::decided<PrefixSums>(sums, units, prefixes));
  EXPECT_FALSE(testing::decided<SwapsOperands<PrefixSums>>(sums, units, prefixes));

  const Task product = small_task_of<MatrixProduct>(
      "MUL-HMM", {{"rows", 3}, {"inner", 2}, {"columns", 3}, {"m", 2}});
  EXPECT_TRUE(testing::decided_on_indeterminates<MatrixProduct>(product));
  EXPECT_FALSE(testing::decided_on_indeterminates<SwapsOperands<MatrixProduct>>(product));
}

/// Whether one run on indeterminates confirms A's table of a side × side matrix.
template <class A, class R = Rules>
::testing::AssertionResult finds_the_table(std::string_view variant, std::uint64_t side) {
  const auto n = static_cast<std::uint64_t>(side);
  const testing::CornerMatrix matrix(n, n);
  return testing::decided<A, R>(
      small_task_of<A>(variant, {{"rows", side}, {"columns", side}, {"t", 1}}),
      Inputs<CornerSum>{matrix.elements}, matrix.table);
}

/// Formula (6.1) without its corner: b[i][j] = a[i][j] + b[i][j−1] + b[i−1][j].
template <class T>
Program sum_diagonal_without_corner(Warp& warp, Array<T>& a, Array<T>& b, const Summing matrix,
                                    const Diagonal diagonal) {
  const auto inside = warp.only(warp.thread() < diagonal.count);
  const Progression i = diagonal.row + warp.thread();
  const Progression j = diagonal.k - i;
  const Progression place = i * matrix.columns + j;
  Lanes<T> sum = co_await a.read(place);
  {
    const auto not_leftmost = warp.only(j > 0);
    sum += co_await b.read(place - 1);
  }
  {
    const auto not_topmost = warp.only(i > 0);
    sum += co_await b.read(place - matrix.columns);
  }
  co_await b.write(place, sum);
}
struct DropsTheCorner : SummedAreaTable {
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const Summing matrix = size_of(task.sizes);
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> b(main_memory(machine), a.size(), "b");
    for (std::uint64_t k = 0; k < matrix.rows + matrix.columns - 1; ++k) {
      const Diagonal diagonal = Diagonal::of(k, matrix.rows, matrix.columns);
      machine.launch({.threads = task.machine.p}, sum_diagonal_without_corner<T>, a, b, matrix,
                     diagonal);
    }
    return {{b.values().begin(), b.values().end()}, 0};
  }
};

TEST(Canary, a_dropped_corner_is_rejected_by_one_run) {
  EXPECT_TRUE(finds_the_table<SummedAreaTable>("4R1W", 5));
  EXPECT_FALSE(finds_the_table<DropsTheCorner>("4R1W", 5));
}

/// 2R1W with one recursion less: it does not make the table of the tiles' sums when these do not
/// fit in one tile.
struct RecursesOnceLess : SummedAreaTable {
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const Part part(Tiling{size_of(task.sizes), task.machine.w});
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> b(main_memory(machine), a.size(), "b");
    SumArrays<T> sums(main_memory(machine), part);
    SumArrays<T> inner(main_memory(machine), part.inner());
    Edges<T>* none = nullptr;
    TilePlaces tiles;
    tiles.add(part, part.first, part.end);
    Launch launch{
        .blocks = tiles.count(), .threads = task.machine.p, .shared_words = shared_words(task)};
    machine.launch(launch, sum_or_take_edges<T>, a, none, sums, part, tiles);
    const SecondStep step(part, launch.threads);
    launch.blocks = step.blocks();
    machine.launch(launch, sum_sums<T>, sums, &inner, part, step);
    // Here 2R1W would recurse to finish the sums of the tiles.
    launch.blocks = tiles.count();
    machine.launch(launch, finish_tiles<T>, a, b, sums, none, part, tiles);
    return {{b.values().begin(), b.values().end()}, 0};
  }
};

TEST(Canary, a_recursion_one_level_short_is_rejected_by_one_run) {
  // For 24 × 24 elements with w = 4, the sums of tiles do not fit in a tile.
  EXPECT_TRUE(finds_the_table<SummedAreaTable>("2R1W", 24));
  EXPECT_FALSE(finds_the_table<RecursesOnceLess>("2R1W", 24));
}

TEST(Canary, a_barrier_left_out_is_rejected_by_one_run) {
  testing::WithoutOneBarrier::missing = 0U;
  EXPECT_TRUE((finds_the_table<SummedAreaTable, Rules>("1R1W", 9)));
  EXPECT_FALSE((finds_the_table<SummedAreaTable, testing::WithoutOneBarrier>("1R1W", 9)));
  testing::WithoutOneBarrier::missing.reset();
}

/// CONV's simpler tile with a halo off by one: its cells begin one element early.
template <class T>
Program convolve_with_halo_off_by_one(Warp& warp, Array<T>& n, Array<T>& m, Array<T>& p,
                                      const ConvolvingLine line) {
  const auto [row, v, t] = line;
  auto& cells = warp.shared<T>(t + 2 * v, "cells");
  for (Address k = 0; k < t + 2 * v; k += t) {
    co_await load_cells(warp, n, row, cells, k + warp.thread(), 0, t + 2 * v, warp.block() * t,
                        v + 1);
  }
  co_await barrier();
  Lanes<T> sum = warp.all(T{});
  for (Address j = 0; j < line.side(); ++j) {
    const Lanes<T> value = co_await cells.read(warp.thread() + j);
    const Lanes<T> weight = co_await m.read(warp.same(j));
    sum += value * weight;
  }
  const Progression i = warp.block() * t + warp.thread();
  const auto with_output = warp.only(i < row.length);
  co_await p.write(i, sum);
}
struct HaloOffByOne : TiledConvolution {
  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const ConvolvingLine line = line_of(task);
    Array<T> n(main_memory(machine), inputs[0], "N");
    Array<T> m(main_memory(machine), inputs[1], "M");
    Array<T> p(main_memory(machine), n.size(), "P");
    machine.launch({.blocks = line.blocks(),
                    .threads = line.t,
                    .shared_words = line.t + 2 * line.v,
                    .name = "halo off by one"},
                   convolve_with_halo_off_by_one<T>, n, m, p, line);
    return {{p.values().begin(), p.values().end()}, 0};
  }
};

TEST(Canary, a_halo_off_by_one_is_rejected_by_one_run) {
  const Task task =
      small_task_of<TiledConvolution>("1d-tiled", {{"columns", 11}, {"v", 1}, {"t", 4}});
  EXPECT_TRUE(testing::decided_on_indeterminates<TiledConvolution>(task));
  EXPECT_FALSE(testing::decided_on_indeterminates<HaloOffByOne>(task));
}

}  // namespace
}  // namespace bankproof
