// A suite of a project that uses the installed package with the components testing and kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bankproof/cuda/session/kernel.hpp>
#include <bankproof/testing/matchers/kernel_matchers.hpp>
#include <bankproof/testing/matchers/proof_matchers.hpp>
#include <cstdint>
#include <stdexcept>
#include <vector>

using bankproof::testing::AllLaunches;
using bankproof::testing::ConflictFree;
using bankproof::testing::ExcessWavefronts;
using bankproof::testing::Proved;
using bankproof::testing::RaceFree;
using bankproof::testing::Refuted;
using ::testing::Not;

TEST(Store, races_only_where_all_threads_write_one_word) {
  bankproof::Device device;
  auto out = device.buffer<std::uint32_t>(64);
  const bankproof::Kernel each(STORE, "each");
  EXPECT_THAT(each.launch(device, {.block = {64, 1, 1}}, out), RaceFree());
  EXPECT_EQ(out.values()[63], 63U);
  EXPECT_THAT(each.other("all").launch(device, {.block = {64, 1, 1}}, out), Not(RaceFree()));
  EXPECT_THAT(device.report(), ConflictFree());
}

// Compiled by clang, with the headers of the installed package and our own flags.
TEST(Columns, conflict_where_rows_take_32_words) {
  bankproof::Device device;
  const auto in = device.buffer<float>(std::vector<float>(1024, 1));
  const auto out = device.buffer<float>(1024);
  const bankproof::Kernel padded(
      COLUMNS, "columns<float, 33>",
      {.compiler = "clang", .flags = {"-I" HEADERS, "-DROWS=32"}, .headers = ""});
  EXPECT_THAT(padded.launch(device, {.block = {32, 32, 1}}, in, out), ConflictFree());
  EXPECT_EQ(out.values()[1023], 1);
  const bankproof::Kernel plain = padded.other("columns<float, 32>");
  EXPECT_THAT(plain.launch(device, {.block = {32, 32, 1}}, in, out), ExcessWavefronts(992));
}

TEST(Store, races_in_no_launch_or_in_some) {
  const AllLaunches each{.file = STORE, .kernel = "each", .grid = "1"};
  EXPECT_THAT(each, Proved("race,blocks"));
  EXPECT_THAT(each, Not(Refuted("race")));
  AllLaunches all = each;
  all.kernel = "all";
  EXPECT_THAT(all, Refuted("race"));
  EXPECT_THAT(all, Not(Proved("race")));
  // Nobody states how large the buffer is: the claim is open.
  EXPECT_THAT(each, Not(Proved("bounds")));
  EXPECT_THAT(each, Not(Refuted("bounds")));
}

TEST(Proofs, of_what_cannot_be_asked_are_errors) {
  const auto is_matched = [](const AllLaunches& launches) {
    return ::testing::Value(launches, Not(Refuted("race")));
  };
  EXPECT_TRUE(is_matched({.file = STORE, .kernel = "each"}));
  EXPECT_THROW(is_matched({.file = STORE, .kernel = "none"}), std::runtime_error);
  EXPECT_THROW(is_matched({.file = "no.cu"}), std::runtime_error);
  // Without its header, it is not compiled.
  EXPECT_THROW(is_matched({.file = COLUMNS, .kernel = "columns<float, 33>"}), std::runtime_error);
}

TEST(Columns, have_no_conflicts_in_any_launch) {
  const AllLaunches padded{.file = COLUMNS,
                           .kernel = "columns<float, 33>",
                           .block = "32,32",
                           .compiler = "clang",
                           .compile_options = {"-I" HEADERS, "-DROWS=32"}};
  EXPECT_THAT(padded, Proved("banks"));
  AllLaunches plain = padded;
  plain.kernel = "columns<float, 32>";
  EXPECT_THAT(plain, Refuted("banks"));
}
