// Accesses to whole rows, with consecutive elements in consecutive lanes. The machine has a
// shortcut that judges, checks and records such accesses, wherever the row begins. The tests also
// check what the stores do to memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::IsEmpty;

// One access covers a row of small elements, which can begin inside a word. The other access is to
// one element, by lane 5 of the same warp or of the other warp.
TEST(Rows, of_small_elements_race_with_other_lanes_at_their_elements_alone) {
  constexpr std::uint32_t lane = 5;
  for (const std::uint32_t bytes : {1U, 2U}) {
    for (const std::uint64_t begin : {4U, 5U, 6U, 7U}) {
      for (const std::uint64_t element : {begin - 1, begin, begin + 2, begin + lane - 1,
                                          begin + lane, begin + lane + 1, begin + 31, begin + 32}) {
        for (std::uint32_t number = 0; number < 16; ++number) {
          const std::uint32_t warp = number & 1U;
          const bool row_stores = (number & 2U) != 0;
          const bool lane_stores = (number & 4U) != 0;
          const auto what = [&](bool stores) {
            return access_to(stores ? Operation::store : Operation::load, Space::global, bytes);
          };
          Pattern pattern;
          pattern.launch.records =
              (number & 8U) != 0 ? RaceRecording::merged : RaceRecording::sectors;
          pattern.run([&] {
            pattern.touch(pattern.warp(0, 0), what(row_stores), 0,
                          [&](std::uint32_t k) { return (begin + k) * bytes; });
            pattern.touch(
                pattern.warp(0, warp), what(lane_stores), 1,
                [&](std::uint32_t) { return element * bytes; }, LaneMask{1} << lane);
          });
          const bool in_row = element >= begin && element < begin + warp_lanes;
          const bool own = warp == 0 && element == begin + lane;
          EXPECT_EQ(!pattern.faults().empty(), in_row && !own && (row_stores || lane_stores))
              << bytes << " bytes from " << begin << ", element " << element << ", " << number;
        }
      }
    }
  }
}

TEST(Rows, of_two_warps_race_where_they_overlap) {
  for (const bool first_stores : {false, true}) {
    for (const bool second_stores : {false, true}) {
      for (const std::uint64_t begin : {0U, 1U, 31U, 32U}) {
        Pattern pattern;
        pattern.run([&] {
          const auto touch = [&](std::uint32_t warp, bool stores, std::uint64_t from) {
            pattern.touch(pattern.warp(0, warp),
                          access_to(stores ? Operation::store : Operation::load, Space::global),
                          warp, [&](std::uint32_t lane) { return (from + lane) * 4; });
          };
          touch(0, first_stores, 0);
          touch(1, second_stores, begin);
        });
        EXPECT_EQ(!pattern.faults().empty(), begin < 32 && (first_stores || second_stores))
            << first_stores << second_stores << begin;
      }
    }
  }
}

// The record of the second read must not hide the first read.
TEST(Rows, that_two_warps_read_race_with_a_store_of_either) {
  for (const std::uint32_t writer : {0U, 1U}) {
    Pattern pattern;
    pattern.run([&] {
      const auto place = [](std::uint32_t lane) { return lane * 4; };
      const Access load = access_to(Operation::load, Space::global);
      for (std::uint32_t w = 0; w < 2; ++w) pattern.touch(pattern.warp(0, w), load, w, place);
      pattern.touch(pattern.warp(0, writer), access_to(Operation::store, Space::global), 2, place);
    });
    ASSERT_EQ(pattern.worker->faults.all().size(), 1U);
    EXPECT_EQ(pattern.worker->faults.all().begin()->second.other_site, 1 - writer);
  }
}

