// Copies by cp.async: which threads may access the copied bytes, and when (PTX ISA, "Data Movement
// and Conversion Instructions: Asynchronous Copy"). For each rule, one kernel keeps the rule and
// another kernel breaks it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "../kernel_run.hpp"

namespace bankproof::ptx {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A kernel of 64 threads. %r1 is the thread; %rd2 points to its 16 bytes of `in`, %r2 to its bytes
/// of `tile`, a shared array of two times 1024 bytes, %r3 to the next thread's bytes of `tile`, and
/// %rd4 to the thread's word of `out`.
std::string kernel(const std::string& body) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n"
         ".shared .align 16 .b8 tile[2048];\n.shared .align 8 .b8 bar[8];\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd3, [out];\nmov.u32 %r1, %tid.x;\n"
         "mad.wide.u32 %rd2, %r1, 16, %rd1;\nmad.wide.u32 %rd4, %r1, 4, %rd3;\n"
         "mov.u32 %r4, tile;\nmad.lo.u32 %r2, %r1, 16, %r4;\n"
         "add.u32 %r5, %r1, 1;\nand.b32 %r5, %r5, 63;\nmad.lo.u32 %r3, %r5, 16, %r4;\n" +
         body + "ret;\n}\n";
}

const std::string copy = "cp.async.cg.shared.global [%r2], [%rd2], 16;\n";
const std::string commit = "cp.async.commit_group;\n";
const std::string wait_all = "cp.async.wait_all;\n";
const std::string copy_barrier = "bar.sync 0;\n";
const std::string read_own = "ld.shared.u32 %r6, [%r2];\nst.global.u32 [%rd4], %r6;\n";
const std::string read_next = "ld.shared.u32 %r6, [%r3];\nst.global.u32 [%rd4], %r6;\n";

std::string wait_group(int groups) {
  return "cp.async.wait_group " + std::to_string(groups) + ";\n";
}

/// The messages of the kernel's launch. If there are no messages, checks that the result of each
/// thread is the first word of the 16 bytes of thread + `next` (its own bytes if `next` is 0).
std::vector<std::string> told(const std::string& body, std::uint32_t next = 0) {
  KernelRun run(kernel(body), "k");
  std::vector<std::uint32_t> in(256);
  std::iota(in.begin(), in.end(), 100);
  run.buffer(in);
  const std::uint32_t out = run.buffer(std::vector<std::uint32_t>(64, 7));
  std::vector<std::string> lines;
  for (const auto& [key, fault] : run.launch({1, 1, 1}, {64, 1, 1}).faults.all()) {
    lines.push_back(std::string(name_of(fault.kind)) + ": " + fault.message);
  }
  const auto got = run.data<std::uint32_t>(out);
  for (std::uint32_t t = 0; t < 64 && lines.empty(); ++t) {
    EXPECT_EQ(got[t], 100 + 4 * ((t + next) % 64)) << body;
  }
  return lines;
}

constexpr const char* in_flight = "may still be in flight";

TEST(Copies, are_read_by_their_thread_behind_a_wait) {
  EXPECT_THAT(told(copy + wait_all + read_own), IsEmpty());
  EXPECT_THAT(told(copy + commit + wait_group(0) + read_own), IsEmpty());
  EXPECT_THAT(told(copy + read_own),
              ElementsAre("race: load at byte 0 of shared memory is not ordered with a write by "
                          "block 0, thread 0, the same thread, whose cp.async may still be in "
                          "flight: it must first wait for the copy (cp.async.wait_group with fewer "
                          "groups, cp.async.wait_all, or an mbarrier)"));
  // Neither a barrier nor a fence waits for copies, and no wait for groups covers copies outside a
  // group.
  EXPECT_THAT(told(copy + copy_barrier + read_own), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(copy + "membar.cta;\n" + read_own), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(copy + commit + read_own), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(copy + wait_group(0) + read_own), ElementsAre(HasSubstr(in_flight)));
}

TEST(Copies, are_read_by_others_behind_a_wait_and_a_barrier) {
  EXPECT_THAT(told(copy + wait_all + copy_barrier + read_next, 1), IsEmpty());
  EXPECT_THAT(told(copy + commit + wait_group(0) + copy_barrier + read_next, 1), IsEmpty());
  EXPECT_THAT(told(copy + wait_all + read_next),
              Contains(AllOf(HasSubstr("by block 0, thread 1, which has waited for its cp.async"),
                             HasSubstr("a barrier must follow"))));
  EXPECT_THAT(told(copy + copy_barrier + wait_all + read_next),
              ElementsAre(HasSubstr("a barrier must follow")));
  EXPECT_THAT(told(copy + commit + copy_barrier + read_next),
              ElementsAre(AllOf(HasSubstr("by block 0, thread 1, whose cp.async may"),
                                HasSubstr(in_flight))));
}

