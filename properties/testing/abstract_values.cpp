// The abstract values of one-run proofs: they obey the laws of the values that they represent,
// evaluate to these values, and distinguish different values.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <map>
#include <type_traits>
#include <vector>

#include "../../testing/abstract/corner.hpp"
#include "../../testing/abstract/interval.hpp"
#include "../../testing/abstract/word.hpp"
#include "../../testing/property.hpp"
#include "../../testing/values.hpp"

namespace bankproof::testing {
namespace {

/// 2 × 2 matrices of integers that wrap: a noncommutative ring.
struct Square {
  std::array<std::uint64_t, 4> entries{};

  friend Square operator+(Square a, const Square& b) {
    for (std::size_t k = 0; k < 4; ++k) a.entries[k] += b.entries[k];
    return a;
  }
  friend Square operator-(Square a, const Square& b) {
    for (std::size_t k = 0; k < 4; ++k) a.entries[k] -= b.entries[k];
    return a;
  }
  friend Square operator*(const Square& a, const Square& b) {
    const auto& x = a.entries;
    const auto& y = b.entries;
    return {{x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2],
             x[2] * y[1] + x[3] * y[3]}};
  }
  bool operator==(const Square&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Square& square) {
  for (const std::uint64_t entry : square.entries) out << entry << ' ';
  return out;
}

/// A sum of a few products; each has up to two of six letters.
rc::Gen<Polynomial> any_polynomial() {
  return rc::gen::exec([] {
    Polynomial sum;
    const auto terms = *rc::gen::inRange(0, 5);
    for (int k = 0; k < terms; ++k) {
      const auto letter = [] {
        return Polynomial(
            Word{{{*rc::gen::inRange<std::size_t>(0, 2), *rc::gen::inRange<std::size_t>(0, 3)}}});
      };
      const Polynomial term = *rc::gen::arbitrary<bool>() ? letter() : letter() * letter();
      *rc::gen::arbitrary<bool>() ? sum += term : sum -= term;
    }
    return sum;
  });
}

/// Values for the letters.
using Assignment = std::map<Letter, Square>;
Assignment any_assignment() {
  Assignment values;
  for (std::size_t array = 0; array < 2; ++array) {
    for (std::size_t place = 0; place < 3; ++place) {
      values[{array, place}] = {
          *rc::gen::container<std::array<std::uint64_t, 4>>(rc::gen::arbitrary<std::uint64_t>())};
    }
  }
  return values;
}
Square at(const Assignment& values, const Polynomial& polynomial) {
  return evaluated<Square>(polynomial, [&](const Word& word) {
    Square product = values.at(word.letters.front());
    for (std::size_t k = 1; k < word.letters.size(); ++k) {
      product = product * values.at(word.letters[k]);
    }
    return product;
  });
}

BANKPROOF_PROPERTY(AbstractValues, of_products_evaluate_to_sums_differences_and_products, ()) {
  const auto a = *any_polynomial();
  const auto b = *any_polynomial();
  const Assignment values = any_assignment();
  RC_ASSERT(at(values, a + b) == at(values, a) + at(values, b));
  RC_ASSERT(at(values, a - b) == at(values, a) - at(values, b));
  RC_ASSERT(at(values, a * b) == at(values, a) * at(values, b));
}

BANKPROOF_PROPERTY(AbstractValues, of_products_obey_the_laws_of_rings, ()) {
  const auto a = *any_polynomial();
  const auto b = *any_polynomial();
  const auto c = *any_polynomial();
  RC_ASSERT(is_same(a + b, b + a));
  RC_ASSERT(is_same((a + b) + c, a + (b + c)));
  RC_ASSERT(is_same(a + Polynomial{}, a));
  RC_ASSERT(is_same(a - a, Polynomial{}));
  RC_ASSERT(is_same(a - b, a + (Polynomial{} - b)));
  RC_ASSERT(is_same((a * b) * c, a * (b * c)));
  RC_ASSERT(is_same(a * (b + c), a * b + a * c));
  RC_ASSERT(is_same((a + b) * c, a * c + b * c));
}

TEST(AbstractValues, of_products_differ_when_factors_are_swapped) {
  const Polynomial x(Word{{{0, 0}}});
  const Polynomial y(Word{{{1, 0}}});
  EXPECT_FALSE(is_same(x * y, y * x));
  EXPECT_FALSE(is_same(x + y, x));
  EXPECT_FALSE(is_same(x - y, y - x));
  EXPECT_TRUE(is_same((x + y) * (x - y), x * x - x * y + y * x - y * y));
}

TEST(AbstractValues, are_nothing_that_a_program_could_depend_on) {
  static_assert(!std::equality_comparable<Polynomial> && !std::equality_comparable<CornerSum>);
  static_assert(!std::equality_comparable<Interval> && !std::totally_ordered<Interval>);
  static_assert(!std::is_constructible_v<bool, Polynomial>);
  static_assert(!std::is_constructible_v<bool, Interval>);
}

TEST(AbstractValues, do_not_wrap) {
  Polynomial power(Word{{{0, 0}}});
  for (int k = 0; k < 62; ++k) power += power;
  EXPECT_THROW(power += power, std::overflow_error);
}

BANKPROOF_PROPERTY(AbstractValues, by_corners_are_sums_of_elements, ()) {
  // Computes a random sum of elements, some of them negated, once with corners and once with
  // numbers.
  constexpr std::uint64_t side = 6;
  const auto numbers = *rc::gen::container<std::vector<std::uint64_t>>(
      side * side, rc::gen::arbitrary<std::uint64_t>());
  const auto corner = [&](const Corner& at) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < at.y; ++i) {
      for (std::uint64_t j = 0; j < at.x; ++j) sum += numbers[i * side + j];
    }
    return sum;
  };
  CornerSum formal;
  std::uint64_t sum = 0;
  const auto terms = *rc::gen::inRange(0, 20);
  for (int k = 0; k < terms; ++k) {
    const auto i = *rc::gen::inRange<std::uint64_t>(0, side);
    const auto j = *rc::gen::inRange<std::uint64_t>(0, side);
    const bool plus = *rc::gen::arbitrary<bool>();
    plus ? formal += element_by_corners(i, j) : formal -= element_by_corners(i, j);
    sum = plus ? sum + numbers[i * side + j] : sum - numbers[i * side + j];
  }
  RC_ASSERT(evaluated<std::uint64_t>(formal, corner) == sum);
}

