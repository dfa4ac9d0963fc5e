// The publications of strong writes, by element, and the clocks in them.
#include "../../../ptx/races/publications.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace bankproof::ptx {
namespace {

// ---- Clocks

constexpr std::array<WarpNumber, 6> known_warps{1, 2, 3, 6, 64, 1U << 25U};

/// A clock that knows the warps of `set`, a bit for each of known_warps; each warp has different
/// epochs.
Clock clock_of_set(std::uint32_t set, Epoch epoch) {
  Clock clock;
  for (std::uint32_t k = 0; k < known_warps.size(); ++k) {
    if ((set >> k & 1U) == 0) continue;
    LaneEpochs epochs;
    epochs.fill(epoch + k);
    epochs[k] = epoch + k + 10;
    clock = clock.joined(Clock(known_warps[k], epochs));
  }
  return clock;
}

TEST(Clocks, know_what_either_knows) {
  for (std::uint32_t a = 0; a < 64; ++a) {
    for (std::uint32_t b = 0; b < 64; ++b) {
      const Clock joined = clock_of_set(a, 100).joined(clock_of_set(b, 200));
      for (std::uint32_t k = 0; k < known_warps.size(); ++k) {
        const Epoch epoch = (b >> k & 1U) != 0 ? 200 + k : (a >> k & 1U) != 0 ? 100 + k : 0;
        ASSERT_EQ(joined.of_all_lanes(known_warps[k]), epoch) << a << " " << b;
        ASSERT_EQ(joined.of(known_warps[k], k), epoch == 0 ? 0 : epoch + 10) << a << " " << b;
        ASSERT_EQ(joined.of(known_warps[k], 31), epoch) << a << " " << b;
      }
      ASSERT_EQ(joined.of_all_lanes(5), 0U);
      ASSERT_EQ(joined.of_all_lanes(0), 0U);
    }
  }
}

TEST(Clocks, take_of_each_lane_the_later_epoch) {
  LaneEpochs rising{};
  LaneEpochs falling{};
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    rising[lane] = lane + 1;
    falling[lane] = warp_lanes - lane;
  }
  const Clock joined = Clock(9, rising).joined(Clock(9, falling));
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    EXPECT_EQ(joined.of(9, lane), std::max(lane + 1, warp_lanes - lane));
  }
  EXPECT_EQ(joined.of_all_lanes(9), 17U) << "those of lanes 15 and 16";
}

// In a chain of blocks, each block passes its clock, which knows all earlier blocks, to the next
// block. This must not copy the clock.
TEST(Clocks, that_learn_nothing_stay_one_object) {
  for (std::uint32_t set = 1; set < 64; ++set) {
    const Clock all = clock_of_set(set, 100);
    for (std::uint32_t part = 0; part < 64; ++part) {
      if ((part & ~set) != 0) continue;
      EXPECT_TRUE(all.joined(clock_of_set(part, 100)).same(all)) << set << " " << part;
      EXPECT_TRUE(all.joined(clock_of_set(part, 50)).same(all)) << set << " " << part;
      EXPECT_TRUE(clock_of_set(part, 50).joined(all).same(all)) << set << " " << part;
    }
  }
}

// ---- Publications

/// A block's publication for `bytes` bytes. Threads that read it know all that the block's warp did
/// up to epoch 1.
Publication publication_by(WarpNumber block, bool to_device, std::uint32_t bytes = 4) {
  LaneEpochs epochs;
  epochs.fill(1);
  const Clock clock(block + 10, epochs);
  Publication result;
  result.bytes = bytes;
  result.written_by = block;
  result.written_to_device = to_device;
  if (to_device) result.device = clock;
  result.block.emplace(block, clock);
  return result;
}

/// The blocks whose warps a thread of the device knows after it has read the publication.
std::vector<std::uint64_t> blocks_in(const Publication* found) {
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t block = 0; found != nullptr && block < 8; ++block) {
    if (found->device.of(static_cast<WarpNumber>(block + 10), 0) == 1) blocks.push_back(block);
  }
  return blocks;
}

