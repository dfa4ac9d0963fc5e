// A suite of a project that uses the installed package with the components testing and kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bankproof/cuda/kernel.hpp>
#include <bankproof/testing/kernel_matchers.hpp>
#include <cstdint>

using bankproof::testing::ConflictFree;
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
