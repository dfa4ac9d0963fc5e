// What a differential test says of a wrong element: where it is, which thread wrote it, and the
// command that tries it again.
#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

std::string message_of_a_failure(const std::function<void()>& property) {
  ::testing::TestPartResultArray results;
  {
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    check(property);
  }
  return results.size() == 1 ? results.GetTestPartResult(0).message() : "no failure, or several";
}

TEST(DeviceMismatch, is_told_with_its_thread_and_how_to_reproduce_it) {
  const std::string message = message_of_a_failure([] {
    const auto wrong = *rc::gen::inRange<std::size_t>(873, 2000);
    const std::vector<int> expected(3000);
    std::vector<int> actual = expected;
    actual[wrong] = 5;
    actual[wrong + 1] = 6;
    require_equal(actual, expected, 256);
  });
  EXPECT_THAT(message,
              ::testing::AllOf(
                  ::testing::HasSubstr("element 873 is 5, not 0 (block 3, warp 3, thread 105)"),
                  ::testing::ContainsRegex("Reproduce: RC_PARAMS='reproduce=[^']+' [^ ]+ "
                                           "--gtest_filter=DeviceMismatch\\.is_told")));
}

TEST(DeviceMismatch, outside_of_an_array_is_told) {
  if (on_machine) {
    // The machine knows each array's bounds: DeviceCanaryOnMachine.
    EXPECT_EQ(GuardedArray<int>(4).values().size(), 4U);
    return;
  }
  const std::string message = message_of_a_failure([] {
    GuardedArray<int> array(4);
    require(cudaMemset(array.data() + 4, 0, sizeof(int)), "cudaMemset");
    array.values();
  });
  EXPECT_THAT(message, ::testing::HasSubstr("written outside of the array, at element 4 of 4"));
}

}  // namespace
}  // namespace bankproof::cuda::tests
