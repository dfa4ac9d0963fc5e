// The bytes of an access against a loop over lanes and bytes.
#include "../../../ptx/memory/storage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "footprints.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint64_t size = 4096;

std::vector<std::byte> some_bytes() {
  std::vector<std::byte> bytes(size);
  for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<std::byte>(k * 7 + k / 256);
  return bytes;
}

LaneBytes any_values() {
  LaneBytes values;
  const auto seed = *rc::gen::inRange(0U, 3U);
  // For one of three seeds, all lanes have the same bytes, 0; for the other seeds, the bytes
  // differ.
  for (std::size_t k = 0; k < values.bytes.size(); ++k) {
    values.bytes[k] = static_cast<std::byte>(seed == 0 ? 0 : k % 32 * seed + k / 256);
  }
  return values;
}

RC_GTEST_PROP(Storage, loads_the_bytes_of_active_lanes_only, ()) {
  const std::vector<std::byte> data = some_bytes();
  const Footprint touched = reading(any_footprint(size));
  LaneBytes values;
  values.bytes.fill(std::byte{0xEE});
  load_bytes(data.data(), touched, values);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const bool active = (touched.lanes >> lane & 1U) != 0;
    for (std::uint32_t k = 0; k < touched.bytes; ++k) {
      RC_ASSERT(value_of(values, lane, touched.bytes)[k] ==
                (active ? data[touched.at[lane] + k] : std::byte{0xEE}));
    }
  }
}

RC_GTEST_PROP(Storage, stores_lane_after_lane_and_counts_changes, ()) {
  std::vector<std::byte> data = some_bytes();
  std::vector<std::byte> expected = data;
  const Footprint touched = writing(any_footprint(size));
  const LaneBytes values = any_values();
  std::uint64_t changes = 0;
  each_lane(touched.lanes, [&](std::uint32_t lane) {
    bool changed = false;
    for (std::uint32_t k = 0; k < touched.bytes; ++k) {
      std::byte& to = expected[touched.at[lane] + k];
      const std::byte from = values.bytes[std::size_t{lane} * touched.bytes + k];
      changed = changed || to != from;
      to = from;
    }
    changes += changed ? 1 : 0;
  });
  const std::uint64_t counted = store_bytes(data.data(), touched, values);
  RC_ASSERT(data == expected);
  RC_ASSERT(counted == (touched.contiguous ? std::uint64_t{changes != 0} : changes));
}

RC_GTEST_PROP(Storage, collides_where_lanes_write_different_values_to_an_offset, ()) {
  Footprint touched = writing(any_footprint(1024));
  for (std::uint64_t& at : touched.at) at %= 8 * std::uint64_t{touched.bytes};
  const LaneBytes values = any_values();
  std::set<std::pair<std::uint32_t, std::uint32_t>> expected;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    for (std::uint32_t before = 0; before < lane; ++before) {
      const LaneMask both = LaneMask{1} << lane | LaneMask{1} << before;
      if ((touched.lanes & both) != both || touched.at[lane] != touched.at[before]) continue;
      for (std::uint32_t k = 0; k < touched.bytes; ++k) {
        if (value_of(values, lane, touched.bytes)[k] !=
            value_of(values, before, touched.bytes)[k]) {
          expected.emplace(lane, before);
        }
      }
    }
  }
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  each_collision(touched, values,
                 [&](std::uint32_t lane, std::uint32_t before) { found.emplace(lane, before); });
  RC_ASSERT(found == expected);
}

TEST(Storage, clears_the_values_of_these_lanes_only) {
  LaneBytes values;
  values.bytes.fill(std::byte{1});
  clear_values(values, 0b10, 4);
  for (std::size_t k = 0; k < values.bytes.size(); ++k) {
    EXPECT_EQ(values.bytes[k], std::byte{k < 4 || k >= 8}) << k;
  }
}

}  // namespace
}  // namespace bankproof::ptx
