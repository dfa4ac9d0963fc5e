// Choices, of nothing and of choices: terms that are simplified have the values that the operations
// give.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "../../../testing/property.hpp"
#include "valued_terms.hpp"

namespace bankproof::symbolic {
namespace {

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

/// Numbers that a few conditions choose, as control flow leaves them in a register.
class ChosenTerms : public ValuedTerms {
 public:
  ChosenTerms() {
    for (int k = 0; k < 3; ++k) {
      const Valued x = unknown();
      const Valued limit = constant(*rc::gen::inRange(1U, 20U));
      facts.push_back({pool.below(x.term, limit.term, false), x.value < limit.value});
      numbers.push_back(x);
    }
  }

  /// A statement, and whether it holds.
  struct Fact {
    Term term{};
    bool holds = false;
  };
  Fact condition() {
    Fact all = fact();
    for (int k = *rc::gen::inRange(0, 3); k > 0; --k) {
      const Fact one = fact();
      all = *rc::gen::arbitrary<bool>()
                ? Fact{pool.both(all.term, one.term), all.holds && one.holds}
                : Fact{pool.either(all.term, one.term), all.holds || one.holds};
    }
    return all;
  }
  Valued number() { return *rc::gen::elementOf(numbers); }
  /// From now on among the numbers.
  void add_choice() {
    const Fact is = condition();
    const Valued yes = sum(scaled(number(), *rc::gen::inRange(0U, 5U)), number());
    const Valued no = sum(scaled(number(), *rc::gen::inRange(0U, 5U)), number());
    numbers.push_back({pool.choice(is.term, yes.term, no.term), is.holds ? yes.value : no.value});
  }

  std::vector<Fact> facts;
  std::vector<Valued> numbers;

 private:
  Fact fact() {
    const Fact one = *rc::gen::elementOf(facts);
    return *rc::gen::arbitrary<bool>() ? Fact{pool.negation(one.term), !one.holds} : one;
  }
};

TEST(Choices, of_choices_have_their_values) {
  testing::check_property([] {
    ChosenTerms terms;
    for (int k = 0; k < 6; ++k) {
      terms.add_choice();
      RC_ASSERT(terms.agree(terms.numbers.back()));
    }
  });
}

TEST(Choices, that_facts_decide_are_made_where_the_facts_hold) {
  testing::check_property([] {
    ChosenTerms terms;
    for (int k = 0; k < 6; ++k) terms.add_choice();
    std::vector<Term> facts;
    for (const ChosenTerms::Fact& one : terms.facts) {
      if (*rc::gen::arbitrary<bool>()) continue;
      facts.push_back(one.holds ? one.term : terms.pool.negation(one.term));
    }
    const ChosenTerms::Fact more = terms.condition();
    if (more.holds) facts.push_back(more.term);
    const Valued& last = terms.numbers.back();
    RC_ASSERT(terms.agree({terms.pool.where(facts, last.term), last.value}));
  });
}

// An index that goes on only in threads that are active, as compilers write it out: where a thread
// is active is asked before, and again together with what else they ask.
TEST(Choices, that_say_the_same_are_one_step) {
  Pool pool;
  const Term r = pool.unknown("r", word_bits);
  const Term step = pool.unknown("step", word_bits);
  const auto is = [&](const char* name) {
    return pool.equal(pool.unknown(name, word_bits), pool.constant(0, word_bits));
  };
  const Term idle = is("idle");
  const Term more = is("more");
  const Term own = pool.choice(idle, r, pool.add(r, step));
  const Term first = pool.choice(pool.either(idle, more), own, pool.add(r, step));
  EXPECT_EQ(first, own);
  const Term twice = pool.choice(pool.either(idle, more), pool.choice(idle, r, pool.add(own, step)),
                                 pool.add(r, pool.scale(step, 2)));
  EXPECT_EQ(pool.subtract(twice, r), pool.scale(pool.subtract(own, r), 2));
  // A planted bug: the index goes on in half of the idle threads.
  EXPECT_NE(pool.choice(pool.either(idle, more), own, pool.add(own, step)), own);
}

TEST(Choices, are_made_only_where_all_facts_decide_them) {
  Pool pool;
  const Term a = pool.equal(pool.unknown("a", word_bits), pool.constant(0, word_bits));
  const Term b = pool.equal(pool.unknown("b", word_bits), pool.constant(0, word_bits));
  const Term x = pool.unknown("x", word_bits);
  const Term y = pool.unknown("y", word_bits);
  const Term chosen = pool.choice(pool.either(a, b), x, y);
  const std::vector<Term> some{b};
  const std::vector<Term> none{pool.negation(a), pool.negation(b)};
  const std::vector<Term> too_few{pool.negation(a)};
  EXPECT_EQ(pool.where(some, chosen), x);
  EXPECT_EQ(pool.where(none, chosen), y);
  EXPECT_EQ(pool.where(too_few, chosen), pool.choice(b, x, y));
}

}  // namespace
}  // namespace bankproof::symbolic
