// Loads, stores and atomic operations against plain bytes; faults and their messages; workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "memories.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RC_GTEST_PROP(Memory, generic_accesses_move_the_bytes_of_each_lane, ()) {
  Memories memories;
  Access what = access_to(*rc::gen::element(Operation::load, Operation::store), Space::global,
                          *rc::gen::element(1U, 2U, 4U, 8U, 16U));
  what.generic = true;
  what.vector = *rc::gen::element(1U, 1U, 2U, 4U);
  while (what.bytes() > 32) what.vector /= 2;
  const auto lanes = *rc::gen::oneOf(rc::gen::just(all_lanes), rc::gen::arbitrary<LaneMask>());
  std::vector<std::uint64_t> begins = {buffer_address(0), buffer_address(1),
                                       window_of(Space::shared), window_of(Space::local)};
  if (what.operation == Operation::load) begins.push_back(window_of(Space::constant));
  const bool together = *rc::gen::arbitrary<bool>();
  const auto begin = *rc::gen::elementOf(begins);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    // Each lane has its own address, so the order of lanes does not matter.
    memories.addresses()[lane] =
        (together ? begin : *rc::gen::elementOf(begins)) +
        (std::uint64_t{lane} + (together ? 0 : *rc::gen::inRange<std::uint64_t>(0, 2) * 32)) *
            what.bytes();
  }
  const std::size_t stride = lane_bytes(type_for(what.element_bytes));
  for (std::size_t k = 0; k < what.vector; ++k) {
    for (std::size_t b = 0; b < warp_lanes * stride; ++b) {
      memories.value<std::uint8_t>(k)[b] = static_cast<std::uint8_t>(b * 13 + k * 5 + 1);
    }
  }
  const Frame before = memories.frame;
  memories.access(memories.one(), what, lanes, 3, type_for(what.element_bytes));
  RC_ASSERT(memories.faults().empty());
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    for (std::size_t k = 0; k < what.vector; ++k) {
      const std::byte* memory =
          memories.bytes_of(memories.addresses()[lane], lane) + k * what.element_bytes;
      const std::byte* value = memories.frame.bytes.data() + Frame::value(k) + lane * stride;
      const bool moved = (lanes >> lane & 1U) != 0;
      if (moved) RC_ASSERT(std::memcmp(memory, value, what.element_bytes) == 0);
      const bool zero_extended = what.element_bytes != 1 || value[1] == std::byte{0};
      if (moved && what.operation == Operation::load) RC_ASSERT(zero_extended);
      if (!moved) {
        RC_ASSERT(
            std::memcmp(value, before.bytes.data() + Frame::value(k) + lane * stride, stride) == 0);
        if (what.operation == Operation::store) {
          // Lanes outside the mask have written nothing.
          const std::uint64_t at = memories.addresses()[lane] % 4096 + k * what.element_bytes;
          RC_ASSERT(memory[0] == static_cast<std::byte>(7 * at));
        }
      }
    }
  }
}

TEST(Memory, loads_extend_by_sign) {
  Memories memories;
  memories.memory[0].data[0] = std::byte{0x80};
  Access what = access_to(Operation::load, Space::global, 1);
  what.sign_extended = true;
  std::fill_n(memories.addresses(), warp_lanes, buffer_address(0));
  memories.access(memories.one(), what, all_lanes, 0, LaneType::b32);
  EXPECT_EQ(memories.value<std::int32_t>(0)[31], -128);
}

TEST(Memory, faults_say_which_buffer_and_how_far) {
  const auto fault_at = [](std::uint64_t address, Operation operation, bool generic) {
    Memories memories;
    Access what = access_to(operation, Space::global);
    what.generic = generic;
    std::fill_n(memories.addresses(), warp_lanes, address);
    memories.value<std::uint32_t>(0)[0] = 99;
    memories.access(memories.one(), what, 1, 0);
    EXPECT_EQ(memories.value<std::uint32_t>(0)[0], operation == Operation::load ? 0U : 99U);
    for (const auto& [key, fault] : memories.worker->faults.all()) EXPECT_EQ(fault.count, 1U);
    return memories.faults();
  };
  EXPECT_THAT(fault_at(buffer_address(0) + 4096, Operation::load, false),
              ElementsAre("out_of_bounds: load of 4 bytes, 4 bytes behind the end of 'first' (4096 "
                          "bytes)"));
  EXPECT_THAT(fault_at(buffer_address(1) - 8, Operation::store, true),
              ElementsAre("out_of_bounds: store of 4 bytes, 8 bytes before the beginning of "
                          "'second' (4096 bytes)"));
  // The message names the nearer buffer, or the first of two equally near ones.
  EXPECT_THAT(fault_at(buffer_address(0) - 8, Operation::load, true),
              ElementsAre(HasSubstr("8 bytes before the beginning of 'first'")));
  EXPECT_THAT(fault_at(buffer_address(0) + memory_bytes / 2 + (buffer_address(0) >> 1U),
                       Operation::load, true),
              ElementsAre(HasSubstr("behind the end of 'first'")));
  EXPECT_THAT(fault_at(buffer_address(0) + memory_bytes / 2 + (buffer_address(0) >> 1U) + 4,
                       Operation::load, true),
              ElementsAre(HasSubstr("before the beginning of 'second'")));
  EXPECT_THAT(fault_at(buffer_address(0) + 2, Operation::load, false),
              ElementsAre("misaligned: load of 4 bytes at byte 2 of 'first'"));
  EXPECT_THAT(fault_at(0, Operation::load, false),
              ElementsAre("out_of_bounds: load of 4 bytes at address 0, which belongs to no "
                          "buffer"));
  EXPECT_THAT(fault_at(window_of(Space::constant), Operation::store, true),
              ElementsAre(HasSubstr("which kernels only read")));
}

