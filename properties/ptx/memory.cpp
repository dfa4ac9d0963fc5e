// Loads, stores and atomic operations against plain bytes; faults, their texts; workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "memory_support.hpp"

namespace bankproof::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t memory_bytes = 4096;

/// One warp; the memory of each space holds the bytes 7 · k.
class Memories : public TestLaunch {
 public:
  Memories() : TestLaunch(1, 32, memory_bytes) {
    memory.add_buffer("first", memory_bytes, true);
    memory.add_buffer("second", memory_bytes, true);
    launch.constants.resize(memory_bytes);
    warp(0, 0).local.resize(memory_bytes);
    start();
    for (std::uint64_t k = 0; k < memory_bytes; ++k) {
      const auto value = static_cast<std::byte>(7 * k);
      memory[0].data[k] = memory[1].data[k] = launch.constants[k] = value;
      block(0).shared[k] = value;
      for (std::uint64_t lane = 0; lane < warp_lanes; ++lane) {
        warp(0, 0).local.data[lane * memory_bytes + k] = value;
      }
    }
    for (std::uint64_t k = 0; k < memory_bytes; k += 4) block(0).written.set(k, 4);
    for (std::uint64_t k = 0; k < memory_bytes * warp_lanes; k += 4) {
      warp(0, 0).local.written.set(k, 4);
    }
  }
  MemoryWarp& one() { return warp(0, 0); }
  std::byte* bytes_of(std::uint64_t generic, std::uint32_t lane) {
    switch (space_of(generic)) {
      case Space::shared:
        return block(0).shared.data() + address_in(Space::shared, generic);
      case Space::local:
        return one().local.data.data() + lane * memory_bytes + address_in(Space::local, generic);
      case Space::constant:
        return launch.constants.data() + address_in(Space::constant, generic);
      default:
        return memory[(generic >> buffer_shift) - 1].data.data() +
               generic % (std::uint64_t{1} << buffer_shift);
    }
  }
};

LaneType type_for(std::uint32_t bytes) {
  return bytes <= 2   ? LaneType::b16
         : bytes == 4 ? LaneType::b32
         : bytes == 8 ? LaneType::b64
                      : LaneType::b128;
}

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
    // Each lane its own, so that the order of lanes does not matter.
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
          // Bytes that lanes without part would have written are as before.
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

/// The sum, say, of all lanes, one after the other.
template <class T>
T atomic_result(const Access& access, T old, T operand) {
  switch (access.atomic) {
    case AtomicOperation::add:
      return static_cast<T>(old + operand);
    case AtomicOperation::minimum:
      return operand < old ? operand : old;
    case AtomicOperation::maximum:
      return operand > old ? operand : old;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (access.atomic == AtomicOperation::bit_and) return old & operand;
    if (access.atomic == AtomicOperation::bit_or) return old | operand;
    if (access.atomic == AtomicOperation::bit_xor) return old ^ operand;
  }
  return operand;
}

/// All its bytes, to compare: NaN equals itself.
template <class T>
auto bits_of(const T& value) {
  return std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
}

template <class T>
void atomics_run_one_after_the_other(Number number) {
  Memories memories;
  Access what = access_to(Operation::atomic, Space::shared, sizeof(T));
  what.number = number;
  what.atomic =
      *rc::gen::element(AtomicOperation::add, AtomicOperation::minimum, AtomicOperation::maximum,
                        AtomicOperation::bit_and, AtomicOperation::bit_or, AtomicOperation::bit_xor,
                        AtomicOperation::exchange);
  if (number == Number::floating) what.atomic = AtomicOperation::add;
  const auto lanes = *rc::gen::arbitrary<LaneMask>();
  std::array<T, 4> plain{};
  std::memcpy(plain.data(), memories.block(0).shared.data(), 4 * sizeof(T));
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const auto place = *rc::gen::inRange<std::uint64_t>(0, 4);
    memories.addresses()[lane] = place * sizeof(T);
    const auto operand = static_cast<T>(*rc::gen::arbitrary<std::int32_t>());
    memories.value<T>(1)[lane] = operand;
  }
  memories.access(memories.one(), what, lanes, 0, type_for(sizeof(T)));
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) continue;
    T& cell = plain[memories.addresses()[lane] / sizeof(T)];
    RC_ASSERT(bits_of(memories.value<T>(0)[lane]) == bits_of(cell));
    cell = atomic_result(what, cell, memories.value<T>(1)[lane]);
  }
  std::array<std::byte, 4 * sizeof(T)> found{};
  std::memcpy(found.data(), memories.block(0).shared.data(), found.size());
  RC_ASSERT(found == bits_of(plain));
  RC_ASSERT(memories.faults().empty());
  RC_ASSERT(!undecided(memories.launch));
}

