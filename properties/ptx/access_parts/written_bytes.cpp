// The bits of written bytes against a set of offsets.
#include "../../../ptx/memory/written_bytes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "footprints.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint64_t bytes_of_memory = 2048;

RC_GTEST_PROP(WrittenBytes, are_those_that_footprints_have_set, ()) {
  WrittenBytes written(bytes_of_memory, false);
  std::set<std::uint64_t> expected;
  for (int k = *rc::gen::inRange(0, 8); k > 0; --k) {
    const Footprint touched = writing(any_footprint(bytes_of_memory));
    written.set(touched, *rc::gen::arbitrary<bool>());
    each_lane(touched.lanes, [&](std::uint32_t lane) {
      for (std::uint32_t b = 0; b < touched.bytes; ++b) expected.insert(touched.at[lane] + b);
    });
  }
  for (std::uint64_t at = 0; at < bytes_of_memory; ++at) {
    RC_ASSERT(written.all(at, 1) == (expected.count(at) != 0));
  }
  std::uint64_t first = 0;
  while (expected.count(first) != 0) ++first;
  RC_ASSERT(written.first_missing(bytes_of_memory) == first);
  const Footprint read = reading(any_footprint(bytes_of_memory));
  LaneMask missing = 0;
  each_lane(read.lanes, [&](std::uint32_t lane) {
    for (std::uint32_t b = 0; b < read.bytes; ++b) {
      if (expected.count(read.at[lane] + b) == 0) missing |= LaneMask{1} << lane;
    }
  });
  RC_ASSERT(written.missing(read) == missing);
}

RC_GTEST_PROP(WrittenBytes, of_a_range_are_all_its_bytes_and_no_others, ()) {
  constexpr std::uint64_t few = 64;
  WrittenBytes written(few, false);
  std::set<std::uint64_t> expected;
  for (int k = *rc::gen::inRange(0, 6); k > 0; --k) {
    const auto begin = *rc::gen::inRange<std::uint64_t>(0, few);
    const auto end = *rc::gen::inRange<std::uint64_t>(begin, few + 1);
    const std::size_t before = expected.size();
    for (std::uint64_t at = begin; at < end; ++at) expected.insert(at);
    RC_ASSERT(written.set_range(begin, end) == (expected.size() != before));
    for (std::uint64_t at = 0; at < few; ++at) {
      RC_ASSERT(written.all(at, 1) == (expected.count(at) != 0));
    }
  }
}

TEST(WrittenBytes, of_a_new_memory_are_all_or_none) {
  for (const bool all : {false, true}) {
    const WrittenBytes written(128, all);
    EXPECT_EQ(written.missing(reading(strided(4, 0, 4))), all ? 0U : all_lanes);
    EXPECT_EQ(written.first_missing(128), all ? 128U : 0U);
  }
}

}  // namespace
}  // namespace bankproof::ptx
