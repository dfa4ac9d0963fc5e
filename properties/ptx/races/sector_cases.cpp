// Records of sectors in all small cases: which lanes a record of a row stands for, and the races of
// few accesses to two words of one sector, by several lanes, warps and blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

TEST(SectorCases, of_rows_stand_for_the_lanes_that_access_the_bytes) {
  for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U, 32U}) {
    for (std::uint64_t begin = 0; begin < 64; begin += std::max(4U, bytes)) {
      const SectorRow row(begin, bytes, 7, 3);
      for (std::size_t k = 0; k < row.sectors(); ++k) {
        const SectorRecord record = row.record(k);
        for (std::uint32_t byte = 0; byte < sector_bytes; ++byte) {
          const std::uint64_t at = (row.first_sector() + k) * sector_bytes + byte;
          const bool is_touched = at >= begin && at < begin + std::uint64_t{warp_lanes} * bytes;
          ASSERT_EQ((record.words() >> (byte / 4) & 1U) != 0, is_touched);
          if (!is_touched) continue;
          const std::uint32_t lane = detail::lane_of(record.word(byte / 4), byte % 4) % warp_lanes;
          ASSERT_EQ(lane, (at - begin) / bytes) << bytes << " bytes from " << begin << ", " << at;
        }
      }
    }
  }
}

TEST(SectorCases, of_lines_are_those_of_their_sectors) {
  for (const std::uint32_t bytes : {4U, 8U, 16U, 32U}) {
    for (std::uint64_t begin = 0; begin < 512; begin += bytes) {
      const SectorRow row(begin, bytes, 7, 3);
      ASSERT_EQ(row.fills_lines(), begin % SectorLine::bytes == 0);
      for (std::size_t k = 0; row.fills_lines() && k < row.lines(); ++k) {
        SectorLine::Four records;
        row.line(k, records);
        for (std::size_t at = 0; at < SectorLine::sectors; ++at) {
          EXPECT_EQ(records[at], row.record(k * SectorLine::sectors + at).bits());
        }
      }
    }
  }
}

TEST(SectorCases, of_one_lane_stand_for_this_lane) {
  for (const SectorForm form :
       {SectorForm::words, SectorForm::pairs, SectorForm::quads, SectorForm::one}) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      for (std::uint32_t word = 0; word < words_of_sector; ++word) {
        const std::uint32_t first = SectorRecord::first_lane(form, lane, word);
        EXPECT_EQ(SectorRecord::of(7, 3, form, first, 1U << word).lane_of(word), lane);
      }
    }
  }
}

/// An access of one lane to word 0 or 1.
struct WordAccess {
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::uint32_t word = 0;
  bool stores = false;

  bool same_thread(const WordAccess& other) const {
    return block == other.block && warp == other.warp && lane == other.lane;
  }
};

/// Four accesses; a barrier of block 0 may precede the last one.
struct WordAccesses {
  std::vector<WordAccess> all;
  bool behind_barrier = false;

  bool race() const {
    for (std::size_t j = 0; j < all.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        const WordAccess& a = all[i];
        const WordAccess& b = all[j];
        const bool ordered = behind_barrier && j == all.size() - 1 && a.block == 0 && b.block == 0;
        const bool conflict = a.word == b.word && (a.stores || b.stores) && !a.same_thread(b);
        if (conflict && !ordered) return true;
      }
    }
    return false;
  }

  bool is_found(Space space) const {
    Pattern pattern;
    pattern.launch.records = RaceRecording::merged;
    pattern.run([&] {
      for (std::uint32_t site = 0; site < all.size(); ++site) {
        const WordAccess& one = all[site];
        if (behind_barrier && site == all.size() - 1) pattern.barrier(0);
        pattern.touch(
            pattern.warp(one.block, one.warp),
            access_to(one.stores ? Operation::store : Operation::load, space), site,
            [&](std::uint32_t) { return 4 * one.word; }, LaneMask{1} << one.lane);
      }
    });
    const auto faults = pattern.faults();  // reads of unwritten words are reported, too
    return std::ranges::any_of(faults, [](const auto& said) { return said.starts_with("race"); });
  }
};

