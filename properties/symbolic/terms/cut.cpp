// ValuedTerms whose highest bits are cut off, and choices between a number and nothing: terms that
// are simplified have the values that the operations give.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

#include "../../../symbolic/terms/evaluate.hpp"
#include "../../../testing/property.hpp"

namespace bankproof::symbolic {
namespace {

constexpr unsigned word_bits = 32;

/// A term of unknowns, and the value that plain arithmetic gives.
struct Valued {
  Term term{};
  std::uint32_t value = 0;
};

class ValuedTerms {
 public:
  Valued unknown() {
    const Term term = pool.unknown("x", word_bits);
    values_.push_back(
        *rc::gen::oneOf(rc::gen::arbitrary<std::uint32_t>(), rc::gen::inRange(0U, 20U)));
    terms_.push_back(term);
    return {term, values_.back()};
  }
  std::uint32_t value(Term term) {
    Values values(pool, [&](Term unknown) -> std::uint64_t {
      for (std::size_t k = 0; k < terms_.size(); ++k) {
        if (terms_[k] == unknown) return values_[k];
      }
      return 0;
    });
    return static_cast<std::uint32_t>(values(term));
  }
  bool agree(const Valued& both) { return value(both.term) == both.value; }

  Valued scaled(const Valued& a, std::uint32_t factor) {
    return {pool.scale(a.term, factor), a.value * factor};
  }
  Valued sum(const Valued& a, const Valued& b) {
    return {pool.add(a.term, b.term), a.value + b.value};
  }
  Valued product(const Valued& a, const Valued& b) {
    return {pool.multiply(a.term, b.term), a.value * b.value};
  }
  /// The lowest bits alone, as of a number of fewer bits.
  Valued cut(const Valued& a, unsigned width) {
    const std::uint32_t mask = width == word_bits ? ~0U : (1U << width) - 1;
    return {pool.zero_extended(pool.part(a.term, 0, width), word_bits), a.value & mask};
  }
  Valued high(const Valued& a, unsigned by) {
    return {pool.shift_right(a.term, pool.constant(by, word_bits), false), a.value >> by};
  }
  Valued constant(std::uint32_t value) { return {pool.constant(value, word_bits), value}; }
  Valued chosen(const Valued& a, const Valued& b, bool is_equal, const Valued& yes,
                const Valued& no) {
    const Term condition =
        is_equal ? pool.equal(a.term, b.term) : pool.below(a.term, b.term, false);
    const bool holds = is_equal ? a.value == b.value : a.value < b.value;
    return {pool.choice(condition, yes.term, no.term), holds ? yes.value : no.value};
  }

  Pool pool;

 private:
  std::vector<Term> terms_;
  std::vector<std::uint32_t> values_;
};

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

// Where n < 4, n / 4 · d is 0, and so it is chosen everywhere.
RC_GTEST_PROP(Choices, of_nothing_have_their_values, ()) {
  ValuedTerms numbers;
  const Valued d = numbers.unknown();
  const Valued n = numbers.unknown();
  const auto small = [] { return *rc::gen::inRange(0U, 9U); };
  const unsigned shift = *rc::gen::inRange(1U, 4U);
  const Valued size = numbers.sum(n, numbers.constant(small() - 4));
  const Valued more = numbers.scaled(
      numbers.product(d, numbers.high(numbers.sum(n, numbers.constant(small() - 4)), shift)),
      1U << small() % 4);
  const bool is_equal = *rc::gen::arbitrary<bool>();
  const Valued a = is_equal ? numbers.scaled(numbers.high(n, shift), 1U << small() % 4) : size;
  const Valued b = numbers.constant(is_equal ? 0 : small());
  const bool is_turned = *rc::gen::arbitrary<bool>();
  const Valued x = numbers.sum(n, numbers.constant(*rc::gen::arbitrary<bool>() ? 0 : small()));
  const Valued with = numbers.sum(x, more);
  for (const auto& [yes, no] : {std::pair{numbers.constant(0), more},
                                {more, numbers.constant(0)},
                                {x, with},
                                {with, x},
                                {x, d}}) {
    RC_ASSERT(numbers.agree(is_turned ? numbers.chosen(b, a, is_equal, yes, no)
                                      : numbers.chosen(a, b, is_equal, yes, no)));
  }
}

TEST(Choices, of_nothing_or_of_what_is_nothing_there_are_none) {
  Pool pool;
  const Term d = pool.unknown("d", word_bits);
  const Term n = pool.unknown("n", word_bits);
  const Term more = pool.multiply(d, pool.shift_right(n, pool.constant(2, word_bits), false));
  const auto chosen = [&](std::uint32_t limit) {
    return pool.choice(pool.below(n, pool.constant(limit, word_bits), false),
                       pool.constant(0, word_bits), more);
  };
  EXPECT_EQ(chosen(4), more);
  EXPECT_NE(chosen(5), more);
}

}  // namespace
}  // namespace bankproof::symbolic
