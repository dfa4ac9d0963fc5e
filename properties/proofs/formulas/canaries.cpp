// Planted bugs in the reader of formulas, in the translation and in the questions. The laws must
// catch each of these bugs in every run.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "../../../testing/canary.hpp"
#include "agreement.hpp"
#include "laws.hpp"

namespace bankproof::formulas {
namespace {

using testing::caught;

struct SwappedShifts : WordArithmetic {
  using WordArithmetic::WordArithmetic;
  Term binary(BinaryOperator operation, const z3::expr& a, const z3::expr& b) const {
    using enum BinaryOperator;
    return WordArithmetic::binary(operation == shift_left    ? shift_right
                                  : operation == shift_right ? shift_left
                                                             : operation,
                                  a, b);
  }
};

/// Divides with sign, which is what `/` means in z3++.
struct SignedDivision : WordArithmetic {
  using WordArithmetic::WordArithmetic;
  Term binary(BinaryOperator operation, const z3::expr& a, const z3::expr& b) const {
    if (operation == BinaryOperator::divide) return {a / b, context().bool_val(true)};
    return WordArithmetic::binary(operation, a, b);
  }
};

struct SignedComparison : WordArithmetic {
  using WordArithmetic::WordArithmetic;
  z3::expr less(const z3::expr& a, const z3::expr& b) const { return a < b; }
};

struct ForgottenOverflow : IntegerArithmetic {
  using IntegerArithmetic::IntegerArithmetic;
  Term binary(BinaryOperator operation, const z3::expr& a, const z3::expr& b) {
    return {IntegerArithmetic::binary(operation, a, b).value, context().bool_val(true)};
  }
};

TEST(Canary, swapped_shifts_are_caught) { EXPECT_TRUE(caught(terms_are_values<SwappedShifts>)); }
TEST(Canary, a_signed_division_is_caught) { EXPECT_TRUE(caught(terms_are_values<SignedDivision>)); }
TEST(Canary, a_signed_comparison_is_caught) {
  EXPECT_TRUE(caught(terms_are_values<SignedComparison>));
}
TEST(Canary, integers_that_forget_overflow_are_caught) {
  EXPECT_TRUE(caught(terms_are_values<ForgottenOverflow>));
}

/// Writes text for a language in which two operators have exchanged their precedence.
template <std::size_t a, std::size_t b>
void is_read_as_in_c(const Drawn& drawn) {
  auto operators = c_operators;
  std::swap(operators[a].binding, operators[b].binding);
  const Writer spelled_out({"i", "j"}, "{}", ~std::uint64_t{0});
  const std::string text = Writer({"i", "j"}, "{}u", 0, operators)(drawn.expression);
  RC_ASSERT(spelled_out(parse(text, Scope{{"i", "j"}, {}})) == spelled_out(drawn.expression));
}

TEST(Canary, a_language_of_another_precedence_is_caught) {
  const auto place = [](BinaryOperator operation) { return static_cast<std::size_t>(operation); };
  using enum BinaryOperator;
  EXPECT_TRUE((caught(is_read_as_in_c<place(bit_and), place(equal)>)));
  EXPECT_TRUE((caught(is_read_as_in_c<place(shift_left), place(add)>)));
  EXPECT_TRUE((caught(is_read_as_in_c<place(bit_xor), place(bit_or)>)));
}

struct OneStageMore {
  static Decision decide(Question question, const Property& property, Method method) {
    ++question.max_stages;
    return formulas::decide(question, property, only(method));
  }
};

struct OneThreadLess {
  static Decision decide(Question question, const Property& property, Method method) {
    if (question.size > 1) --question.size;
    return formulas::decide(question, property, only(method));
  }
};

struct TheOtherMachine {
  static Decision decide(Question question, const Property& property, Method method) {
    question.rule = dmm_rule(question.width());
    return formulas::decide(question, property, only(method));
  }
};

TEST(Canary, a_question_that_asks_for_less_is_caught) {
  for (const Method method : {Method::words, Method::exhaustive}) {
    EXPECT_TRUE(
        caught([&](const Asked& asked) { decides_what_is_so<OneStageMore>(asked, method); }));
    EXPECT_TRUE(
        caught([&](const Asked& asked) { decides_what_is_so<OneThreadLess>(asked, method); }));
    EXPECT_TRUE(
        caught([&](const Asked& asked) { decides_what_is_so<TheOtherMachine>(asked, method); }));
  }
}

}  // namespace
}  // namespace bankproof::formulas
