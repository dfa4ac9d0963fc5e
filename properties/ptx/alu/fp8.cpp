// cvt to formats of 8 bits, of every half and of the numbers around every place where the result
// changes. The opposite direction has sources of 16 bits, which exhaustive.cpp runs.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "judge.hpp"

namespace bankproof::ptx {
namespace {

void run_all(const std::vector<std::uint32_t>& values, std::string_view from) {
  std::size_t tried = 0;
  for (const Level level : {Level::portable, best_level()}) {
    for (const Row& row : rows(level)) {
      const bool is_fp8 = row.opcode.find("e4m3x2.") != row.opcode.npos ||
                          row.opcode.find("e5m2x2.") != row.opcode.npos;
      if (!is_fp8 || !row.opcode.ends_with(from)) continue;
      ++tried;
      for (std::size_t first = 0; first < values.size(); first += warp_lanes) {
        Draw draw;
        for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
          draw.sources[0][lane] = values[(first + lane) % values.size()];
          draw.sources[1][lane] = values[(first + 7 * lane) % values.size()];
        }
        ASSERT_EQ(mistake(row, draw, false), "");
      }
    }
  }
  EXPECT_EQ(tried, 8U);
}

TEST(RowsOf8Bits, round_every_half) {
  std::vector<std::uint32_t> pairs;
  for (std::uint32_t half = 0; half < 0x10000; ++half)
    pairs.push_back(half << 16 | (half ^ 0x8001));
  run_all(pairs, ".f16x2");
}

TEST(RowsOf8Bits, round_floats_around_numbers_and_their_middles) {
  std::vector<std::uint32_t> values = {0x00000001, 0x007fffff, 0x7f7fffff, 0x7f800000, 0x7f800001,
                                       0x7fc00000, 0x7fffffff, 0xffc00000, 0x00800000};
  // Halves with 8 zeros at the end are the numbers of e5m2, and those with 7 are the middles; the
  // numbers of e4m3 and their middles are multiples of 2^-10.
  const auto add_around = [&](float x) {
    for (const float near : {x, std::nextafter(x, 0.0F), std::nextafter(x, HUGE_VALF)}) {
      values.push_back(std::bit_cast<std::uint32_t>(near));
      values.push_back(std::bit_cast<std::uint32_t>(-near));
    }
  };
  for (int exponent = -20; exponent <= 17; ++exponent) {
    for (int sixteenth = 16; sixteenth < 32; ++sixteenth) {
      add_around(std::ldexp(static_cast<float>(sixteenth), exponent - 4));
    }
  }
  run_all(values, ".f32");
}

}  // namespace
}  // namespace bankproof::ptx