TEST(Copies, are_complete_by_groups_of_which_the_last_ones_may_be_in_flight) {
  const std::string second = "cp.async.cg.shared.global [%r2+1024], [%rd2], 16;\n" + commit;
  const std::string two = copy + commit + second;
  const std::string read_second = "ld.shared.u32 %r6, [%r2+1024];\nst.global.u32 [%rd4], %r6;\n";
  EXPECT_THAT(told(two + wait_group(1) + read_own), IsEmpty());
  EXPECT_THAT(told(two + wait_group(1) + copy_barrier + read_next, 1), IsEmpty());
  EXPECT_THAT(told(two + wait_group(2) + read_own), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(two + wait_group(2) + copy_barrier + read_next),
              ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(two + wait_group(1) + read_second), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(two + wait_group(0) + read_second), IsEmpty());
  // Empty groups count.
  EXPECT_THAT(told(copy + commit + commit + wait_group(1) + read_own), IsEmpty());
  EXPECT_THAT(told(copy + commit + commit + wait_group(2) + read_own),
              ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(commit + copy + commit + wait_group(1) + read_own),
              ElementsAre(HasSubstr(in_flight)));
  // A commit puts all copies since the last commit into a group; wait_all also covers copies that
  // are not committed.
  EXPECT_THAT(told(copy + second + wait_group(0) + read_own), IsEmpty());
  EXPECT_THAT(told(copy + wait_all + second + wait_group(1) + read_own), IsEmpty());
}

TEST(Copies, belong_to_groups_of_their_own_thread) {
  // Even threads copy and commit; odd threads do neither, and so have nothing to wait for.
  const std::string even =
      "and.b32 %r7, %r1, 1;\nsetp.eq.u32 %p1, %r7, 0;\n@%p1 cp.async.cg.shared.global [%r2], "
      "[%rd2], 16;\n";
  const std::string odd_stores = "@!%p1 st.shared.u32 [%r2], %r8;\n";
  const std::string value = "mad.lo.u32 %r8, %r1, 4, 100;\n";
  EXPECT_THAT(told(even + value + odd_stores + "@%p1 cp.async.commit_group;\n" +
                       "@%p1 cp.async.wait_group 0;\n" + copy_barrier + read_next,
                   1),
              IsEmpty());
  // Here the odd threads wait, which does not complete the copies of the even threads.
  EXPECT_THAT(told(even + value + odd_stores + "@%p1 cp.async.commit_group;\n" +
                   "@!%p1 cp.async.wait_group 0;\n" + copy_barrier + read_next),
              ElementsAre(HasSubstr(in_flight)));
  // All threads commit a group; then even threads copy into a second group, which the wait does not
  // cover.
  EXPECT_THAT(told(copy + commit + even + "@%p1 cp.async.commit_group;\n" + wait_group(1) +
                   copy_barrier + read_next),
              testing::Contains(HasSubstr("race")));
}

TEST(Copies, must_not_be_overwritten_in_flight) {
  const std::string write = "st.shared.u32 [%r2+4], %r1;\n";
  EXPECT_THAT(told(copy + wait_all + write + read_own), IsEmpty());
  EXPECT_THAT(told(copy + write + wait_all + read_own),
              ElementsAre(AllOf(HasSubstr("store at byte 4"), HasSubstr(in_flight))));
  // Another copy must not write these bytes either, whatever its group.
  EXPECT_THAT(told(copy + copy + wait_all + read_own),
              ElementsAre(AllOf(HasSubstr("store at byte 0"), HasSubstr(in_flight))));
  EXPECT_THAT(told(copy + commit + copy + wait_all + read_own), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(copy + wait_all + copy + wait_all + read_own), IsEmpty());
}

TEST(Copies, read_their_source_until_they_are_complete) {
  const std::string write = "st.global.u32 [%rd2+4], %r1;\n";
  EXPECT_THAT(told(copy + wait_all + write + read_own), IsEmpty());
  EXPECT_THAT(told(copy + write + wait_all + read_own),
              ElementsAre(AllOf(HasSubstr("not ordered with a read by block 0, thread 0"),
                                HasSubstr(in_flight))));
  // The thread may write before the copies read.
  EXPECT_THAT(told(write + copy + wait_all + read_own), IsEmpty());
}

TEST(Copies, come_behind_what_was_read_before_a_barrier) {
  const std::string first = copy + wait_all + copy_barrier + read_next;
  EXPECT_THAT(told(first + copy_barrier + copy + wait_all, 1), IsEmpty());
  EXPECT_THAT(told(first + copy + wait_all),
              Contains(AllOf(HasSubstr("store at"), HasSubstr("not ordered with a read by"))));
}

