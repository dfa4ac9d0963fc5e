// The heap of kernels in a session: allocations live from launch to launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "repeating_host.hpp"

namespace bankproof::cuda {
namespace {

using ::testing::HasSubstr;

// `make` stores the address of a new allocation, in which each thread has a word, in the first
// buffer; `look` copies these words to the second buffer; `end` frees the allocation.
std::string heap_module() {
  const std::string first = "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra WAIT;\n";
  const std::string wait =
      "WAIT:\nbar.sync 0;\nld.global.u64 %rd6, [%rd1];\n"
      "add.s64 %rd7, %rd6, %rd5;\n";
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".extern .func (.param .b64 result) malloc(.param .b64 bytes);\n"
         ".extern .func free(.param .b64 pointer);\n" +
         kernel("make", first +
                            "{ .param .b64 a; .param .b64 r;\nst.param.b64 [a], 256;\n"
                            "call.uni (r), malloc, (a);\nld.param.b64 %rd6, [r]; }\n"
                            "st.global.u64 [%rd1], %rd6;\n" +
                            wait + "st.u32 [%rd7], %r1;\n") +
         kernel("look", first + wait + "ld.u32 %r2, [%rd7];\nst.global.u32 [%rd4], %r2;\n") +
         kernel("end",
                "setp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\nld.global.u64 %rd6, [%rd1];\n"
                "{ .param .b64 a;\nst.param.b64 [a], %rd6;\ncall.uni free, (a); }\n");
}

struct HeapHost : Host {
  explicit HeapHost(const SessionOptions& options = {.threads = 1}) : Host(options) {
    file = std::make_shared<const KernelFile>(KernelFile{ptx::parse(heap_module(), "h.ptx"), ""});
    in = session.add_buffer("in", words(0));
    out = session.add_buffer("out", bytes_of_buffer);
  }
  LaunchOutcome go(const std::string& kernel) {
    LaunchOutcome outcome = launch(kernel, in, out);
    session.touched_by_last_launch();
    return outcome;
  }
  std::uint32_t in = 0;
  std::uint32_t out = 0;
};

TEST(HeapOfASession, launches_that_allocate_do_not_repeat) {
  HeapHost host;
  for (int k = 0; k < 6; ++k) {
    const LaunchOutcome outcome = host.go("make");
    EXPECT_FALSE(outcome.is_repeated || outcome.is_known) << k;
    EXPECT_TRUE(outcome.is_clean) << k;
  }
  const auto pointer = host.bytes(host.in);
  EXPECT_EQ(pointer[4] & std::byte{0xF0}, std::byte{0x60}) << "the sixth allocation";
}

TEST(HeapOfASession, launches_that_read_an_allocation_repeat_until_it_is_freed) {
  for (const bool needs_touched : {false, true}) {
    HeapHost host;
    host.session.keep_touched(needs_touched);
    host.go("make");
    bool repeats = false;
    for (int k = 0; k < 6; ++k) {
      const LaunchOutcome outcome = host.go("look");
      repeats = repeats || outcome.is_repeated;
      EXPECT_TRUE(outcome.is_clean) << k;
    }
    EXPECT_TRUE(repeats);
    EXPECT_EQ(host.bytes(host.out), words(0));
    EXPECT_TRUE(host.go("end").is_clean);
    const LaunchOutcome after = host.go("look");
    EXPECT_FALSE(after.is_repeated || after.is_known || after.is_clean);
    for (const ptx::KernelReport& report :
         {host.session.report_of_last_launch(), host.session.faults_of_last_launch()}) {
      ASSERT_EQ(report.faults.size(), 1U);
      EXPECT_THAT(report.faults.front().message, HasSubstr("'heap allocation 0, freed'"));
      EXPECT_EQ(report.faults.front().at.line, host.session.report().faults.front().at.line);
    }
  }
}

TEST(HeapOfASession, its_size_is_fixed_by_the_first_launch_that_uses_it) {
  HeapHost host;
  EXPECT_TRUE(host.session.set_heap_bytes(128));
  EXPECT_TRUE(host.session.set_heap_bytes(512));
  EXPECT_TRUE(host.go("make").is_clean);
  EXPECT_TRUE(host.go("make").is_clean);
  EXPECT_FALSE(host.session.set_heap_bytes(1024));
  EXPECT_FALSE(host.go("make").is_clean) << "a store at null";
}

}  // namespace
}  // namespace bankproof::cuda
