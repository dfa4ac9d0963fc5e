// Shuffled schedules: each number gives another schedule, the same number repeats its schedule, and
// correct kernels give correct results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>

#include "../../../testing/property.hpp"
#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

std::uint64_t any_schedule() { return *rc::gen::inRange<std::uint64_t>(1, 1'000'000); }

/// Each thread takes a ticket and stores it.
const char* const tickets =
    "atom.global.add.u32 %r5, [%rd1+1024], 1;\nst.global.u32 [%rd2], %r5;\nret;";

TEST(Schedules, of_the_same_number_are_the_same) {
  bankproof::testing::check_property([] {
    const RunOptions options = with_schedule(any_schedule());
    const Ran first = run(kernel(tickets), 4, 64, 257, options);
    const Ran second = run(kernel(tickets), 4, 64, 257, options);
    RC_ASSERT(first.out == second.out);
    RC_ASSERT(first.result.thread_instructions == second.result.thread_instructions);
  });
}

TEST(Schedules, of_other_numbers_differ) {
  const Ran usual = run(kernel(tickets), 4, 64, 257);
  std::set<std::vector<std::uint32_t>> outs;
  for (std::uint64_t schedule = 1; schedule <= 20; ++schedule) {
    outs.insert(run(kernel(tickets), 4, 64, 257, with_schedule(schedule)).out);
  }
  EXPECT_GT(outs.size(), 5U);
}

// A lock that lanes of all warps and blocks take.
TEST(Schedules, leave_what_a_lock_protects_right) {
  const std::string locked = kernel(
      "LOCK: atom.global.cas.b32 %r5, [%rd1], 0, 1;\n"
      "setp.ne.s32 %p1, %r5, 0;\n@%p1 bra LOCK;\n"
      "membar.gl;\n"
      "ld.global.u32 %r6, [%rd1+4];\nadd.s32 %r6, %r6, 1;\n"
      "st.global.u32 [%rd1+4], %r6;\nmembar.gl;\n"
      "atom.global.exch.b32 %r5, [%rd1], 0;\nret;");
  bankproof::testing::check_property(
      [&] {
        const Ran ran = run(locked, 3, 64, 0, with_schedule(any_schedule()));
        RC_ASSERT(ran.faults.empty());
        RC_ASSERT(ran.out[1] == 192U);
      },
      {}, 10);
}

// Block 0 stores a value and announces it twice: first without a fence, then after a fence. In the
// usual order, block 1 starts after both announcements. Only a schedule that stops block 0 between
// the two lets block 1 see the first announcement, and so race.
TEST(Schedules, show_paths_that_the_usual_schedule_does_not_take) {
  const std::string two_steps = kernel(
      "mov.u32 %r5, %ctaid.x;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra READ;\n"
      "st.global.u32 [%rd1+8], 7;\n"
      "st.volatile.global.u32 [%rd1], 1;\n"
      "membar.gl;\n"
      "st.volatile.global.u32 [%rd1], 2;\nret;\n"
      "READ: ld.volatile.global.u32 %r6, [%rd1];\nsetp.eq.u32 %p2, %r6, 0;\n@%p2 bra READ;\n"
      "membar.gl;\nld.global.u32 %r7, [%rd1+8];\nst.global.u32 [%rd1+12], %r7;\nret;");
  EXPECT_THAT(run(two_steps, 2, 1, 4).faults, IsEmpty());
  std::size_t told = 0;
  for (std::uint64_t schedule = 1; schedule <= 20; ++schedule) {
    const Ran ran = run(two_steps, 2, 1, 4, with_schedule(schedule));
    if (!ran.faults.empty()) {
      ++told;
      EXPECT_THAT(ran.faults, Contains(FaultKind::race));
    }
  }
  EXPECT_GT(told, 0U);
  EXPECT_LT(told, 20U);
}

}  // namespace
}  // namespace bankproof::ptx
