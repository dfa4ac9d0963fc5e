// Checks what figures 6.1, 6.5 and 6.6 of THS show (rows A14 and A16): the matrix after each pass
// of 2R2W, the sums that 2R1W keeps after each step, and a tile before and after the last step. The
// tests use 9 × 9 elements with w = 3, and random sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../../testing/tasks.hpp"

namespace bankproof {
namespace {

using testing::any;
using Words = std::vector<std::uint64_t>;
using Numbers = Array<std::uint64_t>;
using NumberSums = SumArrays<std::uint64_t>;

struct Matrix {
  std::uint64_t rows;
  std::uint64_t columns;
  Words a;

  /// The sum over rows top … bottom and columns left … right.
  std::uint64_t sum(std::uint64_t top, std::uint64_t left, std::uint64_t bottom,
                    std::uint64_t right) const {
    return oracle::rectangle_sum(a, columns, top, left, bottom, right);
  }
  Words table() const { return oracle::summed_area_table(a, rows, columns); }
};

/// A matrix that is not from THS. The tables of its tiles contain the numbers that THS gives for
/// figure 6.8.
Matrix nine_by_nine() {
  return {9, 9, {0, 0, 0, 0, 1, 0, 0, 0, 0,  //
                 0, 0, 1, 1, 1, 1, 1, 0, 0,  //
                 0, 1, 1, 2, 2, 2, 1, 1, 0,  //
                 0, 1, 2, 2, 2, 2, 2, 1, 0,  //
                 1, 1, 2, 2, 3, 2, 2, 1, 1,  //
                 0, 1, 2, 2, 2, 2, 2, 1, 0,  //
                 0, 1, 1, 2, 2, 2, 1, 1, 0,  //
                 0, 0, 1, 1, 1, 1, 1, 0, 0,  //
                 0, 0, 0, 0, 1, 0, 0, 0, 0}};
}

Matrix any_matrix(std::uint64_t rows, std::uint64_t columns) {
  return {rows, columns,
          *rc::gen::container<Words>(rows * columns, rc::gen::arbitrary<std::uint64_t>())};
}

Words words_of(const Numbers& array) { return {array.values().begin(), array.values().end()}; }

/// One of the two passes of 2R2W on a machine.
using Pass = Program (*)(Warp&, Numbers&, Summing, std::uint64_t);
Program down(Warp& warp, Numbers& a, Summing matrix, std::uint64_t) {
  co_await sum_down(warp, a, matrix, 0);
}
Program along(Warp& warp, Numbers& a, Summing matrix, std::uint64_t) {
  co_await sum_along(warp, a, matrix);
}

/// After the first pass each element is the sum of itself and those above it; after the second pass
/// it is the element of the table.
void passes_are_those_of_figure_6_1(const Matrix& matrix, Width w, std::uint64_t p, Pass first,
                                    Pass second) {
  Hmm machine({.dmms = 2, .width = w, .global_latency = 3});
  Numbers a(machine.global(), matrix.a, "a");
  const Summing size{matrix.rows, matrix.columns};
  const Launch launch{.blocks = ceil_div(std::max(matrix.rows, matrix.columns), p), .threads = p};
  machine.launch(launch, first, a, size, std::uint64_t{0});
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t j = 0; j < matrix.columns; ++j) {
      RC_ASSERT(a.values()[i * matrix.columns + j] == matrix.sum(0, j, i, j));
    }
  }
  machine.launch(launch, second, a, size, std::uint64_t{0});
  RC_ASSERT(words_of(a) == matrix.table());
}

BANKPROOF_PROPERTY(SummedAreaTable, by_2R2W_shows_the_two_passes_of_THS_figure_6_1, ()) {
  passes_are_those_of_figure_6_1(nine_by_nine(), 3, 9, down, along);
  const Matrix drawn = any_matrix(any(1, 12), any(1, 12));
  passes_are_those_of_figure_6_1(drawn, static_cast<Width>(any(1, 5)), any(1, 20), down, along);
}