TEST(Memory, lanes_that_write_different_values_to_one_place_collide) {
  for (const bool same : {true, false}) {
    Memories memories;
    std::fill_n(memories.addresses(), warp_lanes, 8);
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      memories.value<std::uint32_t>(0)[lane] = same ? 1 : lane / 31;
    }
    memories.access(memories.one(), access_to(Operation::store, Space::shared), all_lanes, 0);
    EXPECT_FALSE(undecided(memories.launch));
    if (same) {
      EXPECT_THAT(memories.faults(), IsEmpty());
    } else {
      EXPECT_THAT(
          memories.faults(),
          ElementsAre("colliding_writes: store of a value that differs from that of block 0, "
                      "thread 0 at byte 8 of shared memory"));
    }
  }
}

TEST(Memory, any_two_lanes_collide) {
  Memories memories;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    memories.addresses()[lane] = lane == 9 ? 5 * 4 : lane * 4;
    memories.value<std::uint32_t>(0)[lane] = lane;
  }
  memories.access(memories.one(), access_to(Operation::store, Space::shared), all_lanes, 0);
  EXPECT_THAT(memories.faults(),
              ElementsAre("colliding_writes: store of a value that differs from that of block 0, "
                          "thread 5 at byte 20 of shared memory"));
  // Lanes that read the same bytes do not collide.
  Memories readers;
  std::fill_n(readers.addresses(), warp_lanes, 8);
  readers.access(readers.one(), access_to(Operation::load, Space::shared), all_lanes, 0);
  EXPECT_THAT(readers.faults(), IsEmpty());
}

TEST(Memory, addresses_of_shared_memory_that_wrap_around_lie_before_it) {
  TestLaunch machine(1, 32, 64);
  machine.start();
  std::fill_n(machine.addresses(), warp_lanes, 0xfffffff4U);
  machine.access(machine.warp(0, 0), access_to(Operation::load, Space::shared, 4), 1, 0,
                 type_for(4));
  EXPECT_THAT(machine.faults(),
              ElementsAre("out_of_bounds: load of 4 bytes, 12 bytes before the beginning of shared "
                          "memory (64 bytes)"));
}

TEST(Memory, reads_of_unwritten_bytes_are_reported) {
  TestLaunch machine(1, 32, 64);
  machine.memory.add_buffer("out", 64, false);
  machine.start();
  const auto touch = [&](Operation operation, Space space, std::uint32_t bytes, std::uint64_t at) {
    std::fill_n(machine.addresses(), warp_lanes,
                at + (space == Space::global ? buffer_address(0) : 0));
    machine.access(machine.warp(0, 0), access_to(operation, space, bytes), 1, 0, type_for(bytes));
  };
  for (const Space space : {Space::shared, Space::global}) {
    touch(Operation::store, space, 2, 4);
    touch(Operation::load, space, 2, 4);
  }
  EXPECT_THAT(machine.faults(), IsEmpty());
  touch(Operation::load, Space::global, 4, 4);
  EXPECT_THAT(
      machine.faults(),
      ElementsAre("uninitialized: load of 4 bytes that are not initialized, at byte 4 of 'out'"));
}

TEST(Memory, a_launch_that_is_repeated_finds_the_buffers_as_they_were) {
  Memories memories;
  std::fill_n(memories.addresses(), warp_lanes, buffer_address(0));
  memories.value<std::uint32_t>(0)[0] = 1234567;
  memories.access(memories.one(), access_to(Operation::store, Space::global), 1, 0);
  EXPECT_NE(memories.memory[0].data[0], std::byte{0});
  repeat_launch(memories.launch);
  EXPECT_EQ(memories.memory[0].data[0], std::byte{0});
  EXPECT_EQ(memories.memory[0].data[1], std::byte{7});
}

