// Programs that are run: what they are handed, what comes back, and how they end.
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <string>

#include "../processes/process.hpp"

namespace bankproof {
namespace {

constexpr std::chrono::seconds long_enough{60};

TEST(Processes, are_handed_a_text_and_read_line_by_line) {
  Process cat({"cat"}, "one\ntwo\n\nthree");
  EXPECT_EQ(cat.line(long_enough), "one");
  EXPECT_EQ(cat.line(long_enough), "two");
  EXPECT_EQ(cat.line(long_enough), "");
  EXPECT_EQ(cat.line(long_enough), "three");
  EXPECT_EQ(cat.line(long_enough), std::nullopt);
  EXPECT_FALSE(cat.is_late());
  EXPECT_EQ(cat.wait(), "");
}

TEST(Processes, leave_what_was_not_read_to_the_rest) {
  const std::string text = std::string(1 << 20, 'x') + "\n";
  Process cat({"cat"}, "first\n" + text);
  EXPECT_EQ(cat.line(long_enough), "first");
  EXPECT_EQ(cat.rest(), text);
  EXPECT_EQ(cat.rest(), "");
}

TEST(Processes, that_say_nothing_are_late) {
  Process sleep({"sleep", "60"}, "");
  EXPECT_EQ(sleep.line(std::chrono::seconds(0)), std::nullopt);
  EXPECT_TRUE(sleep.is_late());
  EXPECT_EQ(sleep.wait(), "signal 9");
}

TEST(Processes, are_run_to_their_end) {
  const Ran both = run_to_end({"sh", "-c", "cat; echo out; echo error >&2; exit 3"});
  EXPECT_EQ(both.start_error, 0);
  EXPECT_EQ(both.output, "out\nerror\n");
  EXPECT_EQ(both.problem, "exit code 3");
  EXPECT_EQ(run_to_end({"sh", "-c", "kill -9 $$"}).problem, "signal 9");
  EXPECT_EQ(run_to_end({"true"}).problem, "");
  EXPECT_EQ(run_to_end({"/no such program"}).start_error, ENOENT);
  EXPECT_EQ(run_to_end({"echo", "$HOME", "a b"}).output, "$HOME a b\n");
}

}  // namespace
}  // namespace bankproof
