// The judge forgets accesses to keep records and lists short, but misses no race: the first run
// suspects every race, and the second run reports it with both instructions.
#include <gtest/gtest.h>

#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

// A block clears a counter by a weak write, passes a barrier, and counts by strong writes. The
// record of the strong writes notes that only this block knows the weak write.
TEST(RaceRecords, a_counter_that_is_cleared_behind_a_barrier_is_its_blocks_own) {
  const Access count = access_to(Operation::reduction, Space::global);
  for (const bool by_another_block : {false, true}) {
    Pattern pattern;
    pattern.run([&] {
      const auto same = [](std::uint32_t) { return 0; };
      pattern.touch(pattern.warp(0, 0), access_to(Operation::store, Space::global), 0, same, 1);
      pattern.barrier(0);
      pattern.touch(pattern.warp(0, 0), count, 1, same);
      pattern.touch(pattern.warp(0, 1), count, 2, same);
      if (by_another_block) pattern.touch(pattern.warp(1, 0), count, 3, same, 1);
    });
    EXPECT_EQ(pattern.runs, by_another_block ? 2 : 1);
    ASSERT_EQ(pattern.worker->faults.all().size(), by_another_block ? 1U : 0U);
    if (!by_another_block) continue;
    const Fault& fault = pattern.worker->faults.all().begin()->second;
    EXPECT_EQ(fault.site, 3U);
    EXPECT_EQ(fault.other_site, 0U);
  }
}

TEST(RaceRecords, atomic_operations_of_the_lanes_of_a_warp_on_one_counter_are_not_suspected) {
  for (const Scope scope : {Scope::device, Scope::block}) {
    for (const Space space : {Space::global, Space::shared}) {
      Access count = access_to(Operation::reduction, space);
      count.scope = scope;
      Pattern pattern;
      pattern.run(
          [&] { pattern.touch(pattern.warp(0, 0), count, 0, [](std::uint32_t) { return 0; }); });
      EXPECT_EQ(pattern.runs, 1);
    }
  }
}

// Lanes, warps and blocks share words, but each byte is accessed only by volatile accesses or, if a
// block does so weakly, by others that race with it.
TEST(RaceRecords, volatile_bytes_of_one_word_are_judged_without_a_second_run) {
  for (const std::uint32_t bytes : {1U, 2U}) {
    for (const bool weak : {false, true}) {
      Access load = access_to(Operation::load, Space::global, bytes);
      Access store = access_to(Operation::store, Space::global, bytes);
      load.semantics = store.semantics = Semantics::relaxed;
      Pattern pattern;
      const auto place = [&](std::uint32_t lane) { return std::uint64_t{lane % 8 * bytes}; };
      pattern.run([&] {
        for (std::uint32_t round = 0; round < 2; ++round) {
          for (std::uint32_t b = 0; b < 2; ++b) {
            for (std::uint32_t k = 0; k < 2; ++k) {
              pattern.touch(pattern.warp(b, k), load, 0, place);
              pattern.touch(pattern.warp(b, k), store, 1, place, LaneMask{0xF0F});
            }
          }
        }
        if (!weak) return;
        const Access read = access_to(Operation::load, Space::global, bytes);
        pattern.touch(pattern.warp(1, 0), read, 2, place, 2);
      });
      EXPECT_EQ(pattern.runs, weak ? 2 : 1);
      ASSERT_EQ(pattern.worker->faults.all().size(), weak ? 1U : 0U);
      for (const auto& [key, fault] : pattern.worker->faults.all()) EXPECT_EQ(fault.site, 2U);
    }
  }
}

// Bytes at a distance are recorded as reads of their words, so that no sector is split. A store to
// another byte of such a word is then suspected; a run without merged records judges it by bytes.
TEST(RaceRecords, scattered_bytes_are_judged_by_their_words_and_then_by_themselves) {
  constexpr std::uint64_t none = 100;
  for (const std::uint64_t stored : {none, std::uint64_t{0}, std::uint64_t{2}, std::uint64_t{3}}) {
    Pattern pattern;
    pattern.launch.records = RaceRecording::merged;
    const Access load = access_to(Operation::load, Space::global, 1);
    const Access store = access_to(Operation::store, Space::global, 1);
    pattern.run([&] {
      const auto pixel = [](std::uint32_t lane) { return std::uint64_t{lane} * 3; };
      for (std::uint32_t b = 0; b < 2; ++b) {
        for (std::uint32_t k = 0; k < 2; ++k) pattern.touch(pattern.warp(b, k), load, 0, pixel);
      }
      if (stored == none) return;
      const auto place = [stored](std::uint32_t) { return stored; };
      pattern.touch(pattern.warp(1, 1), store, 1, place, 1);
    });
    const bool races = stored == 0 || stored == 3;
    EXPECT_EQ(pattern.runs, races ? 3 : stored == none ? 1 : 2) << stored;
    EXPECT_EQ(pattern.worker->faults.all().size(), races ? 1U : 0U) << stored;
    if (stored == none) {
      EXPECT_FALSE(pattern.memory[0].records(0).sector(0).write.is_split());
    }
  }
}

