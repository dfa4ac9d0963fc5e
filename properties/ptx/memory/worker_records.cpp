// Two workers run a block each. Afterwards, the comparison of their records finds whether the
// blocks conflict, as the plain comparison of all their accesses does.
#include "../../../ptx/memory/worker_records.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "memory_support.hpp"

namespace bankproof::ptx {
namespace {

constexpr std::uint32_t shared_buffer_bytes = 3 * 4096 + 64;

/// The access of one lane.
struct Touch {
  std::uint64_t at = 0;
  std::uint32_t bytes = 4;
  bool writes = false;
  bool strong = false;
};

/// Whether two accesses of different blocks race.
bool race(const Touch& a, const Touch& b) {
  const bool overlap = a.at < b.at + b.bytes && b.at < a.at + a.bytes;
  const bool same_element = a.at == b.at && a.bytes == b.bytes;
  return overlap && (a.writes || b.writes) && !(a.strong && b.strong && same_element);
}

bool race(const std::vector<Touch>& all, const std::vector<Touch>& others) {
  return std::ranges::any_of(all, [&](const Touch& a) {
    return std::ranges::any_of(others, [&](const Touch& b) { return race(a, b); });
  });
}

/// Blocks of a launch, each with its own worker.
class Workers : public TestLaunch {
 public:
  explicit Workers(RaceRecording records, std::uint32_t workers = 2) : TestLaunch(workers, 64, 64) {
    memory.add_buffer("a", shared_buffer_bytes, true);
    launch.records = records;
    launch.several = true;
    start();
    for (std::uint32_t number = 1; number < workers; ++number) {
      others_.push_back(std::make_unique<Worker>(MachineRules::of("hmm"), 64));
      others_.back()->number = number;
      for (std::uint32_t k = 0; k < warps_per_block(); ++k) {
        warp(number, k).worker = others_.back().get();
      }
    }
    make_records(memory, workers);
  }

  /// Returns what the lanes did.
  std::vector<Touch> touch(std::uint32_t block, Operation operation, std::uint32_t bytes,
                           std::uint64_t first, std::uint64_t distance, LaneMask lanes) {
    std::vector<Touch> touches;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint64_t at = (first + lane * distance) * bytes % shared_buffer_bytes;
      addresses()[lane] = buffer_address(0) + at;
      if ((lanes >> lane & 1U) == 0) continue;
      touches.push_back({at, bytes, operation != Operation::load, operation == Operation::atomic});
    }
    access(warp(block, first % 2), access_to(operation, Space::global, bytes), lanes, 0,
           bytes == 8   ? LaneType::b64
           : bytes == 4 ? LaneType::b32
                        : LaneType::b16);
    return touches;
  }

