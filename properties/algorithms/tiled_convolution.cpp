// Convolution with ghost cells (rows K1–K10), and the numbers that CONV prints about it.
#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

using Words = std::vector<std::uint64_t>;

BANKPROOF_HMM_ALGORITHM(TiledConvolution)

/// A task on a small HMM, with blocks of four threads and zeros around the input.
Task small_task(std::string_view variant, std::uint64_t columns, std::uint64_t v) {
  Task task = testing::task_of<TiledConvolution>(
      variant, {.machine = MachineKind::hmm, .w = 4, .l = 2, .L = 9, .d = 2, .p = 16},
      {{"columns", columns}, {"v", v}, {"t", 4}});
  return task;
}

Words convolved(std::string_view variant, const Words& n, const Words& m) {
  const Task task = small_task(variant, n.size(), m.size() / 2);
  return testing::run_task<TiledConvolution, std::uint64_t>(task, testing::in(Mode::lockstep),
                                                            {n, m})
      .values;
}

TEST(TiledConvolution, of_lines_gives_the_numbers_of_CONV_7_1_and_of_exercise_2) {
  for (const auto& variant : TiledConvolution::variants) {
    if (!variant.name.starts_with("1d")) continue;
    SCOPED_TRACE(variant.name);
    EXPECT_EQ(convolved(variant.name, {1, 2, 3, 4, 5, 6, 7}, {3, 4, 5, 4, 3}),
              (Words{22, 38, 57, 76, 95, 90, 74}));
    EXPECT_EQ(convolved(variant.name, {4, 1, 3, 2, 3}, {2, 1, 4}), (Words{8, 21, 13, 20, 7}));
  }
}

TEST(TiledConvolution, with_the_masks_of_exercise_3_copies_shifts_differentiates_and_averages) {
  using testing::Fraction;
  using Fractions = std::vector<Fraction>;
  const Fractions n = {{2}, {4}, {9}, {1}, {7}};
  const auto with = [&](const Fractions& m) {
    const Task task = small_task("1d-tiled", n.size(), 1);
    return testing::run_task<TiledConvolution, Fraction>(task, testing::in(Mode::lockstep), {n, m})
        .values;
  };
  EXPECT_EQ(with({{0}, {1}, {0}}), n);
  EXPECT_EQ(with({{0}, {0}, {1}}), (Fractions{{4}, {9}, {1}, {7}, {0}}));
  EXPECT_EQ(with({{1}, {0}, {0}}), (Fractions{{0}, {2}, {4}, {9}, {1}}));
  EXPECT_EQ(with({{-1, 2}, {0}, {1, 2}}), (Fractions{{2}, {7, 2}, {-3, 2}, {-1}, {-1, 2}}));
  EXPECT_EQ(with({{1, 3}, {1, 3}, {1, 3}}), (Fractions{{2}, {5}, {14, 3}, {17, 3}, {8, 3}}));
}

/// The number of requests for words of N that one block makes, of three blocks of t threads.
std::uint64_t requests_of_block(std::string_view variant, std::uint64_t t, std::uint64_t v,
                                std::uint64_t block) {
  const MachineParameters machine{.w = 4, .p = t};
  const ConvolvingLine line{{3 * t}, v, t};
  const BlockRounds rounds = variant == "1d-tiled" ? tiled_line_rounds(machine, line, block)
                                                   : line_rounds(machine, line, block, true);
  std::uint64_t requests = 0;
  for (const auto& round : rounds.rounds()) {
    if (round.memory == MemoryKind::groups) requests += round.requests;
  }
  return requests - t;  // minus the writes of outputs
}

BANKPROOF_PROPERTY(TiledConvolution, of_lines_makes_the_accesses_that_CONV_7_4_counts, ()) {
  const auto v = *rc::gen::inRange<std::uint64_t>(0, 10);
  const auto t = *rc::gen::inRange<std::uint64_t>(std::max<std::uint64_t>(v, 1), 40);
  RC_ASSERT(requests_of_block("1d-constant", t, v, 1) == t * (2 * v + 1));
  RC_ASSERT(requests_of_block("1d-constant", t, v, 0) == t * (2 * v + 1) - v * (v + 1) / 2);
  RC_ASSERT(requests_of_block("1d-constant", t, v, 2) == t * (2 * v + 1) - v * (v + 1) / 2);
  RC_ASSERT(requests_of_block("1d-tiled", t, v, 1) == t + 2 * v);
  RC_ASSERT(requests_of_block("1d-tiled", t, v, 0) == t + v);
  RC_ASSERT(requests_of_block("1d-tiled", t, v, 2) == t + v);
}

