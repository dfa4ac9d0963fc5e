// The parser reads back every written expression, with or without spare parentheses. It refuses any
// other text, and names the position of the error.
#include "../../../proofs/formulas/parser.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "../../../testing/property.hpp"
#include "expressions.hpp"
#include "laws.hpp"

namespace bankproof::formulas {
namespace {

const Scope scope{{"i", "row"}, {{"k", {"5", Expression(Number{5})}}}};

/// Writes the expression with all possible parentheses.
std::string spelled_out(const Expression& e) {
  return Writer({"i", "j", "k"}, "{}", ~std::uint64_t{0})(e);
}

BANKPROOF_PROPERTY(Parser, reads_what_is_written, (const Drawn& drawn, std::uint64_t spare)) {
  const Scope inputs{{"i", "j"}, {}};
  const Expression& e = drawn.expression;
  for (const char* const number : {"{}u", "{}U", "{:#x}", "{:#o}", "{:#b}U"}) {
    const std::string text = Writer({"i", "j"}, number, spare)(e);
    RC_ASSERT(spelled_out(parse(text, inputs)) == spelled_out(e));
  }
}

std::uint32_t value_of(const std::string& text, std::uint32_t i = 7) {
  const std::vector<std::uint32_t> inputs = {i, 3};
  const Outcome outcome = Formula(scope, {text, parse(text, scope)})(inputs);
  EXPECT_TRUE(outcome.is_defined()) << text;
  return outcome.value;
}

TEST(Parser, groups_as_C_does) {
  const std::vector<std::pair<std::string, std::uint32_t>> table = {
      {"10 - 4 - 3", 3},
      {"100 / 5 / 2", 10},
      {"1 << 2 << 3", 32},
      {"2 + 3 * 4", 14},
      {"1 << 2 + 3", 32},
      {"6 & 3 == 3", 0},
      {"1 | 6 ^ 2 & 3", 5},
      {"1 < 2 == 1", 1},
      {"0 && 0 || 1", 1},
      {"1 || 0 && 0", 1},
      {"- 1 >> 31", 1},
      {"~0 >> 28", 15},
      {"!5 + 1", 1},
      {"0 ? 1 : 0 ? 2 : 3", 3},
      {"1 ? 2, 3 : 4", 3},
      {"1 ? 2 : 3, 4", 4},
      {"i & 3 + k", 0},
      {"row * 0x10 + 010 + 0b1", 57},
      {"4294967295u + 2U", 1},
      {"2147483647 + 0xffffffff", 2147483646},
      {"037777777777 + 0b1u", 0},
      {"1 - 2 > 0", 1},
      {"-1 < 1", 0},
      {"\t\n7\r", 7},
  };
  for (const auto& [text, value] : table) EXPECT_EQ(value_of(text), value) << text;
}

TEST(Parser, evaluates_only_what_C_evaluates) {
  EXPECT_EQ(value_of("i == 7 || 1 / (i - 7)"), 1U);
  EXPECT_EQ(value_of("i != 7 && 1 % (i - 7)"), 0U);
  EXPECT_EQ(value_of("i == 7 ? 9 : 1 << 32"), 9U);
  const std::vector<std::uint32_t> inputs = {7, 0};
  for (const std::string text :
       {"0 && 1, 1 / (i - 7)", "(1 << 32) && 0", "1 >> (i - 8)", "0 / row", "0 * (1 / row)"}) {
    EXPECT_FALSE(Formula(scope, {text, parse(text, scope)})(inputs).is_defined()) << text;
  }
}

struct Refused {
  std::string text;
  std::size_t column;
  std::string what;
};

TEST(Parser, refuses_with_the_position) {
  const std::string numbers = "numbers are whole, like 31, 0x1f, 037, 0b11111 or 31u";
  const std::vector<Refused> table = {
      {"", 1, "expected a number, a name or '(', not the end"},
      {"i +", 4, "expected a number, a name or '(', not the end"},
      {"i ^ ((i & ) << 5)", 11, "expected a number, a name or '(', not ')'"},
      {"(i", 3, "expected an operator or ')', not the end"},
      {"i)", 2, "expected an operator or the end, not ')'"},
      {"i 5", 3, "expected an operator or the end, not '5'"},
      {"i ? 1", 6, "expected an operator or ':', not the end"},
      {"i : 1", 3, "expected an operator or the end, not ':'"},
      {"i = 5", 3, "'=' assigns, but a formula can only compute a value; '==' compares"},
      {"i <<= 5", 3, "'<<=' assigns, but a formula can only compute a value"},
      {"i--1", 2,
       "'--' assigns, but a formula can only compute a value; minus a negative is '- -'"},
      {"i; 1", 2, "';' is no part of an expression"},
      {"i ² 2", 3, "'²' is no part of an expression"},
      {"\x01", 1, "'\\x01' is no part of an expression"},
      {"rwo", 1, "unknown name 'rwo'; did you mean 'row'?"},
      {"lane", 1, "unknown name 'lane'; the thread is i: --let lane=i"},
      {"pitch", 1, "unknown name 'pitch'; there are i, row, k; --let and --for give others"},
      {"(uint32_t)i", 2,
       "unknown name 'uint32_t'; there are no types, every value is unsigned and has 32 bits"},
      {"4294967296", 1, "'4294967296' does not fit 32 bits, which every value has"},
      {"1 + 0x100000000", 5, "'0x100000000' does not fit 32 bits, which every value has"},
      {"i * 2654435761", 5, "in C this number has 64 bits: write 2654435761u"},
      {"2147483648", 1, "in C this number has 64 bits: write 2147483648u"},
      {"-2147483648", 2, "in C this number has 64 bits: write 2147483648u"},
      {"1 + 5l", 5, "'5l' is a long number in C, and every value here has 32 bits: write 5u"},
      {"0x1fULL", 1,
       "'0x1fULL' is a long number in C, and every value here has 32 bits: write 0x1fu"},
      {"1.5", 1, "'1.5' is no number; " + numbers},
      {"0x", 1, "'0x' is no hexadecimal number; " + numbers},
      {"089", 1, "'089' is no octal (it begins with 0) number; " + numbers},
      {"0b12", 1, "'0b12' is no binary number; " + numbers},
      {"5lL", 1, "'5lL' is no number; " + numbers},
      {"5i", 1, "'5i' is no number; " + numbers},
  };
  for (const auto& [text, column, what] : table) {
    try {
      parse(text, scope);
      ADD_FAILURE() << text << " is accepted";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.what(), what) << text;
      EXPECT_EQ(error.at() + 1, column) << text;
    }
  }
}

TEST(Parser, points_at_the_position) {
  EXPECT_EQ(pointing_at("i + )", 4), "  i + )\n      ^\n");
  EXPECT_EQ(pointing_at("", 0), "  \n  ^\n");
  EXPECT_EQ(pointing_at("\x1b[2J", 4), "  ?[2J\n      ^\n");
  const std::string long_text(1000, 'i');
  EXPECT_EQ(pointing_at(long_text, 500),
            "  " + std::string(74, 'i') + "\n  " + std::string(50, ' ') + "^\n");
}

TEST(Parser, refuses_what_is_too_deep_or_too_long) {
  const auto repeated = [](const std::string& part, std::size_t times) {
    std::string text;
    for (std::size_t k = 0; k < times; ++k) text += part;
    return text;
  };
  const std::size_t most = deepest_expression;
  for (const std::string part : {"(", "~", "1?", "1?1:", "1+", "1,", "-(", "!"}) {
    for (const std::size_t times : {most + 1, std::size_t{20'000}, std::size_t{1'000'000}}) {
      EXPECT_THROW(parse(repeated(part, times) + "1", scope), ParseError) << part << times;
    }
  }
  EXPECT_NO_THROW(parse(repeated("(", most) + "1" + repeated(")", most), scope));
  EXPECT_NO_THROW(parse(repeated("1+", most) + "1", scope));
  EXPECT_THROW(parse(std::string(longest_text + 1, ' ') + "1", scope), ParseError);
}

/// Any text gives an expression, or an error at a position within the text. The texts consist of
/// pieces of expressions, so the parser gets far.
TEST(Parser, survives_any_text) {
  const std::vector<std::string> pieces = {
      "i",    "row", "k", "1",  "0x1f", "08", "4294967296",
      "(",    ")",   "?", ":",  ",",    "+",  "-",
      "<<",   ">>",  "<", "==", "&&",   "||", "!",
      "~",    "=",   " ", "/",  "%",    "u",  std::string(1, '\0'),
      "\xff", "*",   "&", "|"};
  std::mt19937_64 random(2024);
  std::size_t accepted = 0;
  for (int attempt = 0; attempt < 20'000; ++attempt) {
    std::string text;
    for (std::uint64_t length = random() % 24; length > 0; --length) {
      text += pieces[random() % pieces.size()];
    }
    try {
      const Formula formula(scope, {text, parse(text, scope)});
      formula(std::vector<std::uint32_t>{static_cast<std::uint32_t>(random()), 1});
      ++accepted;
    } catch (const ParseError& error) {
      EXPECT_LE(error.at(), text.size());
    }
  }
  EXPECT_GT(accepted, 100U);
}

}  // namespace
}  // namespace bankproof::formulas
