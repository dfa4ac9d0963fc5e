// Patterns of real kernels: the first run accepts patterns without races. For a missing barrier or
// fence, the machine reports both instructions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(RacePatterns, a_tile_is_transposed_behind_a_barrier) {
  for (const bool with_barrier : {true, false}) {
    Pattern pattern;
    pattern.run([&] {
      for (std::uint32_t k = 0; k < 2; ++k) pattern.store(pattern.warp(0, k), 0, k * 128);
      if (with_barrier) pattern.barrier(0);
      for (std::uint32_t k = 0; k < 2; ++k) pattern.load(pattern.warp(0, k), 1, 128 - k * 128);
    });
    if (with_barrier) {
      EXPECT_THAT(pattern.faults(), IsEmpty());
      EXPECT_EQ(pattern.runs, 1);
    } else {
      EXPECT_EQ(pattern.runs, 2);
      EXPECT_THAT(pattern.faults(),
                  ElementsAre("race: load at byte 128 of shared memory is not ordered with a write "
                              "by block 0, thread 32"));
      const Fault& fault = pattern.worker->faults.all().begin()->second;
      EXPECT_EQ(fault.site, 1U);
      EXPECT_EQ(fault.other_site, 0U);
      EXPECT_EQ(fault.count, 32U + 32U);
    }
  }
}

TEST(RacePatterns, lanes_of_a_warp_need_a_warp_barrier) {
  for (const bool with_barrier : {true, false}) {
    Pattern pattern;
    pattern.run([&] {
      MemoryWarp& one = pattern.warp(0, 0);
      pattern.store(one, 0, 0);
      for (std::uint32_t half = 16; half != 0; half /= 2) {
        const LaneMask lanes = (LaneMask{1} << half) - 1;
        if (with_barrier) warp_barrier(one, all_lanes);
        pattern.load(one, 1, half * 4, lanes);
        pattern.load(one, 2, 0, lanes);
        pattern.store(one, 3, 0, lanes);
      }
    });
    EXPECT_EQ(pattern.faults().empty(), with_barrier);
    EXPECT_EQ(pattern.runs, with_barrier ? 1 : 2);
  }
}

TEST(RacePatterns, bins_are_cleared_counted_and_read) {
  Pattern pattern;
  const Access count = access_to(Operation::reduction, Space::shared);
  const Access add = access_to(Operation::reduction, Space::global);
  pattern.run([&] {
    for (std::uint32_t b = 0; b < 2; ++b) {
      for (std::uint32_t k = 0; k < 2; ++k) pattern.store(pattern.warp(b, k), 0, k * 128);
      pattern.barrier(b);
      for (std::uint32_t k = 0; k < 2; ++k) {
        for (std::uint64_t round = 0; round < 3; ++round) {
          pattern.touch(pattern.warp(b, k), count, 1,
                        [&](std::uint32_t lane) { return (lane * 7 + round) % 5 * 4; });
        }
      }
      pattern.barrier(b);
      for (std::uint32_t k = 0; k < 2; ++k) {
        pattern.load(pattern.warp(b, k), 2, k * 128);
        pattern.touch(pattern.warp(b, k), add, 3, [&](std::uint32_t lane) { return lane * 4; });
      }
    }
  });
  EXPECT_THAT(pattern.faults(), IsEmpty());
  EXPECT_EQ(pattern.runs, 1);
}

TEST(RacePatterns, neighbouring_bytes_belong_to_different_threads) {
  for (const std::uint32_t bytes : {1U, 2U}) {
    Pattern pattern;
    const Access load = access_to(Operation::load, Space::global, bytes);
    const Access store = access_to(Operation::store, Space::global, bytes);
    pattern.run([&] {
      for (std::uint32_t b = 0; b < 2; ++b) {
        for (std::uint32_t k = 0; k < 2; ++k) {
          const auto place = [&](std::uint32_t lane) {
            return std::uint64_t{(b * 64 + k * 32 + lane) * bytes};
          };
          pattern.touch(pattern.warp(b, k), load, 0, place);
          pattern.touch(pattern.warp(b, k), store, 1, place);
        }
      }
    });
    EXPECT_THAT(pattern.faults(), IsEmpty());
    EXPECT_EQ(pattern.runs, 1);
  }
}

