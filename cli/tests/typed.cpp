// Quoting, suggestions and numbers in text that people type.
#include "../../text/typed.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

namespace bankproof {
namespace {

TEST(Escaped, keeps_printable_text_and_names_other_bytes) {
  EXPECT_EQ(escaped("R×C … 日本 😀"), "R×C … 日本 😀");
  EXPECT_EQ(escaped("a\nb\tc\x7f"),
            "a\\x0a"
            "b\\x09"
            "c\\x7f");
  EXPECT_EQ(escaped("\xc3"), "\\xc3");                    // the rest of the sequence is missing
  EXPECT_EQ(escaped("\xc0\xaf"), "\\xc0\\xaf");           // an overlong slash
  EXPECT_EQ(escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(escaped("\xc2\x9b"), "\\xc2\\x9b");           // begins an escape sequence on terminals
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "\\x00");
}

TEST(Escaped, is_cut_between_characters) {
  EXPECT_EQ(escaped("abcdef", 6), "abcdef");
  EXPECT_EQ(escaped("abcdef", 5), "abcde…");
  EXPECT_EQ(escaped("ab×", 3), "ab…");
  EXPECT_EQ(in_quotes("abcdef", 2), "'ab…'");
}

RC_GTEST_PROP(Escaped, is_valid_utf8_on_one_line_for_any_bytes, (const std::string& bytes)) {
  const std::string text = escaped(bytes);
  RC_ASSERT(text.find_first_of("\n\r\t\x1b") == std::string::npos);
  RC_ASSERT(nlohmann::json(text).dump().size() >= text.size());  // throws for invalid UTF-8
}

TEST(EditDistance, counts_insertions_deletions_replacements_and_swaps) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("shuffle", "shufle"), 1u);
  EXPECT_EQ(edit_distance("shuffle", "shuffel"), 1u);
  EXPECT_EQ(edit_distance("shuffle", "unshuffle"), 2u);
  EXPECT_EQ(edit_distance("dmm", "umm"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

RC_GTEST_PROP(EditDistance, is_symmetric_and_bounded,
              (const std::string& a, const std::string& b)) {
  const std::size_t distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= std::max(a.size(), b.size()));
  RC_ASSERT((distance == 0) == (a == b));
}

TEST(Nearest, finds_the_word_meant_or_none) {
  constexpr std::array<std::string_view, 3> known = {"shuffle", "transpose", "random"};
  EXPECT_EQ(nearest("shufle", known), "shuffle");
  EXPECT_EQ(nearest("rand", known), "random");
  EXPECT_EQ(nearest("SHUFFLE", known), "shuffle");
  EXPECT_EQ(nearest("Rand", known), "random");
  EXPECT_EQ(nearest("zork", known), std::nullopt);
  EXPECT_EQ(nearest("", known), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'r'), known), std::nullopt);
}

TEST(Nearest, is_rather_a_word_with_a_slip_than_its_beginning) {
  constexpr std::array<std::string_view, 2> known = {"sum", "summed-area-table"};
  EXPECT_EQ(nearest("summed_area_table", known), "summed-area-table");
  EXPECT_EQ(nearest("sums", known), "sum");
  EXPECT_EQ(nearest("summed", known), "summed-area-table");
}

TEST(Nearest, of_a_short_word_has_a_letter_of_it) {
  constexpr std::array<std::string_view, 3> known = {"w", "dm", "rows"};
  EXPECT_EQ(nearest("W", known), "w");
  EXPECT_EQ(nearest("q", known), std::nullopt);
  EXPECT_EQ(nearest("dn", known), "dm");
  EXPECT_EQ(nearest("xy", known), std::nullopt);
  constexpr std::array<std::string_view, 2> both = {"L", "l"};
  EXPECT_EQ(nearest("l1", both), "L");
}

TEST(ParseDecimal, takes_digits_only_and_knows_too_large_ones) {
  EXPECT_EQ(parse_decimal("007").value, 7u);
  EXPECT_EQ(parse_decimal("18446744073709551615").value, 18446744073709551615u);
  EXPECT_TRUE(parse_decimal("18446744073709551616").out_of_range);
  for (const std::string_view text : {"", " 1", "1 ", "+1", "-1", "0x1", "1e3", "1.0"}) {
    EXPECT_EQ(parse_decimal(text).value, std::nullopt) << text;
    EXPECT_FALSE(parse_decimal(text).out_of_range) << text;
  }
}

}  // namespace
}  // namespace bankproof
