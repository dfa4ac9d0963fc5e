// The message of a differential test about a wrong element: the element, the thread that wrote it,
// and the command that repeats the case.
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

TEST(DeviceMismatch, names_the_thread_and_the_command_that_repeats_the_case) {
  const std::string message = message_of_a_failure([] {
    const auto wrong = *rc::gen::inRange<std::size_t>(873, 2000);
    const std::vector<int> expected(3000);
    std::vector<int> actual = expected;
    actual[wrong] = 5;
    actual[wrong + 1] = 6;
    require_equal(actual, expected, a_thread_each(256));
  });
  EXPECT_THAT(message,
              ::testing::AllOf(
                  ::testing::HasSubstr("element 873 is 5, not 0 (block 3, warp 3, thread 105)"),
                  ::testing::ContainsRegex("Reproduce: RC_PARAMS='reproduce=[^']+' [^ ]+ "
                                           "--gtest_filter=DeviceMismatch\\.names_the_thread")));
}

TEST(DeviceMismatch, outside_of_an_array_is_reported) {
  const auto message = [](int element) {
    return message_of_a_failure([=] {
      GuardedArray<int, 64> array(std::vector<int>(4));
      require(cudaMemset(array.data() + element, 0, sizeof(int)), "cudaMemset");
      RC_ASSERT(array.values() == std::vector<int>(4));
    });
  };
  const std::string outside = "written outside of the array, at element ";
  EXPECT_THAT(message(-64), ::testing::HasSubstr(outside + "-64 of 4"));
  EXPECT_THAT(message(-1), ::testing::HasSubstr(outside + "-1 of 4"));
  EXPECT_EQ(message(0), "no failure, or several");
  EXPECT_EQ(message(3), "no failure, or several");
  EXPECT_THAT(message(4), ::testing::HasSubstr(outside + "4 of 4"));
  EXPECT_THAT(message(67), ::testing::HasSubstr(outside + "67 of 4"));
}

// An element that no kernel writes is not zero.
TEST(DeviceMismatch, of_an_unwritten_element_is_reported) {
  const std::string message =
      message_of_a_failure([] { require_equal(GuardedArray<int>(1).values(), {0}); });
  EXPECT_THAT(message, ::testing::HasSubstr("element 0 is -875836469, not 0"));
}

}  // namespace
}  // namespace bankproof::cuda::tests
