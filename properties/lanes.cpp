// Lane-by-lane arithmetic: whatever form an index has, lanes or a progression, an expression of it
// is that expression in each lane. And what must not compile does not: data never becomes an
// address or a condition.
#include "../model/lanes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <concepts>
#include <cstdint>
#include <functional>

#include "../model/array.hpp"
#include "../model/progression.hpp"
#include "../testing/property.hpp"

namespace bankproof::testing {
namespace {

// What a program can say of its indices.

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
      RC_ASSERT((result >> lane & 1) == Mask{expected});
    } else {
      RC_ASSERT(result[lane] == expected);
    }
  }
}

/// Division of an address by 0, which is 0 for lanes.
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

TEST(Lanes, advance_by_a_step) {
  Progression run(4, 10, 2);
  run += 5;
  EXPECT_EQ(run[0], 15U);
  EXPECT_EQ(run[3], 21U);
  Lanes<Address> lanes = run;
  lanes += lanes;
  lanes += 1;
  EXPECT_EQ(lanes[3], 43U);
}

TEST(Lanes, of_unsigned_integers_become_addresses_when_asked) {
  const Lanes<std::uint32_t> indices(3, 4'000'000'000U);
  EXPECT_EQ(as_addresses(indices)[2], 4'000'000'000U);
}

// What must not compile. Each has a sibling that does, so that the check can fail.

/// A value that can be copied and nothing else, as provers use.
struct Abstract {};

template <class Indices>
constexpr bool is_index = requires(Array<int>& array, const Indices& i) { array.read(i); };
static_assert(is_index<Lanes<Address>> && is_index<Progression>);
static_assert(!is_index<Lanes<int>> && !is_index<Lanes<std::uint32_t>> &&
              !is_index<Lanes<double>> && !is_index<Lanes<Abstract>> && !is_index<Address>);

template <class T>
constexpr bool become_addresses = requires(const Lanes<T>& lanes) { as_addresses(lanes); };
static_assert(become_addresses<std::uint32_t>);
static_assert(!become_addresses<int> && !become_addresses<double> && !become_addresses<Abstract>);

template <class T>
constexpr bool can_be_compared = requires(const Lanes<T>& lanes) { lanes < lanes; };
static_assert(can_be_compared<Address>);
static_assert(!can_be_compared<int> && !can_be_compared<std::uint32_t> &&
              !can_be_compared<Abstract>);

template <class T>
constexpr bool can_be_a_condition = requires(const T& value) { static_cast<bool>(value); };
static_assert(can_be_a_condition<Mask>);
static_assert(!can_be_a_condition<Lanes<Address>> && !can_be_a_condition<Lanes<int>>);

template <class Value>
constexpr bool can_be_written =
    requires(Array<int>& array, const Value& x) { array.write(Lanes<Address>(4), x); };
static_assert(can_be_written<Lanes<int>>);
static_assert(!can_be_written<Lanes<double>> && !can_be_written<int>);

}  // namespace
}  // namespace bankproof::testing