 private:
  std::vector<std::unique_ptr<Worker>> others_;
};

TEST(WorkerRecords, of_one_word_that_two_blocks_touch_conflict_if_one_writes) {
  for (const Operation mine : {Operation::load, Operation::store, Operation::atomic}) {
    for (const Operation theirs : {Operation::load, Operation::store, Operation::atomic}) {
      for (const std::uint64_t other : {1000U, 1001U}) {
        Workers run(RaceRecording::merged);
        run.touch(0, mine, 4, 1000, 1, 1);
        run.touch(1, theirs, 4, other, 1, 1);
        const bool harmless = mine == theirs && mine != Operation::store;
        EXPECT_EQ(workers_conflict(run.launch), other == 1000 && !harmless);
      }
    }
  }
}

TEST(WorkerRecords, of_any_two_of_several_workers_are_compared) {
  for (std::uint32_t a = 0; a < 4; ++a) {
    for (std::uint32_t b = 0; b < 4; ++b) {
      for (const Operation theirs : {Operation::load, Operation::store}) {
        Workers run(RaceRecording::merged, 4);
        run.touch(a, Operation::store, 4, 2000, 1, 1);
        run.touch(b, theirs, 4, 2000, 1, 1);
        EXPECT_EQ(workers_conflict(run.launch), a != b) << a << " and " << b;
      }
    }
  }
}

// The first access to a page provides memory for the records of later pages.
TEST(WorkerRecords, of_a_page_stay_when_the_page_before_is_touched) {
  Workers run(RaceRecording::merged);
  run.touch(1, Operation::store, 4, 2 * 1024, 1, 1);
  run.touch(1, Operation::load, 4, 0, 1, 1);
  run.touch(0, Operation::load, 4, 2 * 1024, 1, 1);
  EXPECT_TRUE(workers_conflict(run.launch));
}

// Each word of the last page, which is cut off, and of the line before it.
TEST(WorkerRecords, of_each_word_are_compared) {
  for (std::uint64_t word = 3 * 4096 / 4 - 32; word < shared_buffer_bytes / 4; ++word) {
    for (const Operation mine : {Operation::load, Operation::store}) {
      Workers run(RaceRecording::merged);
      run.touch(0, mine, 4, word, 1, 1);
      run.touch(1, Operation::store, 4, word, 1, 1);
      EXPECT_TRUE(workers_conflict(run.launch)) << word;
    }
  }
}

// The atomic operations hide the store, which only their own block knows.
TEST(WorkerRecords, of_atomic_operations_conflict_if_they_hide_a_store) {
  for (const std::uint32_t storing : {0U, 1U}) {
    Workers run(RaceRecording::merged);
    run.touch(storing, Operation::store, 4, 1000, 1, 1);
    run.barrier(storing);
    run.touch(storing, Operation::atomic, 4, 1000, 1, 1);
    run.touch(1 - storing, Operation::atomic, 4, 1000, 1, 1);
    EXPECT_TRUE(workers_conflict(run.launch)) << storing;
  }
}

TEST(WorkerRecords, of_an_earlier_launch_do_not_conflict) {
  Workers run(RaceRecording::merged);
  run.touch(0, Operation::store, 4, 0, 1, all_lanes);
  run.start();
  run.touch(1, Operation::store, 4, 0, 1, all_lanes);
  EXPECT_FALSE(workers_conflict(run.launch));
}

RC_GTEST_PROP(WorkerRecords, conflict_where_accesses_of_two_blocks_race, ()) {
  const auto records =
      *rc::gen::element(RaceRecording::merged, RaceRecording::sectors, RaceRecording::words);
  Workers run(records);
  std::vector<std::vector<Touch>> touches(2);
  const auto steps = *rc::gen::inRange(2, 12);
  const auto either_block = rc::gen::element(0U, 1U);
  const bool same_page = *rc::gen::arbitrary<bool>();
  for (int step = 0; step < steps; ++step) {
    const auto block = *either_block;
    const auto operation =
        *rc::gen::element(Operation::load, Operation::load, Operation::store, Operation::atomic);
    const auto bytes = operation == Operation::atomic ? *rc::gen::element(4U, 8U)
                                                      : *rc::gen::element(1U, 2U, 4U, 8U);
    // Blocks mostly stay in halves of their own, so that not all programs conflict.
    const std::uint64_t half = *rc::gen::inRange(0, 4) == 0 ? 1 - block : block;
    const auto first =
        half * (same_page ? 64 : 800) + *rc::gen::inRange(std::uint64_t{0}, std::uint64_t{32});
    const auto lanes = *rc::gen::element(all_lanes, LaneMask{0xFF}, LaneMask{1});
    const auto distance = *rc::gen::element(1U, 1U, 2U);
    const auto some = run.touch(block, operation, bytes, first, distance, lanes);
    touches[block].insert(touches[block].end(), some.begin(), some.end());
  }
  const bool expected = race(touches[0], touches[1]);
  RC_CLASSIFY(expected, "conflict");
  if (expected) {
    RC_ASSERT(workers_conflict(run.launch));
    return;
  }
  // The records of words with atomic accesses may stand for more accesses than there were, and so
  // may merged records of small elements.
  const auto is_exact = [&](const Touch& touch) {
    return !touch.strong && (touch.bytes >= 4 || records != RaceRecording::merged);
  };
  if (std::ranges::all_of(touches[0], is_exact) && std::ranges::all_of(touches[1], is_exact)) {
    RC_ASSERT(!workers_conflict(run.launch));
  }
}

}  // namespace
}  // namespace bankproof::ptx