TEST(TiledConvolution, with_a_mask_in_constant_memory_doubles_the_operations_a_global_access) {
  // Each term takes a multiplication and an addition. Only the accesses to N remain (CONV 7.3).
  const auto requests = [](std::string_view variant) {
    Task task = small_task(variant, 1000, 2);
    return TiledConvolution::cost(task).global.requests - 1000;  // minus the writes of outputs
  };
  EXPECT_EQ(requests("1d-basic"), 2 * requests("1d-constant"));
}

TEST(TiledConvolution, of_padded_rows_touches_one_group_where_CONV_figure_7_15_has_two) {
  const ConvolvingPlane packed{3, 3, 1, 3, GhostCells::zero, 0, 4};
  ConvolvingPlane padded = packed;
  padded.pitch = 4;
  EXPECT_EQ(packed.row(1, 0).access(0, 3, 4).global_stages, 2U);
  EXPECT_EQ(padded.row(1, 0).access(0, 3, 4).global_stages, 1U);
}

TEST(TiledConvolution, of_all_values_is_decided_by_one_run_for_each_small_shape) {
  for (const Variant& variant : TiledConvolution::variants) {
    const bool line = variant.name.starts_with("1d");
    for (std::uint64_t columns = 1; columns <= (line ? 12 : 5); ++columns) {
      for (std::uint64_t rows = 1; rows <= (line ? 1 : 4); ++rows) {
        for (std::uint64_t rest = 0; rest < 36; ++rest) {
          Task task = small_task(variant.name, columns, rest % 3);
          task.sizes.set("rows", rows);
          task.sizes.set("t", rest / 3 % 3 + 1);
          task.sizes.set("nearest", rest / 9 % 2);
          task.sizes.set("channels", line ? 1 : rest / 18 + 1);
          ASSERT_TRUE(testing::decided_on_indeterminates<TiledConvolution>(task));
        }
      }
    }
  }
}

TEST(TiledConvolution, written_over_its_input_as_in_CONV_figure_7_21_races_and_goes_wrong) {
  // Two tiles of 4 × 4 pixels side by side: the first tile is finished when the second reads its
  // halo.
  const ConvolvingPlane plane{4, 8, 1, 8, GhostCells::zero, 1, 4};
  const Words image(32, 1);
  const Words mask(9, 1);
  const Words expected = oracle::convolution_of_image(image, mask, 4, 8, 1, 1, false);
  const auto convolved = [&](bool in_place, Races& races) {
    Hmm machine({.dmms = 1, .width = 4, .global_latency = 3, .resident_threads = 16});
    machine.attach(races);
    Array<std::uint64_t> m(machine.add_constant_memory(1), mask, "M");
    Array<std::uint64_t> n(machine.global(), image, "N");
    Array<std::uint64_t> p(machine.global(), image.size(), "P");
    Array<std::uint64_t>& result = in_place ? n : p;
    machine.launch({.blocks = 2, .threads = 16, .shared_words = 36, .name = "tiles"},
                   convolve_plane_tiled<std::uint64_t>, n, m, result, plane);
    return Words(result.values().begin(), result.values().end());
  };
  Races none(OnFinding::record);
  EXPECT_EQ(convolved(false, none), expected);
  EXPECT_TRUE(none.found().empty());
  Races some(OnFinding::record);
  EXPECT_NE(convolved(true, some), expected);
  EXPECT_FALSE(some.found().empty());
}

TEST(TiledConvolution, at_the_stride_of_CONV_figure_7_21_would_write_pixels_to_others_words) {
  // Rows of 3 pixels are padded to 4 words: row·width + column hits the padding of the row before.
  const ConvolvingPlane padded{3, 3, 1, 4, GhostCells::zero, 0, 4};
  EXPECT_EQ(padded.row(1, 0).base, 4U);
  EXPECT_EQ(padded.row(0, 0).base + padded.columns, 3U);  // the figure's index of row 1, column 0
}

}  // namespace
}  // namespace bankproof