/// Tries all sequences of accesses by these threads, of which the first one accesses word 0.
void try_all(Space space, const std::vector<WordAccess>& threads) {
  std::vector<WordAccess> kinds;
  for (const WordAccess& thread : threads) {
    for (const std::uint32_t word : {0U, 1U}) {
      for (const bool stores : {false, true}) {
        kinds.push_back({thread.block, thread.warp, thread.lane, word, stores});
      }
    }
  }
  std::uint32_t races = 0;
  const auto count = static_cast<std::uint32_t>(kinds.size());
  for (std::uint32_t number = 0; number < 4 * count * count * count; ++number) {
    WordAccesses sequence;
    sequence.behind_barrier = (number & 1U) != 0;
    sequence.all.push_back(kinds[number >> 1U & 1U]);
    for (std::uint32_t rest = number / 4, k = 0; k < 3; ++k, rest /= count) {
      sequence.all.push_back(kinds[rest % count]);
    }
    const bool expected = sequence.race();
    races += expected ? 1 : 0;
    ASSERT_EQ(sequence.is_found(space), expected) << "sequence " << number;
  }
  EXPECT_GT(races, count * count * count);
  EXPECT_LT(races, 4 * count * count * count);
}

TEST(SectorCases, of_lanes_warps_and_blocks_have_the_races_of_the_definition) {
  try_all(Space::global, {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}});
}
TEST(SectorCases, of_lanes_and_warps_have_the_races_of_the_definition_in_shared_memory) {
  try_all(Space::shared, {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}});
}

/// Whether the accesses have a race.
bool sector_race(const std::function<void(Pattern&)>& accesses) {
  Pattern pattern;
  pattern.launch.records = RaceRecording::merged;
  pattern.run([&] { accesses(pattern); });
  return !pattern.faults().empty();
}

// A word of a row of small elements belongs to several lanes, of which only one accesses the whole
// word.
TEST(SectorCases, of_small_elements_race_with_whole_words) {
  for (const std::uint32_t bytes : {1U, 2U}) {
    for (const bool row_is_first : {false, true}) {
      for (const bool row_stores : {false, true}) {
        for (const bool is_ordered : {false, true}) {
          EXPECT_EQ(
              sector_race([&](Pattern& pattern) {
                const auto row = [&] {
                  pattern.touch(pattern.warp(0, 0),
                                access_to(row_stores ? Operation::store : Operation::load,
                                          Space::global, bytes),
                                0, [&](std::uint32_t lane) { return lane * bytes; });
                };
                const auto word = [&] {
                  pattern.touch(
                      pattern.warp(0, 0),
                      access_to(row_stores ? Operation::load : Operation::store, Space::global), 1,
                      [&](std::uint32_t) { return 0; }, 1);
                };
                row_is_first ? row() : word();
                if (is_ordered) pattern.barrier(0);
                row_is_first ? word() : row();
              }),
              !is_ordered)
              << bytes << row_is_first << row_stores;
        }
      }
    }
  }
}

// Another block has stored word 0. What happens to other words of the sector must not hide it
// behind a barrier of this block.
TEST(SectorCases, of_stores_of_another_block_outlast_a_barrier) {
  for (const bool short_ways : {false, true}) {
    EXPECT_TRUE(sector_race([&](Pattern& pattern) {
      pattern.launch.short_ways = short_ways;
      const auto touch = [&](std::uint32_t block, std::uint32_t warp, Operation operation,
                             std::uint64_t word) {
        pattern.touch(
            pattern.warp(block, warp), access_to(operation, Space::global), 0,
            [&](std::uint32_t) { return 4 * word; }, 1);
      };
      touch(1, 0, Operation::store, 0);
      touch(0, 0, Operation::store, 1);
      touch(0, 1, Operation::store, 2);
      pattern.barrier(0);
      touch(0, 0, Operation::load, 0);
    })) << short_ways;
  }
}

// Lane 0 has read word 0 in both reads, and may write it; nothing is suspected.
TEST(SectorCases, of_rows_of_two_kinds_know_lanes_that_both_share) {
  Pattern pattern;
  pattern.run([&] {
    const auto row = [&](std::uint32_t bytes) {
      Access load = access_to(Operation::load, Space::global);
      load.vector = bytes / 4;
      pattern.touch(pattern.warp(0, 0), load, 0, [&](std::uint32_t lane) { return lane * bytes; });
    };
    row(4);
    row(8);
    pattern.touch(
        pattern.warp(0, 0), access_to(Operation::store, Space::global), 1,
        [](std::uint32_t) { return 0; }, 1);
  });
  EXPECT_EQ(pattern.runs, 1);
  EXPECT_TRUE(pattern.faults().empty());
}

}  // namespace
}  // namespace bankproof::ptx
