// Rows with one source of 16 bits, run on each of its 65536 values.
#include <gtest/gtest.h>

#include "judge.hpp"

namespace bankproof::ptx {
namespace {

/// The values from `first` on, one value per lane.
Draw draw_from(std::uint32_t first) {
  Draw draw;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) draw.sources[0][lane] = first + lane;
  return draw;
}

TEST(RowsOf16Bits, compute_what_the_isa_says_of_every_value) {
  std::size_t tried = 0;
  for (const Row& row : rows()) {
    if (row.sources.size() != 1 || lane_bytes(row.sources[0]) != 2) continue;
    // Random operands test .sat.
    if (row.opcode.find(".sat") != row.opcode.npos) continue;
    ++tried;
    for (std::uint32_t first = 0; first < 0x10000; first += warp_lanes) {
      const std::string wrong = mistake(row, draw_from(first), false);
      ASSERT_EQ(wrong, "");
    }
  }
  EXPECT_GT(tried, 100U);
}

}  // namespace
}  // namespace bankproof::ptx
