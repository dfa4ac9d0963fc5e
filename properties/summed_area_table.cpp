// Summed area tables (rows A1–A13).
#include "../algorithms/summed_area_table.hpp"

#include <gtest/gtest.h>

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
        ASSERT_NO_FATAL_FAILURE(expect_the_table(variant, rows, columns, 2, (rows + columns) / 6));
      }
    }
  }
}

/// Global reads and writes of n × n elements with w = 4, and launches but the first.
struct Counts {
  std::uint64_t requests;
  std::uint64_t barriers;
};

class LaunchCount : public Observer {
 public:
  void launch_begins(const LaunchEvent&) override { ++launches_; }
  std::uint64_t launches() const { return launches_; }

 private:
  std::uint64_t launches_ = 0;
};

Counts counts_of(std::string_view variant, std::uint64_t side, std::uint64_t t = 0) {
  Task task{variant, Sizes(SummedAreaTable::size_keys), {.w = 4, .l = 1, .L = 1, .d = 2, .p = 16}};
  task.sizes.set("rows", side);
  task.sizes.set("columns", side);
  task.sizes.set("t", t);
  Statistics statistics;
  LaunchCount launches;
  const Inputs<std::uint64_t> inputs = {Words(side * side)};
  testing::run_task<SummedAreaTable>(task, testing::in(Mode::lockstep), inputs,
                                     {&statistics, &launches});
  return {statistics.of_groups().requests, launches.launches() - 1};
}

TEST(SummedAreaTable, makes_the_accesses_of_THS_table_6_1_and_the_smaller_terms_it_leaves_out) {
  const std::uint64_t w = 4;
  for (const std::uint64_t s : {4U, 8U, 16U, 20U, 24U}) {
    const std::uint64_t n = s * s;
    const std::uint64_t tiles = s / w;  // a side
    SCOPED_TRACE(s);
    EXPECT_EQ(counts_of("2R2W", s).requests, 4 * n - 2 * s);
    EXPECT_EQ(counts_of("2R2W", s).barriers, 1U);
    EXPECT_EQ(counts_of("4R4W", s).requests, 8 * n - 2 * s);
    EXPECT_EQ(counts_of("4R4W", s).barriers, 3U);
    // Three of b are missing at the corner, two along each edge.
    EXPECT_EQ(counts_of("4R1W", s).requests, 5 * n - 4 * (s - 1) - 3);
    EXPECT_EQ(counts_of("4R1W", s).barriers, 2 * s - 2);
    // Edges: s words above each row of tiles but the first, with the corners, read and written, and
    // the same for columns.
    const std::uint64_t inner = tiles - 1;
    EXPECT_EQ(counts_of("1R1W", s).requests, 2 * n + 2 * (2 * inner * s) + 2 * inner * inner);
    EXPECT_EQ(counts_of("1R1W", s).barriers, 2 * tiles - 2);
    if (tiles == 1) continue;
    // C and Rᵀ are written, summed down (all read, all but the first rows written) and read; M is
    // written, read and written by one block, and read.
    const std::uint64_t edges = 2 * (inner * s + (2 * inner - 1) * s + inner * s);
    if (inner > w) continue;  // recursive
    EXPECT_EQ(counts_of("2R1W", s).requests, 3 * n + edges + 4 * inner * inner);
    EXPECT_EQ(counts_of("2R1W", s).barriers, 2U);
  }
  // 2(1 − √r)·√n/w + 4 barriers (THS theorem 6.5.1), r = (t·w/√n)².
  EXPECT_EQ(counts_of("hybrid", 24, 2).barriers, 2 * (6 - 2) + 4);
  EXPECT_EQ(counts_of("hybrid", 24, 3).barriers, 2 * (6 - 3) + 4);
  // One recursion of 2R1W: two more (w⁴ = 256 < n).
  EXPECT_EQ(counts_of("2R1W", 24).barriers, 4U);
}

}  // namespace
}  // namespace bankproof
