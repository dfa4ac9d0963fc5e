// A launch is no repeat of an earlier one if anything that it depends on has changed: a byte on any
// page, what a kernel or a copy has stored, or anything that the launch is given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../model/observer.hpp"
#include "repeating_host.hpp"

namespace bankproof::cuda {
namespace {

constexpr std::uint64_t page = 4096;

std::vector<std::byte> zeros(std::uint64_t bytes) { return std::vector<std::byte>(bytes); }

/// A host whose kernel reads and writes page 1 of buffers of three pages.
struct Paged : Host {
  Paged() {
    launch();
    launch();
  }
  LaunchOutcome launch() {
    return launch_at("add_one", Session::address(in, page), Session::address(out, page));
  }
  std::uint32_t in = session.add_buffer("in", zeros(3 * page));
  std::uint32_t out = session.add_buffer("out", 3 * page);
};

TEST(RepeatsOfChanges, are_executed_after_a_change_of_a_page_that_they_touched) {
  Paged host;
  EXPECT_TRUE(host.launch().is_repeated);
  std::vector<std::byte> contents = zeros(3 * page);
  contents[0] = contents[2 * page] = std::byte{1};
  host.session.write(host.in, 0, contents);
  EXPECT_TRUE(host.launch().is_repeated) << "pages 0 and 2 have changed";
  contents[page + 255] = std::byte{7};
  host.session.write(host.in, 0, contents);
  EXPECT_FALSE(host.launch().is_repeated);
  EXPECT_EQ(host.bytes(host.out)[page + 255], std::byte{7});
}

TEST(RepeatsOfChanges, are_executed_after_a_change_that_ends_in_their_page) {
  Paged host;
  host.session.undefine(host.in, page - 100, 200);
  const LaunchOutcome outcome = host.launch();
  EXPECT_FALSE(outcome.is_repeated);
  EXPECT_FALSE(outcome.is_clean);
}

TEST(RepeatsOfChanges, are_executed_after_a_change_that_follows_a_repeat) {
  Warm host;
  EXPECT_TRUE(host.launch("add_one", host.in, host.out).is_repeated);
  const std::byte changed{77};
  host.session.write(host.in, 0, {&changed, 1});
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
}

TEST(RepeatsOfChanges, are_executed_after_a_copy_of_other_bytes_or_of_undefined_ones) {
  Warm host;
  const std::uint32_t other = host.session.add_buffer("other", words(9));
  host.session.copy(host.in, 0, other, 0, bytes_of_buffer);
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  EXPECT_EQ(host.bytes(host.out), words(10));
  Warm second;
  const std::uint32_t undefined = second.session.add_buffer("undefined", 4);
  second.session.copy(second.in, 0, undefined, 0, 4);  // word 0 was zero before, too
  const LaunchOutcome outcome = second.launch("add_one", second.in, second.out);
  EXPECT_FALSE(outcome.is_repeated);
  EXPECT_FALSE(outcome.is_clean);
}

// The other launch is the first of its kind, so that nobody looks whether it has changed anything.
TEST(RepeatsOfChanges, are_executed_after_another_launch_has_stored_to_their_input) {
  Warm host;
  host.launch("in_place", host.in, host.in);
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  EXPECT_EQ(host.bytes(host.out), words(2));
}

TEST(RepeatsOfChanges, are_executed_after_another_launch_was_refused_that_has_stored) {
  // The machine runs 32 threads at a time, so that it cannot give the time of a larger block.
  Host host(SessionOptions{.timed = {.dmms = 1, .resident_threads = 32}, .threads = 1});
  const std::uint32_t in = host.session.add_buffer("in", words(0));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  const ptx::LaunchShape small{{1, 1, 1}, {32, 1, 1}, 0};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(host.launch("add_one", in, out, small).is_repeated, k == 2);
  }
  EXPECT_THROW(host.launch("in_place", in, in), ArgumentError);
  EXPECT_FALSE(host.launch("add_one", in, out, small).is_repeated);
}

// Both ways: the page was all zeros before the launch that is compared, or it was not.
TEST(RepeatsOfChanges, are_none_if_only_the_highest_bytes_change_each_time) {
  for (const std::uint32_t first : {0U, 0x01000000U}) {
    Host host;
    const std::vector<std::uint32_t> contents(64, first);
    const std::uint32_t out = host.session.add_buffer("out", std::as_bytes(std::span(contents)));
    for (std::uint32_t k = 1; k < 10; ++k) {
      EXPECT_FALSE(host.launch("flip", out, out).is_repeated) << k;
      EXPECT_EQ(host.bytes(out).back(), static_cast<std::byte>((first >> 24U) ^ (k & 1U)));
    }
  }
}

// The very last byte of a page is the only one that a launch of one thread changes.
TEST(RepeatsOfChanges, are_none_if_only_the_last_byte_changes_each_time) {
  for (const std::byte first : {std::byte{0}, std::byte{1}}) {
    Host host;
    const std::uint32_t out = host.session.add_buffer("out", zeros(page));
    host.session.write(out, page - 1, {&first, 1});
    const std::uint64_t last = Session::address(out, page - 4);
    for (int k = 0; k < 5; ++k) {
      EXPECT_FALSE(host.launch_at("flip", last, last, {{1, 1, 1}, {1, 1, 1}, 0}).is_repeated);
    }
  }
}

TEST(RepeatsOfChanges, of_large_buffers_are_executed_while_the_host_may_write) {
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", zeros((4096 + 2) * page));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  host.launch("add_one", in, out);
  host.launch("add_one", in, out);
  host.session.data(in)[0] = std::byte{6};
  EXPECT_FALSE(host.launch("add_one", in, out).is_repeated);
  EXPECT_EQ(host.bytes(out)[0], std::byte{7});
}

TEST(RepeatsOfChanges, of_mapped_buffers_are_always_executed) {
  void* const mapped =
      mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  Host host;
  auto* const bytes = static_cast<std::byte*>(mapped);
  const std::uint32_t in = host.session.add_mapped_buffer("in", {bytes, page});
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  for (int k = 0; k < 4; ++k) {
    if (k == 3) bytes[0] = std::byte{9};
    EXPECT_FALSE(host.launch("add_one", in, out).is_repeated);
    EXPECT_EQ(host.bytes(out)[0], k == 3 ? std::byte{10} : std::byte{1});
  }
}

// Addresses are never given twice: a pointer to a freed buffer is out of bounds for ever.
TEST(RepeatsOfChanges, never_take_a_smaller_buffer_for_the_freed_one) {
  for (const bool is_same_input : {false, true}) {
    Warm host;
    if (!is_same_input) host.session.write(host.in, 0, words(9));
    host.session.release(host.out);
    EXPECT_NE(host.session.add_buffer("smaller", 128), host.out);
    const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
    EXPECT_FALSE(outcome.is_repeated || outcome.is_known || outcome.is_clean);
  }
}

TEST(RepeatsOfChanges, are_judged_again_after_their_output_was_undefined) {
  const std::byte changed{77};
  for (const bool copies : {false, true}) {
    Warm host;
    host.session.write(host.in, 0, {&changed, 1});
    const std::uint32_t undefined = host.session.add_buffer("undefined", 4);
    if (copies) {
      host.session.copy(host.out, 8, undefined, 0, 4);
    } else {
      host.session.undefine(host.out, 8, 4);
    }
    const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
    EXPECT_FALSE(outcome.is_repeated || outcome.is_known);
    EXPECT_TRUE(outcome.is_clean);
  }
  // After the first launch, too.
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", words(0));
  const std::uint32_t out = host.session.add_buffer("out", bytes_of_buffer);
  host.launch("add_one", in, out);
  host.session.undefine(out, 0, 4);
  EXPECT_FALSE(host.launch("add_one", in, out).is_known);
}

// The threads have counted once, not twice, although the launch was executed twice.
TEST(RepeatsOfChanges, on_values_that_collide_are_undone_before_they_are_judged) {
  Host host;
  const std::uint32_t in = host.session.add_buffer("in", words(0));
  const std::uint32_t out = host.session.add_buffer("out", zeros(bytes_of_buffer));
  EXPECT_TRUE(host.launch("collide_in_place", in, out).is_clean);
  host.session.write(out, 0, words(5));
  const LaunchOutcome outcome = host.launch("collide_in_place", in, out);
  EXPECT_FALSE(outcome.is_known);
  EXPECT_FALSE(outcome.is_clean);
  EXPECT_EQ(host.bytes(out), words(6));
}

TEST(RepeatsOfChanges, have_the_same_shape_and_are_both_reported_or_not) {
  const ptx::LaunchShape usual = Host::usual;
  for (const ptx::LaunchShape& other :
       {ptx::LaunchShape{{2, 1, 1}, usual.block, 0}, ptx::LaunchShape{{1, 2, 1}, usual.block, 0},
        ptx::LaunchShape{usual.grid, {32, 1, 1}, 0}, ptx::LaunchShape{usual.grid, {32, 2, 1}, 0},
        ptx::LaunchShape{usual.grid, usual.block, 16}}) {
    Warm host("read_half");
    const LaunchOutcome outcome = host.launch("read_half", host.in, host.out, other);
    EXPECT_FALSE(outcome.is_repeated || outcome.is_known);
  }
  Warm host("read_half");
  const LaunchOutcome outcome = host.launch("read_half", host.in, host.out, usual, false);
  EXPECT_FALSE(outcome.is_repeated || outcome.is_known);
}

TEST(RepeatsOfChanges, have_the_same_arguments_to_the_last_byte) {
  Host host;
  const std::uint32_t to = host.session.add_buffer("to", bytes_of_buffer);
  const auto launch = [&](std::uint64_t highest) {
    return host.launch_at("highest", Session::address(to), highest << 56U);
  };
  for (int k = 0; k < 2; ++k) launch(1);
  EXPECT_TRUE(launch(1).is_repeated);
  const LaunchOutcome outcome = launch(2);
  EXPECT_FALSE(outcome.is_repeated || outcome.is_known);
  EXPECT_EQ(host.bytes(to)[0], std::byte{2});
}

TEST(RepeatsOfChanges, have_the_same_variables) {
  for (const std::string name : {"factor", "offset"}) {
    Warm host("variables");
    const std::uint32_t eight = 8;
    host.session.set_symbol(host.file, name, std::as_bytes(std::span(&eight, 1)));
    const LaunchOutcome outcome = host.launch("variables", host.in, host.out);
    EXPECT_FALSE(outcome.is_repeated);
    const std::byte expected = name == "factor" ? std::byte{8 + 5} : std::byte{3 + 8};
    EXPECT_EQ(host.bytes(host.out)[4], expected);
  }
}

TEST(RepeatsOfChanges, have_the_same_resident_blocks) {
  Warm host("count");
  host.session.set_schedule(1, 0);
  EXPECT_FALSE(host.launch("add_one", host.in, host.out).is_repeated);
  Warm other;
  other.session.set_schedule(1, 0);
  EXPECT_FALSE(other.launch("add_one", other.in, other.out).is_repeated);
}

TEST(RepeatsOfChanges, are_executed_with_an_observer_and_with_schedules) {
  Observer observer;
  for (const SessionOptions& options : {SessionOptions{.threads = 1, .observer = &observer},
                                        SessionOptions{.threads = 1, .schedule = 1}}) {
    Warm host("add_one", options);
    const LaunchOutcome outcome = host.launch("add_one", host.in, host.out);
    EXPECT_FALSE(outcome.is_repeated || outcome.is_known);
  }
}

}  // namespace
}  // namespace bankproof::cuda
