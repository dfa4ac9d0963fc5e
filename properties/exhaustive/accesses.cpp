// All small accesses instead of a sample: every access of every width up to 4, to addresses below
// 3w, with every mask. The oracle, which feeds the pipeline one request at a time, counts the same
// stages (rows M1, M2, M9).
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "../../testing/laws.hpp"

namespace bankproof {
namespace {

using testing::WarpAccess;

/// Assigns "masked" or an address below `addresses` to each of `width` lanes; calls f for every
/// such assignment.
template <class F>
std::uint64_t for_each_access(Width width, Address addresses, F f) {
  WarpAccess access{width, std::vector<std::optional<Address>>(width)};
  std::uint64_t count = 0;
  for (;;) {
    f(access);
    ++count;
    Width lane = 0;
    for (; lane < width; ++lane) {  // count up; "masked" is the digit before 0
      auto& digit = access.lanes[lane];
      digit = digit ? *digit + 1 : 0;
      if (*digit < addresses) break;
      digit.reset();
    }
    if (lane == width) return count;
  }
}

class AllAccesses : public ::testing::TestWithParam<Width> {};

TEST_P(AllAccesses, take_the_stages_of_the_pipeline) {
  const Width width = GetParam();
  const Address addresses = Address{3} * width;
  const std::uint64_t count = for_each_access(width, addresses, [&](const WarpAccess& access) {
    const auto banks = testing::stages(MemoryKind::banks, access);
    const auto groups = testing::stages(MemoryKind::groups, access);
    ASSERT_EQ(banks, oracle::dmm_stages(access.lanes, width).count) << access;
    ASSERT_EQ(groups, oracle::umm_stages(access.lanes, width).count) << access;
    ASSERT_LE(banks, groups) << access;
    ASSERT_LE(groups, width) << access;
  });
  std::uint64_t expected = 1;
  for (Width lane = 0; lane < width; ++lane) expected *= addresses + 1;
  EXPECT_EQ(count, expected);
}

INSTANTIATE_TEST_SUITE_P(Width, AllAccesses, ::testing::Values(1, 2, 3, 4));

}  // namespace
}  // namespace bankproof
