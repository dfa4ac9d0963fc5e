// A suite of a project that uses the installed package with the components testing and kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bankproof/cuda/session/kernel.hpp>
#include <bankproof/testing/matchers/kernel_matchers.hpp>
#include <cstdint>
#include <vector>

using bankproof::testing::ConflictFree;
using bankproof::testing::ExcessWavefronts;
using bankproof::testing::RaceFree;
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
