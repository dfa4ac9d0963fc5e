// The bounds of an access: each lane alone, and the quick check of all lanes.
#include "../../../ptx/memory/bounds.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "footprints.hpp"

namespace bankproof::ptx {
namespace {

RC_GTEST_PROP(Bounds, are_broken_by_the_lanes_whose_bytes_the_memory_lacks, ()) {
  const auto size = *rc::gen::inRange<std::uint64_t>(0, 200);
  Footprint touched;
  touched.bytes = *rc::gen::element(1U, 2U, 4U, 8U, 16U, 32U);
  touched.lanes = *rc::gen::inRange<LaneMask>(1, all_lanes);
  for (std::uint64_t& at : touched.at) {
    // Some offsets are just below zero, and wrap around.
    at = *rc::gen::inRange<std::uint64_t>(0, 260) - 30;
  }
  fill_inactive(touched.at, touched.lanes);
  const OutOfBounds wrong = out_of_bounds(touched, size);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const auto first = static_cast<std::int64_t>(touched.at[lane]);
    const bool inside =
        first >= 0 && first + std::int64_t{touched.bytes} <= static_cast<std::int64_t>(size);
    const bool active = (touched.lanes >> lane & 1U) != 0;
    RC_ASSERT((wrong.outside >> lane & 1U) == LaneMask{active && !inside});
    RC_ASSERT((wrong.misaligned >> lane & 1U) ==
              LaneMask{active && inside && first % touched.bytes != 0});
  }
  RC_ASSERT(all_in_bounds(touched, size) == (wrong.lanes() == 0));
}

TEST(Bounds, of_a_memory_end_with_its_last_whole_element) {
  EXPECT_TRUE(all_in_bounds(strided(4, 0, 4), 128));
  EXPECT_FALSE(all_in_bounds(strided(4, 0, 4), 127));
  EXPECT_EQ(out_of_bounds(strided(4, 0, 4), 127).outside, LaneMask{1} << 31U);
  EXPECT_EQ(out_of_bounds(strided(4, 2, 4), 130).misaligned, all_lanes);
}

}  // namespace
}  // namespace bankproof::ptx
