// Launches that repeat others are not executed, those on other values are judged once where that is
// enough, and all others are executed and judged.
#include "../../../cuda/session/repeats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "repeating_host.hpp"

namespace bankproof::cuda {
namespace {

using ::testing::ElementsAre;

TEST(Repeats, are_not_executed_from_the_third_launch_on) {
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", words(7));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  std::array<bool, 5> repeated{};
  for (bool& one : repeated) one = host.launch("add_one", in, out).is_repeated;
  EXPECT_THAT(repeated, ElementsAre(false, false, true, true, true));
  EXPECT_EQ(host.bytes(out), words(8));
  const ptx::KernelReport report = host.session.report();
  EXPECT_EQ(report.launches, 5U);
  ASSERT_EQ(report.taken.size(), 2U);
  EXPECT_EQ(report.taken[0].kernel, "add_one");
  EXPECT_EQ(report.taken[0].from, 0U);
  EXPECT_FALSE(report.taken[0].executed);
  EXPECT_EQ(report.taken[0].count(), 3U);
  EXPECT_EQ(report.taken[0].launches.size(), 1U);
  EXPECT_TRUE(report.taken[1].executed);
}

TEST(Repeats, are_executed_after_one_byte_of_the_input_has_changed) {
  Warm host;
  const std::byte changed{77};
  host.session.write(host.in, 255, {&changed, 1});
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  EXPECT_EQ(host.bytes(host.out)[255], changed);
}

TEST(Repeats, are_executed_after_one_byte_of_the_output_has_changed) {
  Warm host;
  const std::byte changed{77};
  host.session.write(host.out, 3, {&changed, 1});
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  EXPECT_EQ(host.bytes(host.out), words(1));
}

TEST(Repeats, stay_repeats_after_a_write_of_equal_bytes) {
  Warm host;
  host.session.write(host.in, 0, words(0));
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
  const std::uint32_t equal = host.session.add_buffer("equal", words(0));
  host.session.copy(host.in, 0, equal, 0, bytes_of_buffer);
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
}

TEST(Repeats, are_executed_after_the_input_is_undefined_again) {
  Warm host;
  host.session.undefine(host.in, 8, 4);
  const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(outcome.is_repeated);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, are_executed_after_the_input_is_freed) {
  Warm host;
  host.session.release(host.in);
  host.session.add_buffer("a smaller one", words(0).size() / 2);
  const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(outcome.is_repeated);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, are_executed_while_the_host_may_write_at_any_time) {
  Warm host;
  const std::span<std::byte> kept = host.session.data(host.in);
  for (int k = 0; k < 3; ++k) EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  kept[0] = std::byte{200};
  host.launch("add_one", host.in, host.out);
  EXPECT_EQ(host.bytes(host.out)[0], std::byte{201});
}

TEST(Repeats, ignore_changes_of_what_they_do_not_touch) {
  Warm host;
  const std::uint32_t other = host.session.add_buffer("other", words(0));
  host.session.data(other)[0] = std::byte{1};
  const std::byte changed{77};
  host.session.write(other, 9, {&changed, 1});
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
  host.session.release(other);
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
}

TEST(Repeats, may_be_of_kernels_that_alternate) {
  Host host;
  std::vector<std::uint32_t> buffers{host.session.add_buffer("0", words(0))};
  for (int k = 1; k < 3; ++k) buffers.push_back(host.session.add_buffer("more", bytes_of_buffer));
  int repeated = 0;
  for (int round = 0; round < 5; ++round) {
    for (std::size_t k = 0; k < 2; ++k) {
      repeated += host.launch("add_one", buffers[k], buffers[k + 1]).is_repeated;
    }
  }
  EXPECT_EQ(repeated, 6);
}

TEST(Repeats, are_never_of_kernels_that_read_the_clock_or_work_in_place) {
  for (const std::string name : {"clock", "in_place", "count"}) {
    Host host;
    const std::uint32_t out = host.session.add_buffer("out", words(0));
    for (int k = 0; k < 9; ++k) EXPECT_FALSE(host.launch(name, out, out).is_repeated) << name;
  }
}

TEST(Repeats, on_other_values_are_not_judged_again_if_the_kernel_is_oblivious) {
  Host host;
  const std::uint32_t out = host.session.add_buffer("out", words(0));
  std::array<bool, 4> known{};
  for (bool& one : known) one = host.launch("in_place", out, out).is_known;
  EXPECT_THAT(known, ElementsAre(false, true, true, true));
  EXPECT_EQ(host.bytes(out), words(4));
  const ptx::KernelReport report = host.session.report();
  ASSERT_EQ(report.taken.size(), 1U);
  EXPECT_TRUE(report.taken[0].executed);
  EXPECT_EQ(report.taken[0].from, 0U);
  EXPECT_EQ(report.taken[0].count(), 3U);
  EXPECT_EQ(report.totals.accesses, 16U);
}

TEST(Repeats, on_other_values_are_judged_again_if_the_kernel_is_not_oblivious) {
  Warm host("gather");
  host.session.write(host.in, 0, words(9));
  EXPECT_FALSE(host.launch("gather", host.in, host.out).is_known);
  // Thread 0 now reads word 60.
  const std::uint32_t index = 60;
  host.session.write(host.in, 0, std::as_bytes(std::span(&index, 1)));
  host.session.undefine(host.in, 240, 4);
  EXPECT_FALSE(host.launch("gather", host.in, host.out).is_clean);
}

TEST(Repeats, on_other_values_may_race_if_the_kernel_is_not_oblivious) {
  Warm host("scatter");
  const std::uint32_t zero = 0;
  host.session.write(host.in, 252, std::as_bytes(std::span(&zero, 1)));
  const LaunchOutcome outcome = host.launch("scatter", host.in, host.out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, on_other_values_may_collide) {
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", std::vector<std::byte>(bytes_of_buffer));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  EXPECT_TRUE(host.launch("collide", in, out).is_clean);
  host.session.write(in, 0, std::vector<std::byte>(bytes_of_buffer, std::byte{1}));
  EXPECT_TRUE(host.launch("collide", in, out).is_known);
  host.session.write(in, 0, words(1));
  const LaunchOutcome outcome = host.launch("collide", in, out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, on_other_values_are_judged_again_after_memory_is_undefined_or_freed) {
  const std::byte changed{77};
  Warm host;
  host.session.write(host.in, 0, {&changed, 1});
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_known);
  host.session.undefine(host.in, 8, 4);
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_clean);
  Warm other;
  other.session.release(other.in);
  other.session.add_buffer("a smaller one", 128);
  EXPECT_FALSE(other.launch("add_one", other.in, other.out).is_clean);
}

// A copy of undefined bytes makes bytes undefined, too.
TEST(Repeats, on_other_values_are_judged_again_after_a_copy_of_undefined_bytes) {
  Warm host;
  const std::uint32_t undefined = host.session.add_buffer("undefined", 4);
  host.session.copy(host.in, 8, undefined, 0, 4);
  const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(Repeats, print_again) {
  Warm host("print");
  const LaunchOutcome again = host.launch("print", host.in, host.out);
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.printed, "0\n");
  EXPECT_EQ(host.session.report().printed, "0\n0\n0\n");
  // printf may have read any string.
  const std::uint32_t other = host.session.add_buffer("other", words(0));
  host.session.write(other, 0, words(1));
  EXPECT_FALSE(host.launch("print", host.in, host.out).is_repeated);
}

TEST(Repeats, tell_what_they_touched_or_are_executed) {
  Warm host;
  host.session.keep_touched(true);
  const LaunchOutcome judged = host.launch("add_one", host.in, host.out);
  EXPECT_FALSE(judged.is_repeated || judged.is_known);
  const TouchedBuffers executed = host.session.touched_by_last_launch();
  EXPECT_EQ(executed.size(), 2U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
    EXPECT_EQ(host.session.touched_by_last_launch(), executed);
  }
}

TEST(Repeats, are_executed_if_every_launch_is) {
  Host host(true);
  const std::uint32_t in = host.session.add_buffer("in", words(7));
  for (int k = 0; k < 5; ++k) EXPECT_FALSE(host.launch("add_one", in, in).is_repeated);
  EXPECT_TRUE(host.session.report().taken.empty());
}

}  // namespace
}  // namespace bankproof::cuda