TEST(RacePatterns, threads_that_share_words_are_judged_by_bytes_in_a_second_run) {
  Pattern pattern;
  pattern.run([&] {
    // Threads change pixels of 3 bytes in place.
    for (std::uint32_t byte = 0; byte < 3; ++byte) {
      const auto place = [&](std::uint32_t lane) { return std::uint64_t{lane * 3 + byte}; };
      pattern.touch(pattern.warp(0, 0), access_to(Operation::load, Space::global, 1), 0, place);
      pattern.touch(pattern.warp(0, 0), access_to(Operation::store, Space::global, 1), 1, place);
    }
  });
  EXPECT_THAT(pattern.faults(), IsEmpty());
  EXPECT_EQ(pattern.runs, 2);
}

/// Block 0 stores a value and then a flag; block 1 reads the flag and then the value.
std::vector<std::string> pass_message(const std::function<void(MemoryWarp&)>& release_fence,
                                      const std::function<void(MemoryWarp&)>& acquire_fence,
                                      Semantics store, Semantics load, Scope scope, int* runs) {
  Pattern pattern(true);
  pattern.run([&] {
    const auto at = [](std::uint64_t place) { return [=](std::uint32_t) { return place; }; };
    MemoryWarp& writer = pattern.warp(0, 0);
    MemoryWarp& reader = pattern.warp(1, 0);
    Access flag = access_to(Operation::store, Space::global);
    flag.semantics = store;
    flag.scope = scope;
    pattern.touch(writer, access_to(Operation::store, Space::global), 0, at(64), 1);
    release_fence(writer);
    pattern.touch(writer, flag, 1, at(0), 1);
    flag.operation = Operation::load;
    flag.semantics = load;
    pattern.touch(reader, flag, 2, at(0), 1);
    acquire_fence(reader);
    pattern.touch(reader, access_to(Operation::load, Space::global), 3, at(64), 1);
  });
  *runs = pattern.runs;
  return pattern.faults();
}

TEST(RacePatterns, a_message_needs_a_release_and_an_acquire) {
  const auto none = [](MemoryWarp&) {};
  const auto device = [](MemoryWarp& one) { fence(one, 1, true, Scope::device); };
  const auto block = [](MemoryWarp& one) { fence(one, 1, true, Scope::block); };
  const auto weak = Semantics::relaxed;
  int runs = 0;
  EXPECT_THAT(pass_message(device, device, weak, weak, Scope::device, &runs), IsEmpty());
  EXPECT_EQ(runs, 1);
  EXPECT_THAT(
      pass_message(none, none, Semantics::release, Semantics::acquire, Scope::device, &runs),
      IsEmpty());
  EXPECT_EQ(runs, 1);
  EXPECT_THAT(pass_message(device, none, weak, Semantics::acquire, Scope::device, &runs),
              IsEmpty());
  const std::string race =
      "race: load at byte 64 of 'data' is not ordered with a write by block 0, thread 0";
  EXPECT_THAT(pass_message(none, device, weak, weak, Scope::device, &runs), ElementsAre(race));
  EXPECT_THAT(pass_message(device, none, weak, weak, Scope::device, &runs), ElementsAre(race));
  EXPECT_THAT(pass_message(block, device, weak, weak, Scope::device, &runs), ElementsAre(race));
  // Flags with block scope race between blocks themselves.
  EXPECT_EQ(
      pass_message(none, none, Semantics::release, Semantics::acquire, Scope::block, &runs).size(),
      2U);
}

TEST(RacePatterns, a_thread_may_signal_for_its_block_behind_sequential_fences_and_a_barrier) {
  // __threadfence(); __syncthreads(); if (threadIdx.x == 0) flag = 1;
  for (const bool writers_fence : {true, false}) {
    for (const bool readers_fence : {true, false}) {
      Pattern pattern(true);
      pattern.run([&] {
        const auto at = [](std::uint64_t place) { return [=](std::uint32_t) { return place; }; };
        MemoryWarp& writer = pattern.warp(0, 1);
        MemoryWarp& reader = pattern.warp(1, 0);
        Access flag = access_to(Operation::store, Space::global);
        flag.semantics = Semantics::relaxed;
        pattern.touch(writer, access_to(Operation::store, Space::global), 0, at(64), 1);
        fence(writer, 1, writers_fence, Scope::device);
        pattern.barrier(0);
        pattern.touch(pattern.warp(0, 0), flag, 1, at(0), 1);
        flag.operation = Operation::load;
        pattern.touch(reader, flag, 2, at(0), 1);
        fence(reader, 1, readers_fence, Scope::device);
        pattern.touch(reader, access_to(Operation::load, Space::global), 3, at(64), 1);
      });
      EXPECT_EQ(pattern.faults().empty(), writers_fence && readers_fence);
    }
  }
}