/// The snapshot stores pages of zeros and unwritten pages in short form.
RC_GTEST_PROP(Memory, all_that_a_run_stored_is_undone, ()) {
  constexpr std::uint32_t bytes = 3 * GlobalMemory::page_bytes + 64;
  constexpr std::uint32_t buffers = 3;
  TestLaunch machine(1, 32, 0);
  machine.memory.add_buffer("defined", bytes, true);
  machine.memory.add_buffer("undefined", bytes, false);
  machine.memory.add_buffer("partly defined", bytes, true);
  machine.memory.copy(2, 32, 1, 0, bytes - 64);
  using Store = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto stores = rc::gen::container<std::vector<Store>>(rc::gen::tuple(
      rc::gen::inRange(0U, buffers), rc::gen::inRange(0U, bytes / 4), rc::gen::inRange(0U, 2U)));
  const auto store_all = [&](const std::vector<Store>& all) {
    for (const auto& [buffer, word, value] : all) {
      machine.addresses()[0] = buffer_address(buffer) + std::uint64_t{word} * 4;
      machine.value<std::uint32_t>(0)[0] = value;
      machine.access(machine.warp(0, 0), access_to(Operation::store, Space::global), 1, 0);
    }
  };
  const auto state = [&] {
    std::vector<std::byte> all;
    for (std::uint32_t buffer = 0; buffer < buffers; ++buffer) {
      const auto data = machine.memory.data(buffer);
      all.insert(all.end(), data.begin(), data.end());
      if (machine.memory[buffer].shadow.defined) continue;
      for (const std::uint8_t bits : machine.memory[buffer].shadow.written.bits()) {
        all.push_back(std::byte{bits});
      }
    }
    return all;
  };
  machine.start();
  store_all(*stores);
  machine.start();  // keeps these stores
  const std::vector<std::byte> before = state();
  store_all(*stores);
  repeat_launch(machine.launch);
  RC_ASSERT(state() == before);
}

TEST(Memory, elements_of_all_sizes_have_to_be_aligned) {
  for (const std::uint32_t bytes : {2U, 4U, 8U, 16U}) {
    Memories memories;
    memories.addresses()[0] = buffer_address(0) + bytes / 2;
    memories.access(memories.one(), access_to(Operation::load, Space::global, bytes), 1, 3,
                    type_for(bytes));
    ASSERT_EQ(memories.faults().size(), 1U) << bytes;
    EXPECT_THAT(memories.faults().front(), HasSubstr("misaligned"));
    EXPECT_EQ(memories.worker->faults.all().begin()->second.site, 3U);
  }
}

TEST(Memory, copies_of_what_nobody_wrote_are_as_if_nobody_wrote_them) {
  TestLaunch test(1, 32, 0);
  test.memory.add_buffer("new", 64, false);
  test.memory.add_buffer("old", 64, true);
  test.memory.define(0, 8, 8);
  test.memory.copy(1, 16, 0, 0, 32);
  test.start();
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    test.addresses()[lane] = buffer_address(1) + lane % 16 * 4;
  }
  for (std::uint32_t lane = 0; lane < 16; ++lane) {
    test.access(test.warp(0, 0), access_to(Operation::load, Space::global), LaneMask{1} << lane,
                lane);
  }
  // The copy covers words 4 to 11. Only the sources of words 6 and 7 were written.
  std::vector<std::uint32_t> sites;
  sites.reserve(test.worker->faults.all().size());
  for (const auto& [key, fault] : test.worker->faults.all()) sites.push_back(fault.site);
  EXPECT_THAT(sites, ::testing::UnorderedElementsAre(4, 5, 8, 9, 10, 11));
}

TEST(Memory, copies_keep_what_is_known_of_each_byte) {
  for (std::uint64_t offset = 0; offset < 9; ++offset) {
    GlobalMemory memory;
    memory.add_buffer("new", 64, false);
    memory.add_buffer("other", 64, false);
    for (std::uint64_t k = 0; k < 64; k += 3) memory.define(0, k, 1);
    memory.copy(1, offset, 0, 5, 40);
    for (std::uint64_t k = 0; k < 64; ++k) {
      const bool copied = k >= offset && k < offset + 40;
      EXPECT_EQ(memory[1].shadow.written.all(k, 1), copied && (k - offset + 5) % 3 == 0)
          << offset << k;
    }
  }
}

TEST(Memory, buffers_have_records_of_their_sectors) {
  GlobalMemory memory;
  for (const std::uint64_t bytes : {0U, 1U, 4U, 5U, 64U, 128U, 129U}) {
    Buffer& buffer = memory[memory.add_buffer("b", bytes, true)];
    EXPECT_NE(buffer.records().lines, nullptr);
    const WorkerRecords& records = buffer.shadow.of_workers.front();
    EXPECT_EQ(records.lines.size(), (bytes + 127) / 128);
    EXPECT_EQ(records.split.size(), 4 * records.lines.size());
  }
}

TEST(Memory, pictures_are_of_the_first_thread_with_the_worst_access) {
  for (const std::uint32_t first : {0U, 1U}) {
    TestLaunch test(2, 32, 4096);
    test.start();
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) test.addresses()[lane] = lane * 128;
    for (const std::uint32_t block : {first, 1 - first}) {
      test.access(test.warp(block, 0), access_to(Operation::store, Space::shared), all_lanes, 0);
    }
    const auto& worst = test.worker->costs.counts()[0].worst_shared;
    ASSERT_TRUE(worst);
    EXPECT_EQ(worst->excess, 31U);
    EXPECT_EQ(worst->warp.block, 0U);
  }
}

}  // namespace
}  // namespace bankproof::ptx
