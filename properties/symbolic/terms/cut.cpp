// Numbers whose highest bits are cut off: terms that are simplified have the values that the
// operations give.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

#include "../../../testing/property.hpp"
#include "valued_terms.hpp"

namespace bankproof::symbolic {
namespace {

// 4·(d·(n mod 2^30)) is 4·(d·n).
RC_GTEST_PROP(CutNumbers, that_are_shifted_left_have_their_values, ()) {
  ValuedTerms numbers;
  const Valued d = numbers.unknown();
  const Valued n = numbers.sum(numbers.unknown(), numbers.constant(*rc::gen::inRange(0U, 9U) - 4));
  const unsigned shift = *rc::gen::inRange(0U, 4U);
  const unsigned width = word_bits - *rc::gen::inRange(0U, 5U);
  const Valued factor =
      numbers.sum(numbers.cut(n, width), numbers.constant(*rc::gen::inRange(0U, 2U)));
  RC_ASSERT(numbers.agree(numbers.scaled(numbers.product(d, factor), 1U << shift)));
  RC_ASSERT(numbers.agree(numbers.product(numbers.scaled(d, 1U << shift), factor)));
  RC_ASSERT(numbers.agree(numbers.scaled(factor, 3U << shift)));
}

TEST(CutNumbers, that_are_shifted_left_are_not_cut) {
  ValuedTerms numbers;
  const Term d = numbers.pool.unknown("d", word_bits);
  const Term n = numbers.pool.unknown("n", word_bits);
  const auto cut = [&](unsigned width) {
    return numbers.pool.zero_extended(numbers.pool.part(n, 0, width), word_bits);
  };
  const auto times_four = [&](Term number) {
    return numbers.pool.scale(numbers.pool.multiply(d, number), 4);
  };
  EXPECT_EQ(times_four(cut(30)), times_four(n));
  EXPECT_NE(times_four(cut(29)), times_four(n));
}

}  // namespace
}  // namespace bankproof::symbolic