TEST(Copies, read_their_source_beyond_a_barrier_beside_what_others_read) {
  // One warp copies. The other warp reads the same words before a barrier, and writes them after
  // it.
  const auto with = [](const std::string& copies, const std::string& others,
                       const std::string& wait) {
    return told(
        "and.b32 %r7, %r1, 31;\nmad.wide.u32 %rd5, %r7, 16, %rd1;\n"
        "setp.lt.u32 %p1, %r1, 32;\n@" +
        copies + " cp.async.cg.shared.global [%r2], [%rd5], 16;\n@" + others +
        " ld.global.u32 %r6, [%rd5];\n" + wait + copy_barrier + "@" + others +
        " st.global.u32 [%rd5], %r1;\nmad.lo.u32 %r6, %r1, 4, 100;\n"
        "st.global.u32 [%rd4], %r6;\n");
  };
  EXPECT_THAT(with("%p1", "!%p1", wait_all), IsEmpty());
  EXPECT_THAT(with("!%p1", "%p1", wait_all), IsEmpty());
  EXPECT_THAT(with("%p1", "!%p1", ""), ElementsAre(HasSubstr("race: store at")));
  EXPECT_THAT(with("!%p1", "%p1", ""), ElementsAre(HasSubstr("race: store at")));
}

TEST(Copies, of_4_8_and_16_bytes_take_those_and_no_others) {
  for (const int bytes : {4, 8, 16}) {
    const std::string some = "cp.async.ca.shared.global [%r2], [%rd2], " + std::to_string(bytes);
    for (const int at : {0, 4, 8, 12}) {
      const std::string touch = "st.shared.u32 [%r2+" + std::to_string(at) + "], %r1;\n";
      EXPECT_EQ(told(some + ";\n" + touch + wait_all + "mov.u32 %r6, 0;\n" +
                     "mad.lo.u32 %r6, %r1, "
                     "4, 100;\nst.global.u32 [%rd4], %r6;\n")
                    .empty(),
                at >= bytes)
          << bytes << ' ' << at;
    }
    // A copy writes all its bytes even if it reads fewer; threads may write the rest of its source.
    EXPECT_THAT(told(some + ", 4;\nst.global.u32 [%rd2+4], %r1;\n" + wait_all + read_own),
                IsEmpty());
    EXPECT_EQ(
        told(some + ", 0;\nst.shared.u32 [%r2+" + std::to_string(bytes - 4) + "], 0;\n" + wait_all)
            .size(),
        1U);
  }
}

TEST(Copies, are_complete_where_an_mbarrier_says_so) {
  const std::string ready =
      "setp.ne.u32 %p1, %r1, 0;\n@!%p1 mbarrier.init.shared.b64 [bar], 64;\n" + copy_barrier;
  const std::string wait =
      "WAIT: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\n";
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [bar];\n";
  const std::string track = "cp.async.mbarrier.arrive.shared.b64 [bar];\n";
  const std::string counted = "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n";
  EXPECT_THAT(told(ready + copy + counted + wait + read_next, 1), IsEmpty());
  EXPECT_THAT(told(ready + copy + track + arrive + wait + read_next, 1), IsEmpty());
  EXPECT_THAT(told(ready + copy + counted + wait + read_own), IsEmpty());
  // A thread's arrival does not cover its copies, and an arrival of copies covers only earlier
  // copies.
  EXPECT_THAT(told(ready + copy + arrive + wait + read_next), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(ready + counted + copy + wait + read_next), ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(ready + copy + counted + read_own), ElementsAre(HasSubstr(in_flight)));
  // A test that does not wait, or that waits for another phase, does not order the copies either.
  EXPECT_THAT(told(ready + copy + counted +
                   "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n" + read_own),
              ElementsAre(HasSubstr(in_flight)));
  EXPECT_THAT(told(ready + copy + counted +
                   "WAIT: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;\n"
                   "@!%p2 bra WAIT;\n" +
                   read_own),
              testing::Contains(HasSubstr(in_flight)));
}

/// Copies stage k of 4 into half k % 2 while threads read the previous stage.
std::string double_buffered(int groups, bool with_barrier_behind) {
  const auto stage = [](int k) {
    const std::string offset = std::to_string(k % 2 * 1024);
    return "cp.async.cg.shared.global [%r2+" + offset + "], [%rd2], 16;\n" + commit;
  };
  std::string body = stage(0);
  for (int k = 0; k < 4; ++k) {
    if (k < 3) body += stage(k + 1);
    const int left = k < 3 ? groups : 0;
    body += wait_group(left) + copy_barrier + "ld.shared.u32 %r6, [%r3+" +
            std::to_string(k % 2 * 1024) + "];\n";
    if (with_barrier_behind) body += copy_barrier;
  }
  return body + "st.global.u32 [%rd4], %r6;\n";
}

TEST(Copies, of_two_stages_take_turns) {
  EXPECT_THAT(told(double_buffered(1, true), 1), IsEmpty());
  EXPECT_THAT(told(double_buffered(0, true), 1), IsEmpty());
  const auto load_races = AllOf(HasSubstr("load at"), HasSubstr(in_flight));
  const auto store_races = AllOf(HasSubstr("store at"), HasSubstr("not ordered with a read"));
  EXPECT_THAT(told(double_buffered(2, true)),
              Contains(load_races).Times(3));  // the last stage waits for all
  EXPECT_THAT(told(double_buffered(1, false)), Contains(store_races).Times(2));
}

}  // namespace
}  // namespace bankproof::ptx
