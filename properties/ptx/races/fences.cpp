// The knowledge that threads gain from fences and publications, tested access by access.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "../memory/memories.hpp"
#include "pattern.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::IsEmpty;

constexpr std::uint64_t data_place = 256;
constexpr std::uint64_t counter_place = 0;

Access to_counter() {
  Access access = access_to(Operation::atomic, Space::global);
  access.atomic = AtomicOperation::add;
  access.number = Number::unsigned_integer;
  return access;
}

/// Whether lane 0 of block 1 may load the data without a race. First `writer` stores the data; then
/// lane 0 of the second warp of block 0 adds to the counter; then lane 0 of block 1 adds to the
/// counter, too, and loads the data. Both additions are relaxed.
bool hands_on(bool reader_fences, const std::function<void(Pattern&)>& writer) {
  Pattern pattern(true);
  const auto at = [](std::uint64_t place) { return [=](std::uint32_t) { return place; }; };
  pattern.run([&] {
    writer(pattern);
    pattern.touch(pattern.warp(0, 1), to_counter(), 1, at(counter_place), 1);
    pattern.touch(pattern.warp(1, 0), to_counter(), 2, at(counter_place), 1);
    if (reader_fences) fence(pattern.warp(1, 0), 1, true, Scope::device);
    pattern.touch(pattern.warp(1, 0), access_to(Operation::load, Space::global), 3, at(data_place),
                  1);
  });
  return pattern.faults().empty();
}

void store_data(Pattern& pattern, std::uint32_t warp, LaneMask lane) {
  pattern.touch(
      pattern.warp(0, warp), access_to(Operation::store, Space::global), 0,
      [](std::uint32_t) { return data_place; }, lane);
}

// `__threadfence(); __syncthreads(); if (threadIdx.x == 32) atomicAdd(…)`: the fences of writer and
// reader have a common order.
TEST(Fences, of_one_order_hand_on_what_was_before_a_barrier) {
  const auto plainly = [](Pattern& pattern) {
    store_data(pattern, 0, 8);
    fence(pattern.warp(0, 0), all_lanes, true, Scope::device);
    pattern.barrier(0);
  };
  EXPECT_TRUE(hands_on(true, plainly));
  EXPECT_FALSE(hands_on(false, plainly));
  EXPECT_FALSE(hands_on(true, [](Pattern& pattern) {
    store_data(pattern, 0, 8);
    fence(pattern.warp(0, 0), all_lanes, true, Scope::block);
    pattern.barrier(0);
  }));
}

TEST(Fences, hand_on_what_other_lanes_did_before_a_barrier_of_the_warp) {
  EXPECT_TRUE(hands_on(true, [](Pattern& pattern) {
    store_data(pattern, 0, 8);
    warp_barrier(pattern.warp(0, 0), all_lanes);
    fence(pattern.warp(0, 0), 1, true, Scope::device);
    pattern.barrier(0);
  }));
  EXPECT_FALSE(hands_on(true, [](Pattern& pattern) {
    store_data(pattern, 0, 8);
    fence(pattern.warp(0, 0), 1, true, Scope::device);
    pattern.barrier(0);
  })) << "the lane that stored has not fenced";
}

TEST(Fences, hand_on_what_other_warps_did_before_a_barrier_of_the_block) {
  EXPECT_TRUE(hands_on(true, [](Pattern& pattern) {
    store_data(pattern, 1, 8);
    pattern.barrier(0);
    fence(pattern.warp(0, 0), 1, true, Scope::device);
    pattern.barrier(0);
  }));
}

TEST(Fences, are_handed_on_from_barrier_to_barrier) {
  EXPECT_TRUE(hands_on(true, [](Pattern& pattern) {
    store_data(pattern, 0, 1);
    fence(pattern.warp(0, 0), 1, true, Scope::device);
    warp_barrier(pattern.warp(0, 0), 3);
    pattern.barrier(0);
  }));
}

// Lane 0's compare-and-swap succeeds and writes; lane 1's fails.
TEST(Fences, do_not_count_if_a_compare_and_swap_fails) {
  for (const std::uint32_t lane : {0U, 1U}) {
    Pattern pattern(true);
    const auto place = [](std::uint64_t from) {
      return [=](std::uint32_t lane_of) { return from + lane_of * 4; };
    };
    pattern.run([&] {
      Access swap = access_to(Operation::atomic, Space::global);
      swap.atomic = AtomicOperation::compare_and_swap;
      swap.semantics = Semantics::acquire_release;
      Access acquire = access_to(Operation::load, Space::global);
      acquire.semantics = Semantics::acquire;
      pattern.touch(pattern.warp(0, 0), access_to(Operation::store, Space::global), 0,
                    place(data_place), 3);
      for (std::uint32_t k = 0; k < 2; ++k) {
        pattern.value<std::uint32_t>(1)[k] = k;
        pattern.value<std::uint32_t>(2)[k] = 7;
      }
      pattern.touch(pattern.warp(0, 0), swap, 1, place(counter_place), 3);
      const LaneMask reader = LaneMask{1} << lane;
      pattern.touch(pattern.warp(1, 0), acquire, 2, place(counter_place), reader);
      pattern.touch(pattern.warp(1, 0), access_to(Operation::load, Space::global), 3,
                    place(data_place), reader);
    });
    EXPECT_EQ(pattern.faults().empty(), lane == 0);
  }
}

// ---- Addresses

TEST(Addresses, of_constants_and_parameters_may_be_generic) {
  Memories memories;
  memories.launch.parameters.assign(64, std::byte{3});
  Access load = access_to(Operation::load, Space::global);
  load.generic = true;
  std::fill_n(memories.addresses(), warp_lanes, window_of(Space::param) + 60);
  memories.access(memories.one(), load, all_lanes, 0);
  EXPECT_THAT(memories.faults(), IsEmpty());
  EXPECT_EQ(memories.value<std::uint32_t>(0)[31], 0x03030303U);
  std::fill_n(memories.addresses(), warp_lanes, window_of(Space::constant) + 4);
  memories.access(memories.one(), load, all_lanes, 0);
  EXPECT_THAT(memories.faults(), IsEmpty());
  EXPECT_EQ(memories.value<std::uint32_t>(0)[31], 0x312A231CU);
}

TEST(Addresses, without_a_register_are_the_offset) {
  Memories memories;
  MemoryOperands operands;
  operands.access = access_to(Operation::load, Space::shared);
  operands.values = {Frame::value(0)};
  Op op;
  op.use(step_of(operands.access), operands);
  op.immediate = 4;
  op.step(memories.one(), &op);
  EXPECT_THAT(memories.faults(), IsEmpty());
  EXPECT_EQ(memories.value<std::uint32_t>(0)[0], 0x312A231CU);
}

}  // namespace
}  // namespace bankproof::ptx