TEST(Canary, passes_in_the_other_order_are_caught_though_the_table_is_right) {
  EXPECT_TRUE(testing::caught([] {
    const Matrix drawn = any_matrix(any(1, 9), any(1, 9));
    passes_are_those_of_figure_6_1(drawn, 3, 9, along, down);
  }));
}

/// The first half of step 3: adds to the edges of tiles, and stops before it computes their tables
/// (figure 6.6, left).
Program add_carry_to_tiles(Warp& warp, Numbers& a, Numbers& b, NumberSums& sums, const Part part) {
  const Address y = warp.block() / part.across;
  const Address x = warp.block() % part.across;
  const Address w = warp.width();
  auto& tile = warp.shared<std::uint64_t>(w * w, "tile");
  co_await load_tile(warp, a, part.window(y, x), tile);
  co_await barrier();
  if (sums_tiles(warp)) {
    co_await add_carry(warp, tile, sums.carry(), carry_of_sums(part, y, x));
  }
  co_await barrier();
  co_await store_tile(warp, tile, b, part.window(y, x));
}

/// Compares the three matrices with the expected C, Rᵀ and M.
void sums_are(const NumberSums& sums, const Words& columns, const Words& rows, const Words& tiles) {
  RC_ASSERT(words_of(sums.columns) == columns);
  RC_ASSERT(words_of(sums.rows) == rows);
  RC_ASSERT(words_of(sums.tiles) == tiles);
}

/// The expected C, Rᵀ and M: sums of single tiles, or (of_all) of all tiles up to and including
/// each tile.
void sums_are_those_of_figure_6_5(const NumberSums& sums, const Matrix& matrix, std::uint64_t w,
                                  bool of_all) {
  const std::uint64_t tile_rows = ceil_div(matrix.rows, w);
  const std::uint64_t tile_columns = ceil_div(matrix.columns, w);
  const auto from = [&](std::uint64_t tile) { return of_all ? 0 : tile * w; };
  const auto to = [&](std::uint64_t tile) { return tile * w + w - 1; };
  Words columns;
  Words rows;
  Words tiles;
  for (std::uint64_t y = 0; y + 1 < tile_rows; ++y) {
    for (std::uint64_t j = 0; j < matrix.columns; ++j) {
      columns.push_back(matrix.sum(from(y), j, to(y), j));
    }
    for (std::uint64_t x = 0; x + 1 < tile_columns; ++x) {
      tiles.push_back(matrix.sum(from(y), from(x), to(y), to(x)));
    }
  }
  for (std::uint64_t x = 0; x + 1 < tile_columns; ++x) {
    for (std::uint64_t i = 0; i < matrix.rows; ++i) {
      rows.push_back(matrix.sum(i, from(x), i, to(x)));
    }
  }
  sums_are(sums, columns, rows, tiles);
}

/// Checks the matrix of figure 6.6: an element in the first row of a tile includes the elements
/// above it, an element in the first column includes those to its left, and the tile's first
/// element includes both; other elements are unchanged.
void edges_are_those_of_figure_6_6(const Words& b, const Matrix& matrix, std::uint64_t w) {
  for (std::uint64_t i = 0; i < matrix.rows; ++i) {
    for (std::uint64_t j = 0; j < matrix.columns; ++j) {
      const std::uint64_t top = i % w == 0 ? 0 : i;
      const std::uint64_t left = j % w == 0 ? 0 : j;
      RC_ASSERT(b[i * matrix.columns + j] == matrix.sum(top, left, i, j));
    }
  }
}

/// Runs the steps of 2R1W one after the other; the sums of tiles fit in a tile.
struct Steps {
  const Matrix& matrix;
  std::uint64_t w;
  std::uint64_t p;
  bool mixed_up = false;  ///< omits step 2, but not its check