TEST(AbstractValues, by_corners_of_a_rectangle_are_four_at_most_and_tell_elements_apart) {
  CornerSum sum;
  for (std::uint64_t i = 2; i < 5; ++i) {
    for (std::uint64_t j = 1; j < 4; ++j) sum += element_by_corners(i, j);
  }
  EXPECT_TRUE(
      is_same(sum, corner_sum(5, 4) - corner_sum(2, 4) - corner_sum(5, 1) + corner_sum(2, 1)));
  EXPECT_FALSE(is_same(element_by_corners(0, 1), element_by_corners(1, 0)));
  EXPECT_FALSE(is_same(sum, sum + element_by_corners(3, 3)));
}

BANKPROOF_PROPERTY(AbstractValues, of_intervals_stand_for_sums_in_order, ()) {
  // Adds up adjacent intervals with parentheses at random places; the sum has all elements in
  // order.
  const auto n = *rc::gen::inRange<std::uint64_t>(1, 12);
  std::vector<Interval> intervals = unit_intervals(n);
  while (intervals.size() > 1) {
    const auto k = *rc::gen::inRange<std::size_t>(0, intervals.size() - 1);
    intervals[k] = intervals[k] + intervals[k + 1];
    intervals.erase(intervals.begin() + static_cast<std::ptrdiff_t>(k) + 1);
  }
  RC_ASSERT(is_same(intervals.front(), (Interval{0, n})));
}

BANKPROOF_PROPERTY(AbstractValues, of_intervals_are_a_monoid, ()) {
  const auto any_interval = [] {
    const auto begin = *rc::gen::inRange<std::uint64_t>(0, 4);
    return Interval{begin, begin + *rc::gen::inRange<std::uint64_t>(1, 3)};
  };
  const Interval a = any_interval();
  const Interval b = any_interval();
  const Interval c = any_interval();
  const Interval left = (a + b) + c;
  RC_ASSERT(left.broken == (a + (b + c)).broken);
  if (!left.broken) RC_ASSERT(is_same(left, a + (b + c)));
  RC_ASSERT(is_same(a + Interval{}, a));
  RC_ASSERT(is_same(Interval{} + a, a));
}

TEST(AbstractValues, of_intervals_show_swapped_and_missing_operands) {
  const Interval first{0, 1};
  const Interval second{1, 2};
  EXPECT_TRUE(is_same(first + second, (Interval{0, 2})));
  EXPECT_TRUE((second + first).broken);
  EXPECT_TRUE((first + Interval{2, 3}).broken);
  EXPECT_TRUE((first + first).broken);
}

}  // namespace
}  // namespace bankproof::testing
