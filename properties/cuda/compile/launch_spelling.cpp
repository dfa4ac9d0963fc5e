// Brackets of launches that are spelt with blanks are joined, and nothing else changes.
#include "../../../cuda/compile/launch_spelling.hpp"

#include <gtest/gtest.h>

namespace bankproof::cuda {
namespace {

TEST(LaunchSpelling, joins_brackets_and_keeps_columns) {
  EXPECT_EQ(joined_launches("k << <1, 2>> >(p);"), "k <<< 1, 2>>> (p);");
  EXPECT_EQ(joined_launches("k<<  <(a >> 1), b[c >> 2]>>\t>(p);"),
            "k<<<  (a >> 1), b[c >> 2]>>>\t(p);");
  EXPECT_EQ(joined_launches("k<<<1, 2>> > (p);"), "k<<<1, 2>>>  (p);");
}

TEST(LaunchSpelling, changes_nothing_else) {
  for (const char* const text :
       {"k<<<1, 2>>>(p);", "std::vector<std::vector<std::vector<int>> > a;", "a << b < c;",
        "friend S& operator<< <T>(S&, T);", "a << <= b", "// k << <1, 2>> >(p);",
        "/* k << <1, 2>> >(p); */", "\"k << <1>> >\"", "R\"x(k << <1>> >)\")x\"", "'\\'' << 1",
        "k <<\n<1, 2>>>", "x = 1'000 << 2;", ""}) {
    EXPECT_EQ(joined_launches(text), std::nullopt) << text;
  }
}

TEST(LaunchSpelling, goes_on_behind_literals_and_comments) {
  EXPECT_EQ(joined_launches("'\"' k << <1>>>()"), "'\"' k <<< 1>>>()");
  EXPECT_EQ(joined_launches("x = 1'0 + '0'; /* ' */ k << <1>>>()"),
            "x = 1'0 + '0'; /* ' */ k <<< 1>>>()");
  EXPECT_EQ(joined_launches("R\"(\")\" k << <1>>>()"), "R\"(\")\" k <<< 1>>>()");
  EXPECT_EQ(joined_launches("\"unended << <\nk << <1>>>()"), "\"unended << <\nk <<< 1>>>()");
}

TEST(LaunchSpelling, finds_the_folders_of_flags) {
  EXPECT_EQ(folders_of({"-O2", "-Ia", "-I", "-DI"}), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace bankproof::cuda