  void are_those_of_figures_6_5_and_6_6() const {
    Hmm machine({.dmms = 2, .width = static_cast<Width>(w), .global_latency = 3});
    Numbers a(machine.global(), matrix.a, "a");
    Numbers b(machine.global(), a.size(), "b");
    const Part part(Tiling{{matrix.rows, matrix.columns}, w});
    NumberSums sums(machine.global(), part);
    TilePlaces tiles;
    tiles.add(part, part.first, part.end);
    Edges<std::uint64_t>* none = nullptr;
    NumberSums* inner = nullptr;
    Launch launch{
        .blocks = tiles.count(), .threads = p, .shared_words = w * w + rounded_up(w + 1, w)};

    machine.launch(launch, sum_or_take_edges<std::uint64_t>, a, none, sums, part, tiles);
    sums_are_those_of_figure_6_5(sums, matrix, w, false);
    const SecondStep step(part, p);
    RC_ASSERT(step.for_tiles == 0);
    if (step.blocks() > 0 && !mixed_up) {
      launch.blocks = step.blocks();
      machine.launch(launch, sum_sums<std::uint64_t>, sums, inner, part, step);
    }
    sums_are_those_of_figure_6_5(sums, matrix, w, true);
    launch.blocks = tiles.count();
    machine.launch(launch, add_carry_to_tiles, a, b, sums, part);
    edges_are_those_of_figure_6_6(words_of(b), matrix, w);
    machine.launch(launch, finish_tiles<std::uint64_t>, a, b, sums, none, part, tiles);
    RC_ASSERT(words_of(b) == matrix.table());
  }
};

TEST(SummedAreaTable, by_2R1W_keeps_2x9_9x2_and_2x2_sums_in_THS_figure_6_5) {
  const Matrix matrix = nine_by_nine();
  const Part part(Tiling{{9, 9}, 3});
  const auto shape = [](const Summing& sums) { return std::pair(sums.rows, sums.columns); };
  EXPECT_EQ(shape(part.columns()), std::pair(2UL, 9UL));
  EXPECT_EQ(shape(part.rows()), std::pair(2UL, 9UL));  // transposed
  EXPECT_EQ(shape(part.corners()), std::pair(2UL, 2UL));
  // The numbers that the text gives for figure 6.8: the bottom row of tile (1, 1) with the last
  // word of tile (1, 0), and the sums above tile (2, 1).
  const Words table = matrix.table();
  EXPECT_EQ((Words{table[5 * 9 + 2], table[5 * 9 + 3], table[5 * 9 + 4], table[5 * 9 + 5]}),
            (Words{13, 22, 33, 42}));
  EXPECT_EQ((Words{matrix.sum(0, 3, 5, 3), matrix.sum(0, 4, 5, 4), matrix.sum(0, 5, 5, 5)}),
            (Words{9, 11, 9}));
}

/// A number of tiles per side for which the tiles' sums fit in one tile.
std::uint64_t any_side(std::uint64_t w) { return any(1, w * (w + 1)); }

BANKPROOF_PROPERTY(SummedAreaTable, by_2R1W_shows_the_steps_of_THS_figures_6_5_and_6_6, ()) {
  const Matrix matrix = nine_by_nine();
  Steps{matrix, 3, 9}.are_those_of_figures_6_5_and_6_6();
  const std::uint64_t w = any(2, 4);
  const Matrix drawn = any_matrix(any_side(w), any_side(w));
  Steps{drawn, w, any(w, 20)}.are_those_of_figures_6_5_and_6_6();
}

TEST(Canary, sums_of_tiles_that_step_2_leaves_as_they_were_are_caught) {
  EXPECT_TRUE(testing::caught([] {
    const Matrix drawn = any_matrix(any(1, 12), any(1, 12));
    Steps{drawn, 3, 9, true}.are_those_of_figures_6_5_and_6_6();
  }));
}

}  // namespace
}  // namespace bankproof