RC_GTEST_PROP(Memory, atomic_operations_are_executed_one_lane_after_the_other, ()) {
  atomics_run_one_after_the_other<std::uint32_t>(Number::unsigned_integer);
  atomics_run_one_after_the_other<std::int64_t>(Number::signed_integer);
  atomics_run_one_after_the_other<double>(Number::floating);
}

// PTX ISA, "atom": sums of f32 flush subnormal numbers in global memory, and keep them in shared.
TEST(Memory, sums_of_subnormal_floats_are_flushed_in_global_memory_only) {
  constexpr float small = std::numeric_limits<float>::denorm_min();
  for (const Space space : {Space::shared, Space::global}) {
    Memories memories;
    Access what = access_to(Operation::atomic, space);
    what.atomic = AtomicOperation::add;
    what.number = Number::floating;
    const bool global = space == Space::global;
    std::byte* const word =
        global ? memories.memory[0].data.data() : memories.block(0).shared.data();
    std::memcpy(word, &small, sizeof small);
    memories.addresses()[0] = global ? buffer_address(0) : 0;
    memories.value<float>(1)[0] = 2 * small;
    memories.access(memories.one(), what, 1, 0);
    float sum = 0;
    std::memcpy(&sum, word, sizeof sum);
    EXPECT_EQ(sum, global ? 0.0F : 3 * small);
  }
}

TEST(Memory, compare_and_swap_and_counters_wrap_as_documented) {
  Memories memories;
  const auto once = [&](AtomicOperation operation, std::uint32_t old, std::uint32_t a,
                        std::uint32_t b) {
    Access what = access_to(Operation::atomic, Space::shared);
    what.atomic = operation;
    what.number = Number::unsigned_integer;
    std::memcpy(memories.block(0).shared.data(), &old, 4);
    memories.addresses()[0] = 0;
    memories.value<std::uint32_t>(1)[0] = a;
    memories.value<std::uint32_t>(2)[0] = b;
    memories.access(memories.one(), what, 1, 0);
    EXPECT_EQ(memories.value<std::uint32_t>(0)[0], old);
    std::uint32_t result = 0;
    std::memcpy(&result, memories.block(0).shared.data(), 4);
    return result;
  };
  EXPECT_EQ(once(AtomicOperation::compare_and_swap, 5, 5, 9), 9U);
  EXPECT_EQ(once(AtomicOperation::compare_and_swap, 5, 6, 9), 5U);
  EXPECT_EQ(once(AtomicOperation::increment, 5, 6, 0), 6U);
  EXPECT_EQ(once(AtomicOperation::increment, 6, 6, 0), 0U);
  EXPECT_EQ(once(AtomicOperation::decrement, 0, 6, 0), 6U);
  EXPECT_EQ(once(AtomicOperation::decrement, 9, 6, 0), 6U);
  EXPECT_EQ(once(AtomicOperation::decrement, 3, 6, 0), 2U);
  EXPECT_EQ(once(AtomicOperation::bit_xor, 5, 6, 0), 3U);
}

