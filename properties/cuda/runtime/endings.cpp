// The report of a program at its end, and the output of its kernels.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::ExitedWithCode;
using ::testing::HasSubstr;

/// Adds to `size` numbers of an array of 64, and ends the program.
[[noreturn]] void add_and_exit(unsigned size) {
  const std::vector<int> zeros(64);
  DeviceArray<int> array(zeros);
  add(array.data(), 1, size);
  std::exit(0);
}

class Endings : public ::testing::Test {
 protected:
  void SetUp() override {
    // The machine's threads do not survive a fork.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(Endings, are_failures_if_nobody_took_the_faults) {
  EXPECT_EXIT(add_and_exit(64), ExitedWithCode(0), "^$");
  EXPECT_EXIT(add_and_exit(65), ExitedWithCode(1), "kernels.cu:[0-9]+: out_of_bounds");
}

TEST_F(Endings, write_the_page_that_is_asked_for) {
  const std::string page = ::testing::TempDir() + "bankproof-endings.html";
  ASSERT_EQ(setenv("BANKPROOF_HTML", page.c_str(), 1), 0);
  EXPECT_EXIT(add_and_exit(65), ExitedWithCode(1), "out_of_bounds");
  {
    std::ifstream in(page);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, HasSubstr("numbers[i] += added"));
  }
  std::filesystem::remove(page);
  ASSERT_EQ(setenv("BANKPROOF_HTML", "/dev/null/page.html", 1), 0);
  EXPECT_EXIT(add_and_exit(64), ExitedWithCode(3), "BANKPROOF_HTML: .* cannot be written");
  unsetenv("BANKPROOF_HTML");
}

TEST(Printing, goes_to_standard_output_thread_by_thread) {
  take_launches();
  ::testing::internal::CaptureStdout();
  print_threads(3);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "thread 0\nthread 1\nthread 2\n");
  expect_no_faults();
}

TEST(Reports, are_shown_by_GoogleTest_as_text) {
  take_launches();
  DeviceArray<int> array(64);
  add(array.data(), 1, 64);
  for (const ptx::KernelReport& report : take_launches()) {
    const std::string shown = ::testing::PrintToString(report);
    EXPECT_THAT(shown, HasSubstr("uninitialized"));
    EXPECT_THAT(shown, HasSubstr("add_to_each"));
  }
}

}  // namespace
}  // namespace bankproof::cuda::tests