/// 32 threads and an unwritten buffer.
class Unwritten : public TestLaunch {
 public:
  explicit Unwritten(std::uint64_t bytes) : TestLaunch(1, 32, 0) {
    memory.add_buffer("out", bytes, false);
    start();
  }
  /// Each lane accesses one byte; the bytes are consecutive.
  void touch(Operation operation, std::uint64_t begin, LaneMask lanes = all_lanes) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      addresses()[lane] = buffer_address(0) + begin + lane;
    }
    access(warp(0, 0), access_to(operation, Space::global, 1), lanes, 0, LaneType::b16);
  }
};

TEST(Rows, are_read_without_a_word_only_where_all_bytes_were_written) {
  for (std::uint64_t begin = 0; begin < 10; ++begin) {
    for (const std::uint32_t missing : {0U, 1U, 7U, 8U, 30U, 31U, 32U}) {
      Unwritten launch(64);
      const LaneMask written = missing < 32 ? ~(LaneMask{1} << missing) : all_lanes;
      if (begin > 0) launch.touch(Operation::store, begin - 1, 1);
      launch.touch(Operation::store, begin, written);
      launch.touch(Operation::load, begin);
      const auto& faults = launch.worker->faults.all();
      ASSERT_EQ(faults.size(), missing < 32 ? 1U : 0U) << begin << " " << missing;
      if (missing < 32) {
        EXPECT_EQ(faults.begin()->second.thread.thread, missing);
      }
    }
  }
}

TEST(Rows, write_their_own_bytes_and_no_others) {
  for (std::uint64_t begin = 0; begin < 10; ++begin) {
    Unwritten launch(64);
    launch.touch(Operation::store, begin);
    for (std::uint64_t at = 0; at < 64; ++at) {
      EXPECT_EQ(launch.memory[0].shadow.written.all(at, 1), at >= begin && at < begin + 32)
          << begin << " " << at;
    }
  }
}

// For a repeated run, the machine restores the bytes and the bits that mark bytes as written, also
// at the end of a buffer whose size is no multiple of 8.
TEST(Rows, that_a_run_stored_at_the_end_of_a_buffer_are_undone) {
  for (const std::uint64_t bytes : {1U, 8U, 9U, 15U, 33U, 4097U, 4103U, 8192U}) {
    Unwritten launch(bytes);
    std::fill_n(launch.value<std::uint16_t>(0), warp_lanes, std::uint16_t{7});
    launch.touch(Operation::store, bytes - 1, 1);
    EXPECT_EQ(launch.memory[0].data[bytes - 1], std::byte{7});
    EXPECT_TRUE(launch.memory[0].shadow.written.all(bytes - 1, 1));
    repeat_launch(launch.launch);
    EXPECT_EQ(launch.memory[0].data[bytes - 1], std::byte{0}) << bytes;
    EXPECT_FALSE(launch.memory[0].shadow.written.all(bytes - 1, 1)) << bytes;
  }
}

// The machine reports that a launch never returns only if nothing changes, so it must count every
// change.
TEST(Rows, and_single_elements_count_as_changes_when_they_change_a_byte) {
  const Access store = access_to(Operation::store, Space::global);
  const Access exchange = access_to(Operation::reduction, Space::global);
  for (const Access& what : {store, exchange}) {
    for (const LaneMask lanes : {all_lanes, LaneMask{0b1011}}) {
      TestLaunch launch(1, 32, 0);
      launch.memory.add_buffer("out", 128, true);
      launch.start();
      const auto changes = [&](std::uint32_t value) {
        const std::uint64_t before = launch.worker->changes;
        std::fill_n(launch.value<std::uint32_t>(0), warp_lanes, 0U);
        launch.value<std::uint32_t>(0)[1] = value;
        for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
          launch.addresses()[lane] = buffer_address(0) + lane * 4;
        }
        launch.access(launch.warp(0, 0), what, lanes, 0);
        return launch.worker->changes - before;
      };
      EXPECT_EQ(changes(0), 0U);
      EXPECT_EQ(changes(5), 1U);
      EXPECT_EQ(changes(5), 0U);
      EXPECT_EQ(changes(0x05000000), 1U);
    }
  }
}

