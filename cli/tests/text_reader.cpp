// The text reader agrees with a naive reader, for input in pieces of any size; and it refuses
// everything else.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../readers/text.hpp"
#include "../support/errors.hpp"
#include "support.hpp"

namespace bankproof::cli {
namespace {

using Wide = std::vector<std::uint64_t>;

bool is_wide(const InputValues& read) { return std::holds_alternative<Wide>(read.values); }

InputValues read(std::string_view text, bool size_known = true,
                 std::size_t most_at_once = std::string_view::npos, bool force_64_bit = false) {
  MemoryInput input(text, "f", size_known, most_at_once);
  return read_text(input, force_64_bit);
}

TEST(TextReader, takes_white_space_and_single_commas) {
  const std::string byte_order_mark = "\xef\xbb\xbf";
  for (const std::string& text :
       std::vector<std::string>{"2 0 1", "2,0,1", "2, 0 ,1\n", "2\n0\n1\n", "2\r\n0\r\n1\r\n",
                                "\n\n 2\t0\v1\f", "2,0,1,", "2,0,1 , \n", byte_order_mark + "2 0 1",
                                "02 00 0000000000000000000000000000001"}) {
    EXPECT_EQ(widened(read(text).values), (Wide{2, 0, 1})) << text;
  }
}

TEST(TextReader, is_as_wide_as_its_largest_value) {
  EXPECT_FALSE(is_wide(read("0 4294967295")));
  EXPECT_TRUE(is_wide(read("0 4294967296")));
  EXPECT_EQ(widened(read("1 4294967296 2").values), (Wide{1, 4294967296, 2}));
  EXPECT_EQ(widened(read("18446744073709551615").values), (Wide{18446744073709551615u}));
  EXPECT_TRUE(is_wide(read("0 1", true, 99, true)));
}

TEST(TextReader, refuses_everything_else_with_its_place) {
  const std::vector<Refusal> table = {
      {"", "f: is empty: there is no integer in it"},
      {" \n\r\n", "f: is empty: there is no integer in it"},
      {"\xef\xbb\xbf", "f: is empty: there is no integer in it"},
      {",0", "f:1:1: ',' has no integer before it"},
      {"0,,1", "f:1:3: ',' has no integer before it"},
      {"0,1\n, ,", "f:2:3: ',' has no integer before it"},
      {"0 1\n2 -3", "f:2:3: '-3' is negative; a permutation's elements count from 0"},
      {"0 1\r\n\r\n2 -", "f:3:3: '-' is not an integer"},
      {"\xef\xbb\xbfx", "f:1:1: 'x' is not an integer"},
      {"0 +1", "f:1:3: '+1' has a sign; write it without"},
      {"3.0",
       "f:1:1: '3.0' is not an integer; numpy writes integers by numpy.savetxt(FILE, p, fmt='%d')"},
      {"1e3",
       "f:1:1: '1e3' is not an integer; numpy writes integers by numpy.savetxt(FILE, p, fmt='%d')"},
      {"0x10", "f:1:1: '0x10' is hexadecimal; write it in decimal"},
      {"18446744073709551616", "f:1:1: '18446744073709551616' does not fit 64 bits"},
      {"[0, 1]", "f:1:1: '[0' is not an integer; write the integers without brackets"},
      {"0;1", "f:1:1: '0;1' is not an integer"},
      {"# a comment", "f:1:1: '#' is not an integer"},
      {"nan", "f:1:1: 'nan' is not an integer"},
      {"1\x1b[2J2", "f:1:1: '1\\x1b[2J2' is not an integer"},
      {"\x1b[31m0", "f:1:1: '\\x1b[31m0' is not an integer"},
      {"0 \x7f"
       "ELF\x02",
       "f:1:3: '\\x7f"
       "ELF\\x02' is not text; binary input is an .npy file, or "
       "little-endian 32-bit integers in a file whose name ends in .bin"},
      {"\xe9",
       "f:1:1: '\\xe9' is not text; binary input is an .npy file, or little-endian 32-bit "
       "integers in a file whose name ends in .bin"},
      {"\u00e9", "f:1:1: '\u00e9' is not an integer"},
      {std::string("\0\0\0\0", 4),
       "f:1:1: '\\x00\\x00\\x00\\x00' is not text; a file of little-endian 32-bit integers needs a "
       "name that ends in .bin"},
      {std::string("1\0", 2),
       "f:1:1: '1\\x00' is not text; a file of little-endian 32-bit integers needs a name that "
       "ends "
       "in .bin"},
      {"\xff\xfe"
       "0",
       "f: is UTF-16 text; save it as UTF-8 or plain ASCII"},
      {std::string(100, 'a'), "f:1:1: '" + std::string(64, 'a') + "…' is not an integer"},
      {std::string(70000, '0') + " 1",
       "f:1:1: '" + std::string(64, '0') + "…' does not fit 64 bits"},
      {"0 " + std::string(3 << 20, '9'),
       "f:1:3: '" + std::string(64, '9') + "…' does not fit 64 bits"},
  };
  for (const auto& refusal : table) {
    for (const std::size_t most_at_once : {std::size_t{1}, std::size_t{1} << 30}) {
      EXPECT_EQ(message_of<InputError>([&] { read(refusal.input, false, most_at_once); }),
                refusal.message);
    }
  }
}

TEST(TextReader, refuses_whole_what_is_cut_by_its_buffer) {
  for (std::size_t before = 65531; before <= 65536; ++before) {
    const std::string place = "f:1:" + std::to_string(before + 1);
    EXPECT_EQ(message_of<InputError>([&] { read(std::string(before, ' ') + "1[2] 3"); }),
              place + ": '1[2]' is not an integer; write the integers without brackets");
    EXPECT_EQ(message_of<InputError>([&] { read(std::string(before, ' ') + "0x12"); }),
              place + ": '0x12' is hexadecimal; write it in decimal");
  }
}

struct Written {
  std::string text;
  Wide values;
  std::vector<TextPosition> positions;
};

/// Writes integers with these separators between them, and records the position of each integer.
Written write(const Wide& values, const std::vector<std::string>& separators) {
  Written written;
  written.values = values;
  TextPosition here;
  const auto add = [&](const std::string& piece) {
    written.text += piece;
    for (const char c : piece)
      here = c == '\n' ? TextPosition{here.line + 1, 1} : TextPosition{here.line, here.column + 1};
  };
  for (std::size_t k = 0; k < values.size(); ++k) {
    written.positions.push_back(here);
    add(std::to_string(values[k]));
    add(separators[k % separators.size()]);
  }
  return written;
}

void expect_read(const Written& written, const InputValues& got) {
  RC_ASSERT(widened(got.values) == written.values);
  RC_ASSERT(got.text_positions.size() == written.values.size());
  for (std::size_t k = 0; k < written.values.size(); ++k) {
    RC_ASSERT(got.text_positions[k] == written.positions[k]);
  }
}

RC_GTEST_PROP(TextReader, reads_back_what_was_written_and_where, ()) {
  const auto values = *rc::gen::nonEmpty<Wide>();
  const auto blank = rc::gen::container<std::string>(rc::gen::elementOf(std::string(" \n\t\r")));
  auto separators = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(blank));
  for (auto& separator : separators) {
    const auto kind = *rc::gen::inRange(0, 10);
    if (kind < 4) separator += ',';
    if (kind == 9) separator += std::string(300, *rc::gen::arbitrary<bool>() ? '\n' : ' ');
    if (separator.empty()) separator = " ";
  }
  const Written written = write(values, separators);
  const auto most_at_once = *rc::gen::inRange<std::size_t>(1, 20);
  const bool size_known = *rc::gen::arbitrary<bool>();
  expect_read(written, read(written.text, size_known, most_at_once));
  expect_read(written, read(written.text, size_known, most_at_once, true));
}

TEST(TextReader, reads_integers_cut_by_its_buffer_and_long_blanks) {
  // 600,000 integers fill the buffer about 64 times, so its end falls on every digit and separator
  // of an integer.
  Wide values;
  for (std::uint64_t i = 0; i < 600000; ++i) values.push_back(i * 7919 % 600000);
  for (const std::string separator : {" ", "\n", ",\r\n"}) {
    const Written written = write(values, {separator, " "});
    const InputValues got = read(written.text);
    ASSERT_EQ(widened(got.values), values);
    for (std::size_t k = 0; k < values.size(); k += 331) {
      ASSERT_EQ(got.text_positions[k], written.positions[k]) << k;
    }
  }
  const std::string blank(std::size_t{5} << 20, ' ');
  const InputValues got = read(blank + "7" + blank + "\n8");
  EXPECT_EQ(widened(got.values), (Wide{7, 8}));
  EXPECT_EQ(got.text_positions[0], (TextPosition{1, blank.size() + 1}));
  EXPECT_EQ(got.text_positions[1], (TextPosition{2, 1}));
}

RC_GTEST_PROP(TextReader, never_crashes_on_any_text, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789 ,\n\r-+.ex") + '\0'));
  const auto most_at_once = *rc::gen::inRange<std::size_t>(1, 20);
  std::string whole;
  std::string pieces;
  try {
    RC_ASSERT(!widened(read(text).values).empty());
  } catch (const InputError& error) {
    whole = error.what();
  }
  try {
    read(text, false, most_at_once);
  } catch (const InputError& error) {
    pieces = error.what();
  }
  RC_TAG(whole.empty() ? "accepted" : "refused");
  RC_ASSERT(whole == pieces);
}

TEST(MostTextElements, is_the_size_of_the_largest_permutation_that_fits) {
  EXPECT_EQ(most_text_elements(0), 0u);
  std::uint64_t bytes = 0;
  for (std::uint64_t n = 1; n <= 20000; ++n) {
    bytes += std::to_string(n - 1).size() + (n > 1 ? 1 : 0);
    ASSERT_EQ(most_text_elements(bytes), n);
    ASSERT_LT(most_text_elements(bytes - 1), n);
  }
  EXPECT_GT(most_text_elements(~std::uint64_t{0} - 1), std::uint64_t{1} << 56);
}

}  // namespace
}  // namespace bankproof::cli