TEST(Memory, halves_are_added_as_the_instruction_add_does) {
  Memories memories;
  Access what = access_to(Operation::atomic, Space::shared, 2);
  what.atomic = AtomicOperation::add;
  what.number = Number::floating;
  std::fill_n(memories.addresses(), warp_lanes, 0);
  std::fill_n(memories.value<std::uint16_t>(1), warp_lanes, std::uint16_t{0x3c00});
  const std::uint16_t one = 0x3c00;
  std::memcpy(memories.block(0).shared.data(), &one, 2);
  memories.access(memories.one(), what, all_lanes, 0, LaneType::b16);
  std::uint32_t sum = 0;
  std::memcpy(&sum, memories.block(0).shared.data(), 2);
  EXPECT_EQ(sum, 0x5020U);  // 33
  what.element_bytes = 4;
  what.packed = true;
  what.number = Number::bfloat;
  std::fill_n(memories.value<std::uint32_t>(1), warp_lanes, 0x3f804000U);  // 1, 2
  std::memset(memories.block(0).shared.data(), 0, 4);
  memories.access(memories.one(), what, 3, 0);
  std::memcpy(&sum, memories.block(0).shared.data(), 4);
  EXPECT_EQ(sum, 0x40004080U);  // 2, 4
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
    return memories.faults();
  };
  EXPECT_THAT(fault_at(buffer_address(0) + 4096, Operation::load, false),
              ElementsAre("out_of_bounds: load of 4 bytes, 4 bytes behind the end of 'first' (4096 "
                          "bytes)"));
  EXPECT_THAT(fault_at(buffer_address(1) - 8, Operation::store, true),
              ElementsAre("out_of_bounds: store of 4 bytes, 8 bytes before the beginning of "
                          "'second' (4096 bytes)"));
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
      EXPECT_THAT(memories.faults(),
                  ElementsAre("colliding_writes: store of another value than that of block 0, "
                              "thread 0 at byte 8 of shared memory"));
    }
  }
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

TEST(Memory, bytes_that_nothing_was_written_to_are_told) {
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
      ElementsAre("uninitialized: load of 4 bytes that nothing has been written to, at byte "
                  "4 of 'out'"));
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

/// Pages of zeros and pages that nothing was written to are kept in short.
RC_GTEST_PROP(Memory, all_that_a_run_stored_is_undone, ()) {
  constexpr std::uint32_t bytes = 3 * GlobalMemory::page_bytes + 64;
  TestLaunch machine(1, 32, 0);
  machine.memory.add_buffer("defined", bytes, true);
  machine.memory.add_buffer("undefined", bytes, false);
  using Store = std::tuple<bool, std::uint32_t, std::uint32_t>;
  const auto stores = rc::gen::container<std::vector<Store>>(rc::gen::tuple(
      rc::gen::arbitrary<bool>(), rc::gen::inRange(0U, bytes / 4), rc::gen::inRange(0U, 2U)));
  const auto store_all = [&](const std::vector<Store>& all) {
    for (const auto& [second, word, value] : all) {
      machine.addresses()[0] = buffer_address(second ? 1 : 0) + std::uint64_t{word} * 4;
      machine.value<std::uint32_t>(0)[0] = value;
      machine.access(machine.warp(0, 0), access_to(Operation::store, Space::global), 1, 0);
    }
  };
  const auto state = [&] {
    std::vector<std::byte> all;
    for (std::uint32_t buffer = 0; buffer < 2; ++buffer) {
      const auto data = machine.memory.data(buffer);
      all.insert(all.end(), data.begin(), data.end());
    }
    for (const std::uint8_t bits : machine.memory[1].written.bits()) all.push_back(std::byte{bits});
    return all;
  };
  machine.start();
  store_all(*stores);
  machine.start();  // keeps it
  const std::vector<std::byte> before = state();
  store_all(*stores);
  repeat_launch(machine.launch);
  RC_ASSERT(state() == before);
}

}  // namespace
}  // namespace bankproof::ptx