TEST(Rows, are_counted_with_their_lanes_lines_and_sectors) {
  TestLaunch launch(1, 32, 0);
  launch.memory.add_buffer("out", 1024, true);
  launch.start();
  const auto load = [&](std::uint64_t begin, LaneMask lanes) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      launch.addresses()[lane] = buffer_address(0) + begin + lane * 4;
    }
    launch.access(launch.warp(0, 0), access_to(Operation::load, Space::global), lanes, 0);
  };
  load(0, all_lanes);
  load(64, all_lanes);
  load(0, 0xFF);
  const AccessCounts& counts = launch.worker->costs.counts()[0];
  EXPECT_EQ(counts.accesses, 3U);
  EXPECT_EQ(counts.lanes, 72U);
  EXPECT_EQ(counts.lines, 1U + 2U + 1U);
  EXPECT_EQ(counts.ideal_lines, 3U);
  EXPECT_EQ(counts.sectors, 4U + 4U + 1U);
  EXPECT_EQ(counts.ideal_sectors, 9U);
  ASSERT_TRUE(counts.worst_global);
  EXPECT_EQ(counts.worst_global->lanes, all_lanes);
  EXPECT_EQ(counts.worst_global->addresses[1], 4U);
}

// Some lanes access memory outside of the buffer, so they are not served; a picture draws them at
// the address of a served lane.
TEST(Rows, are_pictured_without_lanes_that_lie_outside) {
  TestLaunch launch(1, 32, 256);
  launch.start();
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    launch.addresses()[lane] = lane % 8 == 0 ? 4096 : lane * 4;
  }
  launch.access(launch.warp(0, 0), access_to(Operation::store, Space::shared), all_lanes, 0);
  const auto& worst = launch.worker->costs.counts()[0].worst_shared;
  ASSERT_TRUE(worst);
  EXPECT_EQ(worst->lanes, 0xFEFEFEFEU);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    EXPECT_EQ(worst->addresses[lane], lane % 8 == 0 ? 4U : lane * 4U);
  }
}

// ---- Launches one after the other

TEST(Rows, of_a_launch_are_not_ordered_by_barriers_of_the_one_before) {
  Pattern pattern;
  pattern.run([&] {
    pattern.store(pattern.warp(0, 0), 0, 0);
    pattern.barrier(0);
    pattern.load(pattern.warp(0, 1), 1, 0);
  });
  EXPECT_THAT(pattern.faults(), IsEmpty());
  pattern.run([&] {
    pattern.store(pattern.warp(0, 0), 0, 0);
    pattern.load(pattern.warp(0, 1), 1, 0);
  });
  EXPECT_EQ(pattern.faults().size(), 1U);
  EXPECT_EQ(pattern.runs, 2);
}

TEST(Rows, that_are_copied_are_not_waited_for_in_the_launch_before) {
  Pattern pattern;
  pattern.launch.copies = true;
  for (const bool waits : {true, false}) {
    pattern.run([&] {
      MemoryWarp& warp = pattern.warp(0, 0);
      for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
        pattern.addresses()[lane] = lane * 4;
        pattern.sources()[lane] = buffer_address(0) + lane * 4;
      }
      pattern.copy(warp, 4, all_lanes, 0);
      if (waits) wait_for_all_copies(warp, all_lanes);
      pattern.load(warp, 1, 0);
    });
    EXPECT_EQ(pattern.faults().size(), waits ? 0U : 1U);
  }
}

TEST(Rows, are_of_the_warp_as_which_it_was_started_last) {
  Pattern pattern;
  pattern.start();
  MemoryWarp& warp = pattern.warp(0, 1);
  start_warp(warp, pattern.launch, pattern.block(0), *pattern.worker, 0);
  EXPECT_EQ(warp.name(3).thread, 3U);
  start_warp(warp, pattern.launch, pattern.block(0), *pattern.worker, 1);
  EXPECT_EQ(warp.name(3).thread, 35U);
}

}  // namespace
}  // namespace bankproof::ptx