using Blocks = std::vector<std::uint64_t>;

TEST(Publications, belong_to_an_element_of_one_size) {
  Publications all;
  EXPECT_TRUE(all.empty());
  all.put(64, publication_by(1, true));
  EXPECT_FALSE(all.empty());
  EXPECT_EQ(blocks_in(all.find(64, 4)), Blocks{1});
  EXPECT_EQ(all.find(64, 8), nullptr);
  EXPECT_EQ(all.find(68, 4), nullptr);
  all.put(64, publication_by(2, true));
  EXPECT_EQ(blocks_in(all.find(64, 4)), Blocks{2});
  all.clear();
  EXPECT_TRUE(all.empty());
  EXPECT_EQ(all.find(64, 4), nullptr);
}

TEST(Publications, end_where_one_of_their_bytes_is_written) {
  for (std::uint64_t at = 48; at < 96; ++at) {
    for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U}) {
      if (at % bytes != 0) continue;
      Publications all;
      all.put(64, publication_by(1, true, 8));
      all.end(at, bytes);
      const bool overlaps = at < 72 && at + bytes > 64;
      EXPECT_EQ(all.find(64, 8) == nullptr, overlaps) << at << " " << bytes;
      // Another element that begins at the same address also ends the publication.
      all.put(64, publication_by(1, true, 8));
      all.put(at, publication_by(2, true, bytes));
      EXPECT_EQ(blocks_in(all.find(64, 8)) == Blocks{1}, !overlaps) << at << " " << bytes;
    }
  }
}

TEST(Publications, are_handed_on_by_who_adds_to_them_in_their_reach) {
  Publications all;
  all.add(64, publication_by(1, true));
  all.add(64, publication_by(2, true));
  EXPECT_EQ(blocks_in(all.find(64, 4)), (Blocks{1, 2}));
  const Publication* found = all.find(64, 4);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->block.size(), 2U);
  EXPECT_TRUE(found->reaches(2, false));
  EXPECT_FALSE(found->reaches(1, false)) << "the last write is another block's";
  EXPECT_FALSE(found->reaches(3, false));
  EXPECT_TRUE(found->reaches(3, true));
  // With block scope, the last writer's publication no longer reaches other blocks.
  all.add(64, publication_by(2, false));
  EXPECT_EQ(blocks_in(all.find(64, 4)), (Blocks{1, 2}));
  EXPECT_FALSE(all.find(64, 4)->reaches(3, true));
  EXPECT_TRUE(all.find(64, 4)->reaches(2, true));
  all.add(64, publication_by(3, true));
  EXPECT_EQ(blocks_in(all.find(64, 4)), Blocks{3});
  all.add(64, publication_by(4, true, 8));
  EXPECT_EQ(all.find(64, 4), nullptr);
  EXPECT_EQ(blocks_in(all.find(64, 8)), Blocks{4});
}

TEST(Publications, of_arrivals_are_seen_when_their_phase_is_complete) {
  Publications all;
  all.arrive(64, publication_by(1, true, 8), false);
  EXPECT_FALSE(all.empty());
  EXPECT_EQ(all.find(64, 8), nullptr);
  all.arrive(64, publication_by(2, true, 8), true);
  EXPECT_EQ(blocks_in(all.find(64, 8)), (Blocks{1, 2}));
  all.arrive(64, publication_by(3, true, 8), false);
  EXPECT_EQ(blocks_in(all.find(64, 8)), (Blocks{1, 2}));
  all.end(64, 8);
  EXPECT_TRUE(all.empty());
  // Arrivals of an ended phase do not belong to the next phase.
  all.arrive(64, publication_by(4, true, 8), true);
  EXPECT_EQ(blocks_in(all.find(64, 8)), Blocks{4});
  all.arrive(64, publication_by(5, true, 8), false);
  all.clear();
  EXPECT_TRUE(all.empty());
}

}  // namespace
}  // namespace bankproof::ptx
