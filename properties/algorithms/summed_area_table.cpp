// Summed area tables (rows A1–A13). summed_area_table/accesses.cpp counts their accesses, and
// summed_area_table/hybrid.cpp says where hybrid pays.
#include "../../algorithms/summed_area_table/summed_area_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../../algorithms/summed_area_table/accesses.hpp"
#include "../../testing/abstract/corner.hpp"
#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

using Words = std::vector<std::uint64_t>;

BANKPROOF_HMM_ALGORITHM(SummedAreaTable)

struct AnyTable {
  std::uint64_t rows;
  std::uint64_t columns;
  Words elements;
};

AnyTable any_table() {
  const auto rows = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto columns = *rc::gen::inRange<std::uint64_t>(1, 9);
  return {rows, columns,
          *rc::gen::container<Words>(rows * columns, rc::gen::arbitrary<std::uint64_t>())};
}

BANKPROOF_PROPERTY(SummedAreaTable, of_the_sequential_variants_equals_the_definition, ()) {
  const auto [rows, columns, a] = any_table();
  const Words table = oracle::summed_area_table(a, rows, columns);
  RC_ASSERT(oracle::summed_area_table_2r2w(a, rows, columns) == table);
  RC_ASSERT(oracle::summed_area_table_4r1w(a, rows, columns) == table);
}

BANKPROOF_PROPERTY(SummedAreaTable, gives_the_sum_of_any_rectangle_from_four_entries, ()) {
  const auto [rows, columns, a] = any_table();
  const Words table = oracle::summed_area_table(a, rows, columns);
  const auto bottom = *rc::gen::inRange<std::uint64_t>(0, rows);
  const auto right = *rc::gen::inRange<std::uint64_t>(0, columns);
  const auto top = *rc::gen::inRange<std::uint64_t>(0, bottom + 1);
  const auto left = *rc::gen::inRange<std::uint64_t>(0, right + 1);
  RC_ASSERT(rectangle_sum(table, columns, top, left, bottom, right) ==
            oracle::rectangle_sum(a, columns, top, left, bottom, right));
}

TEST(SummedAreaTable, with_the_signs_that_THS_6_prints_does_not_give_the_sum_of_a_rectangle) {
  const Words a = {1, 2, 3, 4};
  const Words b = oracle::summed_area_table(a, 2, 2);
  // u < i ≤ d and l < j ≤ r with u = l = 0, d = r = 1: the element 4.
  const std::uint64_t printed = b[3] + b[1] + b[2] - b[0];
  EXPECT_EQ(printed, 16U);
  EXPECT_EQ(b[3] - b[1] - b[2] + b[0], 4U);
  EXPECT_EQ(rectangle_sum(b, 2, 1, 1, 1, 1), 4U);
}

/// Adds an edge made of the bottom row of the tile above and the corner before that row.
Program add_the_edge_of_figure_6_8(Warp& warp, Array<std::uint64_t>& edges,
                                   Array<std::uint64_t>& sums) {
  auto& edge = warp.shared<std::uint64_t>(4, "edge");
  auto& tile = warp.shared<std::uint64_t>(9, "tile");
  for (auto k : warp.each(9)) co_await tile.write(k, warp.all(std::uint64_t{0}));
  co_await load_edge(warp, edges, 1, 3, true, 0, edge);
  co_await add_differences(warp, edge, tile, 3, true);
  co_await sums.write(warp.thread(), co_await tile.read(diagonal_row(warp, 0, warp.thread())));
}

TEST(SummedAreaTable, carries_9_11_9_in_THS_figure_6_8) {
  Hmm machine({.dmms = 1, .width = 3});
  Array<std::uint64_t> edges(machine.global(), Words{13, 22, 33, 42}, "edges");
  Array<std::uint64_t> sums(machine.global(), 3, "sums");
  machine.launch({.threads = 3, .shared_words = 15}, add_the_edge_of_figure_6_8, edges, sums);
  EXPECT_TRUE(std::ranges::equal(sums.values(), Words{9, 11, 9}));
}

/// One run on indeterminates decides the result for every abelian group.
void expect_the_table(const Variant& variant, std::uint64_t rows, std::uint64_t columns,
                      std::uint64_t w, std::uint64_t t) {
  const Task task = testing::task_of<SummedAreaTable>(
      variant.name, {.w = w, .l = 1, .L = 2, .d = 2, .p = 2 * w + 1},
      {{"rows", rows}, {"columns", columns}, {"t", t}});
  const testing::CornerMatrix matrix(rows, columns);
  ASSERT_TRUE(testing::decided<SummedAreaTable>(task, Inputs<testing::CornerSum>{matrix.elements},
                                                matrix.table));
}

TEST(SummedAreaTable, of_all_values_is_decided_by_one_run_for_each_square_to_64) {
  for (const Variant& variant : SummedAreaTable::variants) {
    for (const std::uint64_t w : {2U, 3U, 4U}) {
      for (std::uint64_t side = 1; side <= 64; ++side) {
        ASSERT_NO_FATAL_FAILURE(expect_the_table(variant, side, side, w, side / 2 / w));
      }
    }
  }
}

TEST(SummedAreaTable, of_all_values_is_decided_by_one_run_for_each_rectangle_to_16) {
  for (const Variant& variant : SummedAreaTable::variants) {
    for (std::uint64_t rows = 1; rows <= 16; ++rows) {
      for (std::uint64_t columns = 1; columns <= 16; ++columns) {
        for (const std::uint64_t w : {2U, 3U, 4U}) {
          const std::uint64_t t = (rows + columns) / (3 * w);
          ASSERT_NO_FATAL_FAILURE(expect_the_table(variant, rows, columns, w, t));
        }
      }
    }
  }
}

