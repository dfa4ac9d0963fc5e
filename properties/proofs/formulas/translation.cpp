// The terms that a solver gets have the values that evaluation computes.
#include "../../../proofs/formulas/translation.hpp"

#include <gtest/gtest.h>

#include "../../../testing/property.hpp"
#include "laws.hpp"

namespace bankproof::formulas {
namespace {

TEST(Translation, terms_of_words_are_values) {
  testing::check_property(terms_are_values<WordArithmetic>, "", 4);
}

TEST(Translation, terms_of_integers_are_values_where_they_fit) {
  testing::check_property(terms_are_values<IntegerArithmetic>, "", 4);
}

/// Checks the value of the integer term, and whether that value fits in a word (`fits`).
void expect_integer(const std::string& text, std::uint32_t i, const std::string& value, bool fits) {
  const Scope scope{{"i"}, {{"k", {"4", Expression(Number{4})}}}};
  z3::context context;
  IntegerArithmetic arithmetic(context);
  const Meaning meaning = Translation<IntegerArithmetic>(
      arithmetic, {arithmetic.number(i)})(Formula(scope, {text, parse(text, scope)}));
  EXPECT_EQ(meaning.value.simplify().to_string(), value) << text;
  EXPECT_EQ(meaning.fits.simplify().is_true(), fits) << text;
}

TEST(Translation, integers_tell_where_words_overflow) {
  expect_integer("i - 8", 9, "1", true);
  expect_integer("i - 8", 7, "(- 1)", false);
  expect_integer("i * 65536", 65535, "4294901760", true);
  expect_integer("i * 65536", 65536, "4294967296", false);
  expect_integer("i << k", 3, "48", true);
  expect_integer("i & 31", 69, "5", true);
  expect_integer("i & ~31", 69, "64", true);
  expect_integer("-32 & i", 69, "64", true);
  expect_integer("i >= 8 ? i - 8 : 0", 7, "0", true);
  expect_integer("i >= 8 && i - 8", 7, "0", true);
  expect_integer("~i", 1, "4294967294", true);
  expect_integer("-i", 0, "0", true);
  expect_integer("-i", 1, "(- 1)", false);
}

TEST(Translation, a_quotient_does_not_rule_out_that_its_dividend_overflows) {
  const Scope scope{{"i", "j"}, {}};
  z3::context context;
  IntegerArithmetic arithmetic(context);
  const std::vector<z3::expr> inputs = {arithmetic.below("i", 8), arithmetic.below("j", 8)};
  const std::string text = "(i - 4) / (j + 1)";
  const Meaning meaning = Translation<IntegerArithmetic>(
      arithmetic, inputs)(Formula(scope, {text, parse(text, scope)}));
  z3::solver solver(context);
  for (const z3::expr& fact : arithmetic.assumptions()) solver.add(fact);
  solver.add(!meaning.fits);
  EXPECT_EQ(solver.check(), z3::sat);
}

TEST(Translation, integers_refuse_what_they_cannot_say) {
  const Scope scope{{"i"}, {}};
  z3::context context;
  IntegerArithmetic arithmetic(context);
  for (const std::string text : {"i ^ 1", "i | 1", "i & 5", "1 << i", "1 >> i"}) {
    Translation<IntegerArithmetic> translation(arithmetic, {arithmetic.below("i", 8)});
    EXPECT_THROW(translation(Formula(scope, {text, parse(text, scope)})), NoIntegerForm) << text;
  }
}

}  // namespace
}  // namespace bankproof::formulas
