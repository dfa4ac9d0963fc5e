// Text from outside: misleading characters are escaped, once; all other text is kept.
#include "../support/shown.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace bankproof::cli {
namespace {

TEST(Shown, escapes_controls_of_the_writing_direction_and_invalid_characters) {
  EXPECT_EQ(shown("a\u202Eb"), "a\\xe2\\x80\\xaeb");
  const std::vector<std::string> all = {
      "\u061C", "\u200E", "\u200F", "\u2028", "\u2029", "\u202A", "\u202B",       "\u202C",
      "\u202D", "\u202E", "\u2066", "\u2067", "\u2068", "\u2069", "\xef\xbf\xbe", "\xef\xbf\xbf"};
  for (const std::string& character : all) {
    const std::string text = shown(character);
    EXPECT_EQ(text.size(), 4 * character.size()) << text;
    EXPECT_TRUE(text.starts_with("\\x")) << text;
  }
}

TEST(Shown, keeps_the_neighbors_of_escaped_characters) {
  for (const std::string text : {"R×C … 日本 😀", "\u061B\u061D", "\u200D\u2010", "\u2027\u202F",
                                 "\u2065\u206A", "\uFFFD", ""}) {
    EXPECT_EQ(shown(text), text);
  }
  EXPECT_EQ(shown("a\n\xff"), "a\\x0a\\xff");
}

RC_GTEST_PROP(Shown, twice_is_as_once, ()) {
  const auto bytes = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab\\x\n\xe2\x80\xae\xa8\x8f\x81\xa6\xef\xbf\xbe\xd8\x9c")));
  RC_ASSERT(shown(shown(bytes)) == shown(bytes));
}

}  // namespace
}  // namespace bankproof::cli
