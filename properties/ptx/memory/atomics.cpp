// Atomic operations against plain operations, lane after lane.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

#include "memories.hpp"

namespace bankproof::ptx {
namespace {

/// The value that the operation leaves in memory, from the old value and one lane's operand.
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

/// All bytes of the value, for comparison: a NaN equals itself.
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

RC_GTEST_PROP(Atomics, are_executed_one_lane_after_the_other, ()) {
  atomics_run_one_after_the_other<std::uint32_t>(Number::unsigned_integer);
  atomics_run_one_after_the_other<std::int64_t>(Number::signed_integer);
  atomics_run_one_after_the_other<double>(Number::floating);
}

// PTX ISA, "atom": f32 sums flush subnormal numbers in global memory, and keep them in shared.
TEST(Atomics, sums_of_subnormal_floats_are_flushed_in_global_memory_only) {
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

// PTX ISA, "add": a NaN result is the canonical NaN, whatever the host's processor computes.
template <class T>
void sums_have_the_canonical_nan(std::array<std::uint64_t, 4> numbers, std::uint64_t canonical) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  for (const Space space : {Space::shared, Space::global}) {
    for (const std::uint64_t old : numbers) {
      for (const std::uint64_t operand : numbers) {
        Memories memories;
        Access what = access_to(Operation::reduction, space, sizeof(T));
        what.atomic = AtomicOperation::add;
        what.number = Number::floating;
        const bool global = space == Space::global;
        std::byte* const word =
            global ? memories.memory[0].data.data() : memories.block(0).shared.data();
        const Bits before = static_cast<Bits>(old);
        std::memcpy(word, &before, sizeof before);
        memories.addresses()[3] = global ? buffer_address(0) : 0;
        memories.value<Bits>(0)[3] = static_cast<Bits>(operand);
        memories.access(memories.one(), what, 8, 0, type_for(sizeof(T)));
        Bits sum = 0;
        std::memcpy(&sum, word, sizeof sum);
        const T plain = std::bit_cast<T>(before) + std::bit_cast<T>(static_cast<Bits>(operand));
        EXPECT_EQ(sum, std::isnan(plain) ? canonical : std::bit_cast<Bits>(plain))
            << std::hex << old << " + " << operand;
      }
    }
  }
}

TEST(Atomics, sums_have_the_canonical_nan) {
  // A negative NaN with a payload, a signalling NaN, infinity, and negative infinity, whose sum
  // with infinity is also NaN.
  sums_have_the_canonical_nan<float>({0xffc00123, 0x7f800001, 0x7f800000, 0xff800000}, 0x7fffffff);
  sums_have_the_canonical_nan<double>(
      {0xfff8000000000123, 0x7ff0000000000001, 0x7ff0000000000000, 0xfff0000000000000},
      0x7fffffffffffffff);
}

TEST(Atomics, compare_and_swap_and_counters_wrap_as_documented) {
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
  EXPECT_EQ(once(AtomicOperation::decrement, 6, 6, 0), 5U);
  EXPECT_EQ(once(AtomicOperation::decrement, 3, 6, 0), 2U);
  EXPECT_EQ(once(AtomicOperation::bit_xor, 5, 6, 0), 3U);
}

TEST(Atomics, halves_are_added_as_the_instruction_add_does) {
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

}  // namespace
}  // namespace bankproof::ptx