// Only a repeated launch watches words; the next launch starts with ordinary records.
TEST(RaceRecords, words_that_were_watched_are_judged_by_records_in_the_next_launch) {
  Pattern pattern;
  for (const std::uint32_t launch : {0U, 1U, 2U}) {
    pattern.launch.history.watched.clear();  // as in a new launch
    pattern.run([&] {
      const auto same = [](std::uint32_t) { return 0; };
      const Access store = access_to(Operation::store, Space::global);
      pattern.touch(pattern.warp(0, 0), store, 0, same, 1);
      if (launch != 1) pattern.touch(pattern.warp(1, 0), store, 1, same, 1);
    });
    EXPECT_EQ(pattern.runs, launch == 1 ? 1 : 2) << "launch " << launch;
    EXPECT_EQ(pattern.worker->faults.all().size(), launch == 1 ? 0U : 1U) << "launch " << launch;
  }
}

// When a list of accesses grows, the judge removes accesses that no later access can race with.
TEST(RaceRecords, a_write_that_its_own_thread_reads_many_times_still_races) {
  Pattern pattern;
  pattern.run([&] {
    pattern.store(pattern.warp(0, 0), 0, 0, 1);
    for (std::uint32_t site = 1; site < 40; ++site) pattern.load(pattern.warp(0, 0), site, 0, 1);
    pattern.load(pattern.warp(0, 1), 40, 0, 1);
  });
  EXPECT_EQ(pattern.runs, 2);
  ASSERT_EQ(pattern.worker->faults.all().size(), 1U);
  const Fault& fault = pattern.worker->faults.all().begin()->second;
  EXPECT_EQ(fault.site, 40U);
  EXPECT_EQ(fault.other_site, 0U);
}

TEST(RaceRecords, an_atomic_operation_of_the_block_races_after_many_of_the_device) {
  Pattern pattern;
  const auto flag = [](std::uint32_t) { return 0; };
  const Access of_device = access_to(Operation::atomic, Space::global);
  Access of_block = of_device;
  of_block.scope = Scope::block;
  pattern.run([&] {
    pattern.touch(pattern.warp(0, 0), of_block, 0, flag, 1);
    for (std::uint32_t site = 1; site < 40; ++site) {
      pattern.touch(pattern.warp(0, 0), of_device, site, flag, 1);
    }
    pattern.touch(pattern.warp(1, 0), of_device, 40, flag, 1);
  });
  ASSERT_EQ(pattern.worker->faults.all().size(), 1U);
  const Fault& fault = pattern.worker->faults.all().begin()->second;
  EXPECT_EQ(fault.site, 40U);
  EXPECT_EQ(fault.other_site, 0U);
}

TEST(RaceRecords, a_plain_read_before_a_volatile_one_races_with_an_atomic_operation) {
  for (const bool plain : {false, true}) {
    Pattern pattern;
    const auto word = [](std::uint32_t) { return 0; };
    Access relaxed = access_to(Operation::load, Space::global);
    relaxed.semantics = Semantics::relaxed;
    pattern.run([&] {
      if (plain) {
        pattern.touch(pattern.warp(0, 0), access_to(Operation::load, Space::global), 0, word, 1);
      }
      pattern.touch(pattern.warp(0, 0), relaxed, 1, word, 1);
      pattern.touch(pattern.warp(0, 1), access_to(Operation::atomic, Space::global), 2, word, 1);
    });
    const auto& faults = pattern.worker->faults.all();
    ASSERT_EQ(faults.size(), plain ? 1U : 0U);
    if (!plain) continue;
    EXPECT_EQ(faults.begin()->second.other_site, 0U);
  }
}

TEST(RaceRecords, keep_reads_of_bytes_beside_those_that_are_written) {
  Pattern pattern;
  pattern.run([&] {
    const Access byte = access_to(Operation::store, Space::global, 1);
    const Access word = access_to(Operation::load, Space::global);
    pattern.touch(
        pattern.warp(0, 0), word, 0, [](std::uint32_t) { return 0; }, 1);
    pattern.touch(
        pattern.warp(0, 0), byte, 1, [](std::uint32_t) { return 0; }, 1);
    pattern.touch(
        pattern.warp(0, 1), byte, 2, [](std::uint32_t) { return 3; }, 1);
  });
  ASSERT_EQ(pattern.worker->faults.all().size(), 1U);
  const Fault& fault = pattern.worker->faults.all().begin()->second;
  EXPECT_EQ(fault.site, 2U);
  EXPECT_EQ(fault.other_site, 0U);
}

TEST(RaceRecords, of_two_blocks_are_not_settled_by_a_barrier_of_one) {
  for (const Operation operation : {Operation::load, Operation::store}) {
    for (const RaceRecording records : {RaceRecording::sectors, RaceRecording::words}) {
      Pattern pattern;
      pattern.launch.records = records;
      pattern.run([&] {
        const auto same = [](std::uint32_t) { return 0; };
        const Access read = access_to(Operation::load, Space::global);
        for (std::uint32_t b = 0; b < 2; ++b) pattern.touch(pattern.warp(b, 0), read, b, same, 1);
        pattern.barrier(1);
        pattern.touch(pattern.warp(1, 1), access_to(operation, Space::global), 2, same, 1);
      });
      const bool writes = operation == Operation::store;
      ASSERT_EQ(pattern.worker->faults.all().size(), writes ? 1U : 0U);
      if (!writes) continue;
      const Fault& fault = pattern.worker->faults.all().begin()->second;
      EXPECT_EQ(fault.site, 2U);
      EXPECT_EQ(fault.other_site, 0U);
    }
  }
}

}  // namespace
}  // namespace bankproof::ptx
