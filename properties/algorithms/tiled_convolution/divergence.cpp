// Control divergence of convolutions of lines (row K13; CONV 7.2): how many threads and warps
// handle ghost cells at the ends, as the machines count them and in closed form.
#include "../../../algorithms/tiled_convolution/divergence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../../testing/algorithms.hpp"
#include "../../../testing/canary.hpp"

namespace bankproof {
namespace {

using testing::any;

/// Convolves a line with blocks of `warps` warps, and counts.
DivergenceCounter run_line(std::string_view variant, std::uint64_t length, std::uint64_t v,
                           std::uint64_t w, std::uint64_t warps) {
  const Task task = testing::task_of<TiledConvolution>(
      variant, {.w = w, .l = 1, .L = 2, .d = 2, .p = w * warps},
      {{"columns", length}, {"v", v}, {"t", w * warps}, {"nearest", 0}});
  DivergenceCounter counter(length, v);
  const Inputs<std::uint64_t> inputs = {std::vector<std::uint64_t>(length),
                                        std::vector<std::uint64_t>(2 * v + 1)};
  testing::run_task<TiledConvolution>(task, testing::in(Mode::lockstep), inputs, {&counter});
  return counter;
}

TEST(Divergence, of_64_elements_and_a_mask_of_five_is_that_of_two_warps_in_two_turns_each) {
  const Divergence expected{.threads = 4, .skipped = 6, .warps = 2, .turns = 4};
  EXPECT_EQ(run_line("1d-basic", 64, 2, 32, 2).counted(), expected);
  EXPECT_EQ(Divergence::of(64, 2, 32), expected);
}

/// Lines shorter and longer than the mask, with and without a partial warp.
struct AnyLine {
  std::uint64_t w = any(1, 8);
  std::uint64_t length = any(0, 1) == 0 ? w * any(1, 12) : any(1, 90);
  std::uint64_t v = any(0, 1) == 0 ? any(0, 3) : any(0, 30);
  std::uint64_t warps = any(1, 4);
};

/// Counts warp by warp and turn by turn, with the kernel's own test.
Divergence by_definition(std::uint64_t length, std::uint64_t v, std::uint64_t w) {
  Divergence all;
  const auto is_ghost = [&](std::uint64_t thread, std::uint64_t turn) {
    return thread + turn < v || thread + turn >= v + length;
  };
  for (std::uint64_t first = 0; first < length; first += w) {
    const std::uint64_t threads = std::min(w, length - first);
    std::vector<bool> has_ghost(threads);
    std::uint64_t turns = 0;
    for (std::uint64_t turn = 0; turn <= 2 * v; ++turn) {
      std::uint64_t ghosts = 0;
      for (std::uint64_t lane = 0; lane < threads; ++lane) {
        if (!is_ghost(first + lane, turn)) continue;
        ++ghosts;
        has_ghost[lane] = true;
      }
      all.skipped += ghosts;
      turns += ghosts > 0 && ghosts < threads ? 1 : 0;
    }
    for (const bool ghost : has_ghost) all.threads += ghost ? 1 : 0;
    all.turns += turns;
    all.warps += turns > 0 ? 1 : 0;
  }
  return all;
}

TEST(Divergence, of_all_small_lines_is_that_of_their_threads) {
  for (std::uint64_t length = 1; length <= 40; ++length) {
    for (std::uint64_t v = 0; v <= 20; ++v) {
      for (std::uint64_t w = 1; w <= 9; ++w) {
        ASSERT_EQ(Divergence::of(length, v, w), by_definition(length, v, w))
            << length << ' ' << v << ' ' << w;
      }
    }
  }
}

BANKPROOF_PROPERTY(Divergence, of_machines_is_that_of_the_closed_form, ()) {
  const AnyLine line;
  const Divergence form = Divergence::of(line.length, line.v, line.w);
  for (const std::string_view variant : {"1d-basic", "1d-constant"}) {
    RC_ASSERT(run_line(variant, line.length, line.v, line.w, line.warps).counted() == form);
  }
}

BANKPROOF_PROPERTY(Divergence, is_that_of_the_first_and_last_threads_of_long_lines, ()) {
  // P[0] skips v of 2v + 1 terms, P[1] skips v − 1, and so on; the last outputs of the line skip as
  // many.
  const std::uint64_t v = any(0, 12);
  const std::uint64_t w = any(2, 8);
  const std::uint64_t length = w * any(ceil_div(2 * v + 1, w), 30);
  const DivergenceCounter counter = run_line("1d-basic", length, v, w, any(1, 3));
  for (std::uint64_t thread = 0; thread < length; ++thread) {
    const std::uint64_t from_end = length - 1 - thread;
    RC_ASSERT(counter.skipped_by(thread) == minus_or_zero(v, std::min(thread, from_end)));
  }
  // If all warps are whole, 2v threads skip terms, and ⌈v/w⌉ warps diverge at each end. In each
  // turn, the threads up to some border skip a term; a warp diverges in this turn unless the border
  // lies between two warps.
  const Divergence counted = counter.counted();
  RC_ASSERT(counted.threads == 2 * v);
  RC_ASSERT(counted.skipped == v * (v + 1));
  RC_ASSERT(counted.warps == std::min(2 * ceil_div(v, w), length / w));
  RC_ASSERT(counted.turns == 2 * (v - v / w));
}

BANKPROOF_PROPERTY(Divergence, concerns_a_smaller_part_of_a_longer_line, ()) {
  // At most ⌈v/w⌉ warps diverge at the left end, and at most one more at the right end, however
  // long the line is.
  const std::uint64_t v = any(0, 1000);
  const std::uint64_t w = any(1, 64);
  const std::uint64_t length = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 40);
  const Divergence form = Divergence::of(length, v, w);
  RC_ASSERT(form.warps <= 2 * ceil_div(v, w) + 1);
  RC_ASSERT(form.warps <= ceil_div(length, w));
  RC_ASSERT(form.threads <= 2 * v);
}

TEST(Divergence, is_that_of_all_warps_where_there_are_two) {
  // In the short line every warp diverges; in the long line only a small part of the warps does.
  for (const std::uint64_t v : {1U, 2U, 31U, 32U, 33U, 100U}) {
    EXPECT_EQ(Divergence::of(64, v, 32).warps, 2U) << v;
    EXPECT_EQ(Divergence::of(std::uint64_t{1} << 20, v, 32).warps, 2 * ceil_div(v, 32UL)) << v;
  }
}

/// A wrong form: it treats a border between two warps as a border inside a warp.
Divergence without_whole_warps(const AnyLine& line) {
  Divergence form = Divergence::of(line.length, line.v, line.w);
  form.turns = 2 * std::min(line.v, line.length - 1);
  return form;
}

TEST(Canary, a_divergence_that_forgets_borders_between_warps_is_caught) {
  EXPECT_TRUE(testing::caught([] {
    const AnyLine line;
    RC_ASSERT(run_line("1d-basic", line.length, line.v, line.w, line.warps).counted() ==
              without_whole_warps(line));
  }));
}

}  // namespace
}  // namespace bankproof
