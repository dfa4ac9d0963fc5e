// Tokens: where they end, their positions, and the values of numbers.
#include "../../../ptx/syntax/lexer.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../../../ptx/syntax/cursor.hpp"

namespace bankproof::ptx {
namespace {

std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> result;
  for (Lexer lexer(text, "k.ptx"); lexer.token().kind != TokenKind::end; lexer.next()) {
    result.emplace_back(lexer.token().text);
  }
  return result;
}

using Texts = std::vector<std::string>;

TEST(Lexer, splits_opcodes_at_dots) {
  EXPECT_EQ(tokens("ld.global.L2::128B.v4.f32 {%f1,_}"),
            (Texts{"ld", ".global", ".L2::128B", ".v4", ".f32", "{", "%f1", ",", "_", "}"}));
}

TEST(Lexer, ends_numbers_where_they_end) {
  EXPECT_EQ(tokens("1.5e-3 0x1E+4 0f3F800000 -7U 7.8 [%rd1+-4]"),
            (Texts{"1.5e-3", "0x1E", "+", "4", "0f3F800000", "-", "7U", "7.8", "[", "%rd1", "+",
                   "-", "4", "]"}));
}

TEST(Lexer, takes_comments_for_blanks) {
  EXPECT_EQ(tokens("a// b\nc/* d\n * e */f /**/ g//"), (Texts{"a", "c", "f", "g"}));
}

TEST(Lexer, keeps_escapes_in_strings) {
  EXPECT_EQ(tokens(R"("a\"b" "" "c\\")"), (Texts{R"(a\"b)", "", R"(c\\)"}));
}

TEST(Lexer, counts_lines_and_columns_from_1) {
  Lexer lexer("\n  a /* \n */ b", "k.ptx");
  EXPECT_EQ(lexer.token().place.line, 2U);
  EXPECT_EQ(lexer.token().place.column, 3U);
  lexer.next();
  EXPECT_EQ(lexer.token().place.line, 3U);
  EXPECT_EQ(lexer.token().place.column, 5U);
}

TEST(Numbers, have_the_values_that_the_ISA_gives_them) {
  using Kind = Immediate::Kind;
  const std::vector<std::pair<std::string, Immediate>> table = {
      {"0", {Kind::integer, 0}},
      {"42U", {Kind::integer, 42}},
      {"0xfFU", {Kind::integer, 255}},
      {"0X10", {Kind::integer, 16}},
      {"017", {Kind::integer, 15}},
      {"0b101", {Kind::integer, 5}},
      {"18446744073709551615", {Kind::integer, ~std::uint64_t{0}}},
      {"0f3f800000", {Kind::f32, 0x3F800000}},
      {"0DBFF0000000000000", {Kind::f64, 0xBFF0000000000000}},
      {"1.5", {Kind::f64, 0x3FF8000000000000}},
      {"2e0", {Kind::f64, 0x4000000000000000}},
  };
  for (const auto& [text, value] : table) {
    const auto read = value_of(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, value) << text;
  }
}

TEST(Numbers, that_are_none_have_no_value) {
  for (const char* const text : {"18446744073709551616", "08", "0x", "0xG", "0b2", "0f3f80000",
                                 "0f3f8000000", "0d0", "1.5x", "1e999", "12a", "1e"}) {
    EXPECT_FALSE(value_of(text)) << text;
  }
}

}  // namespace
}  // namespace bankproof::ptx