TEST(RacePatterns, a_chain_of_blocks_hands_on_what_all_before_it_did) {
  constexpr std::uint32_t blocks = 300;
  TestLaunch chain(blocks, 32, 0);
  chain.memory.add_buffer("data", blocks * 8, true);
  chain.launch.precise = true;
  chain.start();
  Access flag = access_to(Operation::atomic, Space::global);
  flag.semantics = Semantics::acquire_release;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    MemoryWarp& one = chain.warp(b, 0);
    chain.addresses()[0] = buffer_address(0) + 4 + b * 4;
    chain.access(one, access_to(Operation::store, Space::global), 1, 0);
    chain.addresses()[0] = buffer_address(0);
    chain.access(one, flag, 1, 1);
    for (std::uint32_t before = 0; before <= b; before += 7) {
      chain.addresses()[0] = buffer_address(0) + 4 + before * 4;
      chain.access(one, access_to(Operation::load, Space::global), 1, 2);
    }
  }
  EXPECT_FALSE(undecided(chain.launch));
}

// A release loses its publication when a write overwrites its first byte, or its last byte.
TEST(RacePatterns, a_flag_that_is_overwritten_in_part_publishes_nothing) {
  Access release = access_to(Operation::store, Space::shared);
  release.semantics = Semantics::release;
  Access acquire = access_to(Operation::load, Space::shared);
  acquire.semantics = Semantics::acquire;
  const Access part = access_to(Operation::store, Space::shared, 1);
  for (const std::uint64_t byte : {63U, 64U, 65U, 67U, 68U}) {
    Pattern pattern(true);
    pattern.run([&] {
      MemoryWarp& one = pattern.warp(0, 0);
      MemoryWarp& other = pattern.warp(0, 1);
      pattern.store(one, 0, 0, 1);
      pattern.touch(
          one, release, 1, [](std::uint32_t) { return 64; }, 1);
      pattern.touch(
          one, part, 2, [&](std::uint32_t) { return byte; }, 1);
      pattern.touch(
          other, acquire, 3, [](std::uint32_t) { return 64; }, 1);
      pattern.load(other, 4, 0, 1);
    });
    const auto& faults = pattern.worker->faults.all();
    const bool data = std::any_of(faults.begin(), faults.end(),
                                  [](const auto& fault) { return fault.second.site == 4; });
    EXPECT_EQ(data, byte >= 64 && byte < 68) << byte;
  }
}

// An atomic operation passes on what it read, if both operations are in each other's scope.
TEST(RacePatterns, another_block_hands_on_what_was_released_to_it) {
  for (const Scope scope : {Scope::block, Scope::device}) {
    Pattern pattern(true);
    const auto flag = [](std::uint32_t) { return 256; };
    const auto data = [](std::uint32_t) { return 0; };
    Access release = access_to(Operation::store, Space::global);
    release.semantics = Semantics::release;
    release.scope = scope;
    Access acquire = access_to(Operation::load, Space::global);
    acquire.semantics = Semantics::acquire;
    pattern.run([&] {
      pattern.touch(pattern.warp(0, 0), access_to(Operation::store, Space::global), 0, data, 1);
      pattern.touch(pattern.warp(0, 0), release, 1, flag, 1);
      pattern.touch(pattern.warp(1, 0), access_to(Operation::atomic, Space::global), 2, flag, 1);
      pattern.touch(pattern.warp(0, 1), acquire, 3, flag, 1);
      pattern.touch(pattern.warp(0, 1), access_to(Operation::load, Space::global), 4, data, 1);
    });
    const auto& faults = pattern.worker->faults.all();
    const bool races = std::any_of(faults.begin(), faults.end(),
                                   [](const auto& fault) { return fault.second.site == 4; });
    EXPECT_EQ(races, scope == Scope::block);
  }
}

}  // namespace
}  // namespace bankproof::ptx
