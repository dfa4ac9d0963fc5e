// Tests arithmetic lane by lane: an expression of an index has the same values whether the index is
// given as lanes or as a progression. Programs that use data as an address or as a condition must
// not compile.
#include "../../model/lanes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "../../model/engine.hpp"
#include "../../model/mask.hpp"
#include "../../model/progression.hpp"
#include "../../testing/property.hpp"

namespace bankproof::testing {
namespace {

// The operations that a program can apply to its indices.

template <class A, class B, class F>
void agrees(const A& a, const B& b, F operation) {
  const auto at = [](const auto& x, Width lane) -> Address {
    if constexpr (std::same_as<std::decay_t<decltype(x)>, Address>) {
      return x;
    } else {
      return x[lane];
    }
  };
  const auto result = operation(a, b);
  for (Width lane = 0; lane < 5; ++lane) {
    const auto expected = operation(at(a, lane), at(b, lane));
    if constexpr (std::same_as<decltype(result), const Mask>) {
      RC_ASSERT(result.has(lane) == expected);
    } else {
      RC_ASSERT(result[lane] == expected);
    }
  }
}

/// Division of addresses; lanes define division by 0 as 0.
struct Divides {
  Address operator()(Address a, Address b) const { return b == 0 ? 0 : a / b; }
  auto operator()(const auto& a, const auto& b) const { return a / b; }
};
struct Modulus {
  Address operator()(Address a, Address b) const { return b == 0 ? 0 : a % b; }
  auto operator()(const auto& a, const auto& b) const { return a % b; }
};

template <class A, class B>
void all_operators_agree(const A& a, const B& b) {
  agrees(a, b, std::plus<>());
  agrees(a, b, std::minus<>());
  agrees(a, b, std::multiplies<>());
  agrees(a, b, Divides());
  agrees(a, b, Modulus());
  agrees(a, b, std::bit_and<>());
  agrees(a, b, std::bit_or<>());
  agrees(a, b, std::bit_xor<>());
  agrees(a, b, std::equal_to<>());
  agrees(a, b, std::not_equal_to<>());
  agrees(a, b, std::less<>());
  agrees(a, b, std::less_equal<>());
  agrees(a, b, std::greater<>());
  agrees(a, b, std::greater_equal<>());
}

BANKPROOF_PROPERTY(Lanes, and_progressions_and_addresses_mix_lane_by_lane,
                   (Address first, Address step, Address value)) {
  const Progression run(5, first, step % 4);
  const auto lanes = make_lanes(5, [](Width) { return *rc::gen::inRange<Address>(0, 6); });
  all_operators_agree(lanes, lanes);
  all_operators_agree(lanes, run);
  all_operators_agree(run, lanes);
  all_operators_agree(run, run);
  all_operators_agree(run, value);
  all_operators_agree(value, run);
  all_operators_agree(lanes, value);
  all_operators_agree(value, lanes);
  agrees(lanes, Address{3}, [](const auto& a, const auto& b) { return a << b; });
  agrees(run, Address{3}, [](const auto& a, const auto& b) { return a >> b; });
  agrees(Address{1}, lanes, [](const auto& a, const auto& b) { return a << b; });
}

// Lanes outside the mask also compute, with arbitrary values.
TEST(Lanes, of_integers_have_arithmetic_that_is_total) {
  const auto of = [](auto value) { return Lanes<decltype(value)>(1, value); };
  constexpr int lowest = std::numeric_limits<int>::min();
  constexpr int highest = std::numeric_limits<int>::max();
  EXPECT_EQ((of(lowest) / of(-1))[0], lowest);
  EXPECT_EQ((of(lowest) % of(-1))[0], 0);
  EXPECT_EQ((of(7) / of(0))[0], 0);
  EXPECT_EQ((of(7) % of(0))[0], 0);
  EXPECT_EQ((of(-7) / of(2))[0], -3);
  EXPECT_EQ((of(-7) % of(2))[0], -1);
  EXPECT_EQ((of(highest) + 1)[0], lowest);
  EXPECT_EQ((of(lowest) - 1)[0], highest);
  EXPECT_EQ((of(highest) * highest)[0], 1);
  EXPECT_EQ((of(std::uint16_t{65535}) * of(std::uint16_t{65535}))[0], 1U);
  EXPECT_EQ((of(1) << 31)[0], lowest);
  for (const int shift : {32, 40, -1}) {
    EXPECT_EQ((of(-1) << shift)[0], 0);
    EXPECT_EQ((of(5) >> shift)[0], 0);
    EXPECT_EQ((of(-5) >> shift)[0], -1);
  }
  EXPECT_EQ((of(-5) >> 1)[0], -3);
  EXPECT_EQ((of(Address{1}) << of(Address{64}))[0], 0U);
  EXPECT_EQ((of(0.5) / of(0.25))[0], 2.0);
}

TEST(Lanes, advance_by_a_step) {
  Progression run(4, 10, 2);
  run += 5;
  EXPECT_EQ(run[0], 15U);
  EXPECT_EQ(run[3], 21U);
  Lanes<Address> lanes = run;
  lanes += lanes;
  lanes += 1;
  EXPECT_EQ(lanes[3], 43U);
  lanes += lanes[0];
  EXPECT_EQ(lanes[3], 74U);
  lanes -= 4;
  lanes *= lanes;
  EXPECT_EQ(lanes[3], 4900U);
}

TEST(Lanes, of_integers_become_addresses_when_asked) {
  const Lanes<std::uint32_t> indices(3, 4'000'000'000U);
  EXPECT_EQ(as_addresses(indices)[2], 4'000'000'000U);
  EXPECT_EQ(as_addresses(Lanes<int>(3, -2))[1], Address{0} - 2);
}

TEST(Lanes, of_different_widths_cannot_be_in_one_expression) {
  const Lanes<Address> two(2, Address{5});
  const Lanes<Address> four(4, Address{5});
  EXPECT_THROW(two + four, Fault);
  EXPECT_THROW(static_cast<void>(two == four), Fault);
  EXPECT_THROW(select(Mask(0b01), two, four), Fault);
  EXPECT_EQ(select(Mask(0b10), two, two + Address{1})[0], 6U);
  EXPECT_EQ(select(Mask(0b10), two, two + Address{1})[1], 5U);
}

TEST(Masks, combine_lane_by_lane) {
  const Mask a(0b0011);
  const Mask b(0b0101);
  EXPECT_EQ(a & b, Mask(0b0001));
  EXPECT_EQ(a | b, Mask(0b0111));
  EXPECT_EQ(a ^ b, Mask(0b0110));
  EXPECT_EQ(~a & first_lanes(4), Mask(0b1100));
  Mask changed = a;
  changed |= b;
  EXPECT_EQ(changed, a | b);
  changed &= b;
  EXPECT_EQ(changed, b);
  EXPECT_EQ(first_lanes(63), Mask(~std::uint64_t{0} >> 1));
  EXPECT_EQ(first_lanes(64), first_lanes(1000));
}

// Code that must not compile. Each case has a counterpart that compiles, which shows that the check
// can fail.

/// A value that can only be copied, like the values that provers use.
struct Abstract {};

template <class Indices>
constexpr bool is_index = requires(Array<int>& array, const Indices& i) { array.read(i); };
static_assert(is_index<Lanes<Address>> && is_index<Progression>);
static_assert(!is_index<Lanes<int>> && !is_index<Lanes<std::uint32_t>> &&
              !is_index<Lanes<double>> && !is_index<Lanes<Abstract>> && !is_index<Address>);

template <class T>
constexpr bool become_addresses = requires(const Lanes<T>& lanes) { as_addresses(lanes); };
static_assert(become_addresses<std::uint32_t> && become_addresses<int>);
static_assert(!become_addresses<double> && !become_addresses<Abstract>);

template <class T>
constexpr bool can_be_compared = requires(const Lanes<T>& lanes) { lanes < lanes; };
static_assert(can_be_compared<Address>);
static_assert(!can_be_compared<int> && !can_be_compared<std::uint32_t> &&
              !can_be_compared<Abstract>);

template <class T>
constexpr bool can_be_a_condition = requires(const T& value) { static_cast<bool>(value); };
static_assert(can_be_a_condition<std::uint64_t>);
static_assert(!can_be_a_condition<Lanes<Address>> && !can_be_a_condition<Lanes<int>> &&
              !can_be_a_condition<Mask>);

template <class T>
constexpr bool can_be_negated = requires(const T& value) { !value; };
template <class T>
constexpr bool can_be_short_circuited = requires(const T& value) { value&& value; };
static_assert(can_be_negated<bool> && can_be_short_circuited<bool>);
static_assert(!can_be_negated<Mask> && !can_be_short_circuited<Mask>);

template <class M>
constexpr bool restricts = requires(Warp& warp, const M& mask) { warp.only(mask); };
static_assert(restricts<Mask>);
static_assert(!restricts<bool> && !restricts<int> && !restricts<std::uint64_t>);

template <class Value>
constexpr bool can_be_written =
    requires(Array<int>& array, const Value& x) { array.write(Lanes<Address>(4), x); };
static_assert(can_be_written<Lanes<int>>);
static_assert(!can_be_written<Lanes<double>> && !can_be_written<int>);

static_assert(!std::is_default_constructible_v<Lanes<int>>, "a width must be given");

// An access refers to its index and its value, so a program can await it only in the expression
// that makes it.
using Read = decltype(std::declval<Array<int>&>().read(std::declval<const Progression&>()));
template <class Awaited>
constexpr bool can_be_awaited =
    requires(Awaited&& awaited) { std::forward<Awaited>(awaited).operator co_await(); };
static_assert(can_be_awaited<Read> && !can_be_awaited<Read&>);
static_assert(!std::is_move_constructible_v<Read>);

// If a program's parameter is a reference, a launch must not convert an argument to its type: the
// reference would dangle when the program runs.
static_assert(bankproof::detail::outlives_call<const std::string&, std::string&>);
static_assert(bankproof::detail::outlives_call<Address, int> &&
              bankproof::detail::outlives_call<std::string, const char*>);
static_assert(!bankproof::detail::outlives_call<const std::string&, const char*>);
static_assert(!bankproof::detail::outlives_call<const Address&, int>);

}  // namespace
}  // namespace bankproof::testing
