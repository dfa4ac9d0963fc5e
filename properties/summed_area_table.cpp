// Summed area tables (rows A1–A13). Their accesses are in summed_area_table/accesses.cpp, where
// hybrid pays in summed_area_table/hybrid.cpp.
#include "../algorithms/summed_area_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "../testing/abstract/corner.hpp"
#include "../testing/algorithms.hpp"
#include "../testing/one_run.hpp"

namespace bankproof {
namespace {

using Words = std::vector<std::uint64_t>;

BANKPROOF_HMM_ALGORITHM(SummedAreaTable)

struct Matrix {
  std::uint64_t rows;
  std::uint64_t columns;
  Words elements;
};

Matrix any_matrix() {
  const auto rows = *rc::gen::inRange<std::uint64_t>(1, 9);
  const auto columns = *rc::gen::inRange<std::uint64_t>(1, 9);
  return {rows, columns,
          *rc::gen::container<Words>(rows * columns, rc::gen::arbitrary<std::uint64_t>())};
}

BANKPROOF_PROPERTY(SummedAreaTable, by_the_ways_of_processors_is_the_definition, ()) {
  const auto [rows, columns, a] = any_matrix();
  const Words table = oracle::summed_area_table(a, rows, columns);
  RC_ASSERT(oracle::summed_area_table_2r2w(a, rows, columns) == table);
  RC_ASSERT(oracle::summed_area_table_4r1w(a, rows, columns) == table);
}

BANKPROOF_PROPERTY(SummedAreaTable, gives_the_sum_of_any_rectangle_from_four_entries, ()) {
  const auto [rows, columns, a] = any_matrix();
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

/// With the bottom row of the tile above, and the corner before it, for edge.
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

/// One run on indeterminates decides for the elements of all abelian groups.
void expect_the_table(const Variant& variant, std::uint64_t rows, std::uint64_t columns,
                      std::uint64_t w, std::uint64_t t) {
  Task task{variant.name,
            Sizes(SummedAreaTable::size_keys),
            {.w = w, .l = 1, .L = 2, .d = 2, .p = 2 * w + 1}};
  task.sizes.set("rows", rows);
  task.sizes.set("columns", columns);
  task.sizes.set("t", t);
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

/// C, S and B + 1 of the global memory access cost (THS 6.1). An access is stride when it takes a
/// stage for each of its threads.
class AccessCost : public Observer {
 public:
  void launch_begins(const LaunchEvent&) override { ++launches_; }
  void accessed(const AccessEvent& event) override {
    if (event.memory().kind() != MemoryKind::groups) return;
    const auto threads = static_cast<std::uint64_t>(std::popcount(event.access.mask.bits()));
    (event.stages == threads ? stride_ : coalesced_) += threads;
  }
  double of(const Letters& machine) const {
    return static_cast<double>(coalesced_) / static_cast<double>(machine.w) +
           static_cast<double>(stride_ + launches_ * (machine.L - 1));
  }

 private:
  std::uint64_t launches_ = 0;
  std::uint64_t coalesced_ = 0;
  std::uint64_t stride_ = 0;
};

BANKPROOF_PROPERTY(SummedAreaTable, takes_at_least_the_global_memory_access_cost, ()) {
  const Task task = *testing::any_task<SummedAreaTable>();
  const Inputs<std::uint64_t> inputs = {Words(SummedAreaTable::inputs(task)[0].size())};
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    AccessCost cost;
    const auto outcome =
        testing::run_task<SummedAreaTable>(task, testing::in(mode), inputs, {&cost});
    RC_ASSERT(static_cast<double>(outcome.time) >= cost.of(task.machine) - 1e-9);
  }
}

BANKPROOF_PROPERTY(SummedAreaTable, takes_its_global_memory_access_cost_where_warps_fill_the_pipe,
                   ()) {
  // THS 6.1: what is in global memory alone, with a thread for each column and row, all resident,
  // and stages for the whole latency in flight.
  const auto w = *rc::gen::inRange<std::uint64_t>(1, 5);
  const auto warps = *rc::gen::inRange<std::uint64_t>(1, 7);  // on each DMM
  const auto d = *rc::gen::inRange<std::uint64_t>(1, 4);
  const auto L = *rc::gen::inRange<std::uint64_t>(1, warps * d + 1);
  const std::uint64_t side = w * warps * d;
  Task task{"2R2W", Sizes(SummedAreaTable::size_keys), {.w = w, .L = L, .d = d, .p = w * warps}};
  task.sizes.set("rows", side);
  task.sizes.set("columns", side);
  const Inputs<std::uint64_t> inputs = {Words(side * side)};
  const Time time =
      testing::run_task<SummedAreaTable>(task, testing::in(Mode::overlapped), inputs).time;
  const auto cost = SummedAreaTable::cost(task);
  const std::uint64_t n = side * side;
  RC_ASSERT(time == global_access_cost(cost, task.machine));
  // Down the columns a warp is in one group, along the rows each thread in one of its own.
  RC_ASSERT(cost.global.stages == (2 * n - side) / w + 2 * n - side);
  // Lockstep: another L − 1 a round.
  RC_ASSERT(lockstep_time(cost, task.machine) - time == (cost.global.rounds - 2) * (L - 1));
}

/// Of 2R1W: w × w sums of tiles are summed in a tile, more by 2R1W again.
std::uint64_t depth_of_recursion(std::uint64_t n, std::uint64_t w) {
  std::uint64_t depth = 0;
  for (std::uint64_t side = w * w + w; side * side < n; side = side * w + w) ++depth;
  return depth;
}

BANKPROOF_PROPERTY(SummedAreaTable, keeps_the_global_memory_access_costs_of_THS_6, ()) {
  // Squares of tiles, and blocks of whole warps.
  const auto w = *rc::gen::inRange<std::uint64_t>(2, 17);
  const auto tiles = *rc::gen::inRange<std::uint64_t>(1, 21);
  const auto t = *rc::gen::inRange<std::uint64_t>(0, tiles);
  const auto L = *rc::gen::inRange<std::uint64_t>(1, 100);
  const std::uint64_t side = w * tiles;
  const std::uint64_t n = side * side;
  Task task{"2R2W",
            Sizes(SummedAreaTable::size_keys),
            {.w = w, .L = L, .d = 3, .p = w * *rc::gen::inRange<std::uint64_t>(1, 5)}};
  task.sizes.set("rows", side);
  task.sizes.set("columns", side);
  task.sizes.set("t", t);
  const auto cost = [&](std::string_view variant) {
    task.variant = variant;
    return global_access_cost(SummedAreaTable::cost(task), task.machine);
  };
  RC_ASSERT(cost("2R2W") <= 2 * n + 2 * n / w + 2 * (L - 1));                // lemma 6.2.1
  RC_ASSERT(cost("4R4W") <= 8 * n / w + 4 * (L - 1));                        // lemma 6.2.2
  RC_ASSERT(cost("4R1W") <= 5 * n + (2 * side - 1) * (L - 1));               // lemma 6.4.1
  const std::uint64_t d = tiles * tiles;                                     // n/w²
  RC_ASSERT(cost("1R1W") <= 2 * n / w + 6 * d + (2 * tiles - 1) * (L - 1));  // theorem 6.4.2
  // Lemma 6.3.1 has 8n/w²: a tile's own sum, and the sum of all above and to the left of it, are
  // single words, which take a stage each.
  const std::uint64_t depth = depth_of_recursion(n, w);
  RC_ASSERT(cost("2R1W") <= 3 * n / w + 10 * d + 14 * d / w + (2 * depth + 3) * (L - 1));
  // Theorem 6.5.1, r = t²w²/n: the triangles in 3 launches each, and two more for each recursion.
  // The last one has a row and a column of tiles before it.
  const std::uint64_t depths = t == 0 ? 0
                                      : depth_of_recursion(t * t * w * w, w) +
                                            depth_of_recursion((t + 1) * (t + 1) * w * w, w);
  RC_ASSERT(cost("hybrid") <= 2 * n / w + t * t * w + 14 * d + 14 * d / w +
                                  (2 * (tiles - t) + 5 + 2 * depths) * (L - 1));
}

}  // namespace
}  // namespace bankproof