BANKPROOF_PROPERTY(SummedAreaTable, takes_at_least_the_global_memory_access_cost, ()) {
  const Task task = *testing::any_task<SummedAreaTable>();
  const Inputs<std::uint64_t> inputs = {Words(SummedAreaTable::inputs(task)[0].size())};
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    SatAccessCounter counter;
    const auto outcome =
        testing::run_task<SummedAreaTable>(task, testing::in(mode), inputs, {&counter});
    RC_ASSERT(static_cast<double>(outcome.time) >= counter.counts().cost(task.machine) - 1e-9);
  }
}

BANKPROOF_PROPERTY(SummedAreaTable, takes_its_global_memory_access_cost_where_warps_fill_the_pipe,
                   ()) {
  // THS 6.1, for algorithms in global memory alone: each column and each row has a thread, all
  // threads are resident, and enough stages are in flight to fill the latency.
  const auto w = *rc::gen::inRange<std::uint64_t>(1, 5);
  const auto warps = *rc::gen::inRange<std::uint64_t>(1, 7);  // on each DMM
  const auto d = *rc::gen::inRange<std::uint64_t>(1, 4);
  const auto L = *rc::gen::inRange<std::uint64_t>(1, warps * d + 1);
  const std::uint64_t side = w * warps * d;
  const Task task = testing::task_of<SummedAreaTable>(
      "2R2W", {.w = w, .L = L, .d = d, .p = w * warps}, {{"rows", side}, {"columns", side}});
  const Inputs<std::uint64_t> inputs = {Words(side * side)};
  const Time time =
      testing::run_task<SummedAreaTable>(task, testing::in(Mode::overlapped), inputs).time;
  const auto cost = SummedAreaTable::cost(task);
  const std::uint64_t n = side * side;
  RC_ASSERT(time == global_access_cost(cost, task.machine));
  // Down the columns a warp accesses one group; along the rows each thread accesses its own group.
  RC_ASSERT(cost.global.stages == (2 * n - side) / w + 2 * n - side);
  // Lockstep adds L − 1 for each round.
  RC_ASSERT(lockstep_time(cost, task.machine) - time == (cost.global.rounds - 2) * (L - 1));
}

/// A task on a square of tiles, with blocks of whole warps.
Task square_of_tiles(std::string_view variant, std::uint64_t w, std::uint64_t tiles,
                     std::uint64_t t, std::uint64_t L, std::uint64_t warps) {
  return testing::task_of<SummedAreaTable>(variant, {.w = w, .L = L, .d = 3, .p = w * warps},
                                           {{"rows", w * tiles}, {"columns", w * tiles}, {"t", t}});
}
/// The cost in closed form divided by the source's bound.
double part_of_cost_bound(const Task& task) {
  return static_cast<double>(SummedAreaTable::global_cost(task)) /
         global_cost_bound<SummedAreaTable>(task).value().value();
}

BANKPROOF_PROPERTY(SummedAreaTable, keeps_the_global_memory_access_costs_of_THS_6, ()) {
  using testing::any;
  const std::uint64_t w = any(2, 16);
  const std::uint64_t tiles = any(1, 24);
  const std::uint64_t t = any(0, tiles - 1);
  const std::uint64_t L = any(0, 1) == 0 ? 1 : any(1, 100);
  const std::uint64_t warps = any(1, 4);
  for (const Variant& variant : SummedAreaTable::variants) {
    const Task task = square_of_tiles(variant.name, w, tiles, t, L, warps);
    RC_LOG() << task;
    RC_ASSERT(part_of_cost_bound(task) <= 1);
  }
}

TEST(SummedAreaTable, keeps_the_global_memory_access_costs_of_THS_6_at_large_sizes) {
  // Deep recursions, and triangles of few, wide tiles.
  EXPECT_LT(part_of_cost_bound(square_of_tiles("2R1W", 2, 192, 0, 1, 3)), 1);
  EXPECT_LT(part_of_cost_bound(square_of_tiles("hybrid", 2, 81, 80, 1, 3)), 1);
  EXPECT_LT(part_of_cost_bound(square_of_tiles("hybrid", 64, 3, 2, 1, 1)), 1);
}

TEST(SummedAreaTable, has_the_bounds_of_costs_that_THS_6_prints) {
  // √n = 12, w = 2, L = 11 and t = 3: n = 144, n/w² = 36, and the last triangle recurs.
  const auto bound = [](std::string_view variant) {
    const Task task = square_of_tiles(variant, 2, 6, 3, 11, 2);
    return global_cost_bound<SummedAreaTable>(task).value().value();
  };
  EXPECT_EQ(bound("2R2W"), 288 + 144 + 2 * 10);                      // lemma 6.2.1
  EXPECT_EQ(bound("4R4W"), 576 + 4 * 10);                            // lemma 6.2.2
  EXPECT_EQ(bound("4R1W"), 720 + 23 * 10);                           // lemma 6.4.1, with L − 1
  EXPECT_EQ(bound("1R1W"), 144 + 6 * 36 + 11 * 10);                  // theorem 6.4.2, corrected
  EXPECT_EQ(bound("2R1W"), 216 + 10 * 36 + 20 * 18 + (2 + 3) * 10);  // lemma 6.3.1, depth 1
  // Theorem 6.5.1: the triangles have 12 tiles.
  EXPECT_EQ(bound("hybrid"), 144 + 24 + 17 * 36 + 40 * 18 + (12 - 6 + 5 + 2) * 10);
}

}  // namespace
}  // namespace bankproof
