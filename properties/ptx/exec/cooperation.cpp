// Lanes, warps and blocks that wait for one another, some of them in vain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

RunOptions with_resident(std::uint32_t blocks) {
  RunOptions options;
  options.resident = blocks;
  return options;
}

// ---- Lanes

TEST(Splits, lanes_of_one_warp_take_a_lock_in_turn) {
  const Ran ran = run(kernel("LOCK: atom.global.cas.b32 %r5, [%rd1], 0, 1;\n"
                             "setp.ne.s32 %p1, %r5, 0;\n@%p1 bra LOCK;\n"
                             "ld.volatile.global.u32 %r6, [%rd1+4];\nadd.s32 %r6, %r6, 1;\n"
                             "st.volatile.global.u32 [%rd1+4], %r6;\nmembar.gl;\n"
                             "atom.global.exch.b32 %r5, [%rd1], 0;\nret;"),
                      2, 64);
  EXPECT_THAT(ran.faults, Not(Contains(FaultKind::deadlock)));
  EXPECT_EQ(ran.out[0], 0U);
  EXPECT_EQ(ran.out[1], 128U);
}

// The machine soon notices a thread that polls a lock and reads the clock.
TEST(Splits, lanes_that_look_at_the_time_let_the_owner_of_the_lock_go_on) {
  const Ran ran = run(kernel("LOCK: atom.global.cas.b32 %r5, [%rd1], 0, 1;\n"
                             "mov.u64 %rd3, %globaltimer;\nadd.u64 %rd4, %rd4, %rd3;\n"
                             "setp.ne.s32 %p1, %r5, 0;\n@%p1 bra LOCK;\n"
                             "atom.global.add.u32 %r6, [%rd1+4], 1;\n"
                             "atom.global.exch.b32 %r5, [%rd1], 0;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, Not(Contains(FaultKind::deadlock)));
  EXPECT_EQ(ran.out[1], 32U);
  EXPECT_LT(ran.result.thread_instructions, 10'000'000U);
}

TEST(Splits, reconverge_at_the_post_dominator) {
  const Ran ran = run(kernel("and.b32 %r5, %r1, 3;\nmov.u32 %r6, 0;\n"
                             "LOOP: add.s32 %r6, %r6, %r5;\nsetp.eq.s32 %p1, %r6, 0;\n"
                             "@%p1 bra OUT;\nsetp.lt.s32 %p2, %r6, 12;\n@%p2 bra LOOP;\n"
                             "OUT: activemask.b32 %r7;\nst.global.u32 [%rd2], %r7;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.out, Each(0xFFFFFFFFU));
}

// nvcc ends many kernels like this: the only exit of the last loop goes to `ret`.
TEST(Splits, reconverge_in_and_before_a_loop_that_lanes_leave_only_to_exit) {
  const Ran ran = run(kernel("shr.u32 %r5, %r1, 3;\nand.b32 %r6, %r1, 1;\n"
                             "setp.eq.s32 %p1, %r6, 0;\n@%p1 bra JOIN;\nadd.s32 %r6, %r6, 1;\n"
                             "JOIN: activemask.b32 %r7;\n"
                             "LOOP: and.b32 %r8, %r1, 2;\nsetp.eq.s32 %p2, %r8, 0;\n"
                             "@%p2 bra MEET;\nadd.s32 %r6, %r6, 1;\n"
                             "MEET: activemask.b32 %r9;\nand.b32 %r10, %r7, %r9;\n"
                             "st.global.u32 [%rd2], %r10;\nadd.s32 %r5, %r5, -1;\n"
                             "setp.ge.s32 %p3, %r5, 0;\n@%p3 bra LOOP;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  // In the last round of a lane, the lanes that run at least as many rounds are still with it.
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(ran.out[lane], 0xFFFFFFFFU << (lane / 8 * 8)) << lane;
  }
}

TEST(Splits, lanes_that_leave_early_are_not_waited_for) {
  const Ran ran = run(kernel("setp.gt.u32 %p1, %r1, 20;\n@%p1 bra END;\n"
                             "and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p2, %r5, 0;\n@%p2 bra EVEN;\n"
                             "setp.eq.s32 %p3, %r1, 7;\n@%p3 bra END;\nbra JOIN;\n"
                             "EVEN: mov.u32 %r6, 5;\n"
                             "JOIN: activemask.b32 %r7;\nbar.sync 0;\n"
                             "st.global.u32 [%rd2], %r7;\nEND: ret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 0x1FFF7FU);
  EXPECT_EQ(ran.out[7], 0U);
  EXPECT_EQ(ran.out[21], 0U);
}

TEST(Collectives, wait_for_all_lanes_of_their_mask_in_either_arm) {
  const Ran ran = run(kernel("setp.lt.u32 %p1, %r1, 12;\n@%p1 bra LOW;\n"
                             "shfl.sync.idx.b32 %r5, %r1, 3, 31, -1;\nbra JOIN;\n"
                             "LOW: shfl.sync.idx.b32 %r5, %r1, 30, 31, -1;\n"
                             "JOIN: st.global.u32 [%rd2], %r5;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(ran.out[lane], lane < 12 ? 30U : 3U);
}

// The second half waits at the reconvergence point; its part of the exchange comes after that
// point.
TEST(Collectives, are_reached_by_lanes_that_wait_for_others_to_join) {
  const Ran ran = run(kernel("mov.u32 %r5, 0;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bra NEXT;\n"
                             "shfl.sync.bfly.b32 %r5, %r1, 16, 31, -1;\n"
                             "NEXT: @!%p1 bra END;\nshfl.sync.bfly.b32 %r5, %r1, 16, 31, -1;\n"
                             "END: st.global.u32 [%rd2], %r5;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(ran.out[lane], lane ^ 16U);
}

TEST(Collectives, shuffle_within_their_segment) {
  const Ran ran = run(kernel("shfl.sync.up.b32 %r5|%p1, %r1, 1, 0x1800, -1;\n"
                             "shfl.sync.down.b32 %r6|%p2, %r1, 3, 0x181F, -1;\n"
                             "shfl.sync.bfly.b32 %r7|%p3, %r1, 9, 0x181F, -1;\n"
                             "selp.u32 %r8, 100, 0, %p1;\nselp.u32 %r9, 100, 0, %p2;\n"
                             "selp.u32 %r10, 100, 0, %p3;\n"
                             "add.s32 %r5, %r5, %r8;\nadd.s32 %r6, %r6, %r9;\n"
                             "add.s32 %r7, %r7, %r10;\n"
                             "mul.lo.s32 %r6, %r6, 1000;\nmul.lo.s32 %r7, %r7, 1000000;\n"
                             "add.s32 %r5, %r5, %r6;\nadd.s32 %r5, %r5, %r7;\n"
                             "st.global.u32 [%rd2], %r5;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t up = lane % 8 == 0 ? lane : lane - 1 + 100;
    const std::uint32_t down = lane % 8 > 4 ? lane : lane + 3 + 100;
    // A lane may read a lane of another segment if that segment is lower.
    const std::uint32_t exchanged = (lane ^ 9U) <= (lane | 7U) ? (lane ^ 9U) + 100 : lane;
    EXPECT_EQ(ran.out[lane], up + 1000 * down + 1000000 * exchanged) << lane;
  }
}

TEST(Collectives, of_different_masks_are_distinguished) {
  const Ran ran = run(kernel("mov.u32 %r5, 0xFFFF;\nsetp.ge.u32 %p1, %r1, 16;\n"
                             "selp.u32 %r5, 0xFFFF0000, %r5, %p1;\n"
                             "redux.sync.add.u32 %r6, %r1, %r5;\n"
                             "st.global.u32 [%rd2], %r6;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(ran.out[lane], lane < 16 ? 120U : 376U);
}

TEST(Collectives, compute_what_lanes_bring) {
  struct Case {
    const char* instruction;  // %r20 is 5 · lane mod 16 − 3; %p5 says whether lane is even
    std::function<std::uint32_t(std::uint32_t)> expected;
  };
  const auto value = [](std::uint32_t lane) { return static_cast<int>(5 * lane % 16) - 3; };
  const std::vector<Case> cases{
      {"redux.sync.min.s32 %r6, %r20, -1;", [](std::uint32_t) { return 0U - 3U; }},
      {"redux.sync.max.s32 %r6, %r20, -1;", [](std::uint32_t) { return 12U; }},
      {"redux.sync.min.u32 %r6, %r20, -1;", [](std::uint32_t) { return 0U; }},
      {"redux.sync.max.u32 %r6, %r20, -1;", [](std::uint32_t) { return 0xFFFFFFFFU; }},
      {"redux.sync.and.b32 %r6, %r1, -1;", [](std::uint32_t) { return 0U; }},
      {"redux.sync.or.b32 %r6, %r1, -1;", [](std::uint32_t) { return 31U; }},
      {"redux.sync.xor.b32 %r6, %r20, -1;", [](std::uint32_t) { return 0U; }},
      {"vote.sync.ballot.b32 %r6, %p5, -1;", [](std::uint32_t) { return 0x55555555U; }},
      {"vote.ballot.sync.b32 %r6, !%p5, -1;", [](std::uint32_t) { return 0xAAAAAAAAU; }},
      {"vote.sync.all.pred %p6, %p5, -1; selp.u32 %r6, 1, 0, %p6;",
       [](std::uint32_t) { return 0U; }},
      {"vote.sync.any.pred %p6, %p5, -1; selp.u32 %r6, 1, 0, %p6;",
       [](std::uint32_t) { return 1U; }},
      {"vote.sync.uni.pred %p6, %p5, -1; selp.u32 %r6, 1, 0, %p6;",
       [](std::uint32_t) { return 0U; }},
      {"setp.gt.u32 %p7, %r1, 31; vote.sync.uni.pred %p6, %p7, -1; selp.u32 %r6, 1, 0, %p6;",
       [](std::uint32_t) { return 1U; }},
      {"setp.lt.u32 %p7, %r1, 32; vote.sync.uni.pred %p6, %p7, -1; selp.u32 %r6, 1, 0, %p6;",
       [](std::uint32_t) { return 1U; }},
      {"match.any.sync.b32 %r6, %r20, -1;",
       [&](std::uint32_t lane) {
         std::uint32_t mask = 0;
         for (std::uint32_t l = 0; l < 32; ++l) mask |= (value(l) == value(lane) ? 1U : 0U) << l;
         return mask;
       }},
      {"match.all.sync.b32 %r6|%p6, %r20, -1; @%p6 add.s32 %r6, %r6, 9;",
       [](std::uint32_t) { return 0U; }},
      {"match.all.sync.b32 %r6|%p6, %r4, -1; @%p6 add.s32 %r6, %r6, 9;",
       [](std::uint32_t) { return 8U; }},
      {"elect.sync %r6|%p6, -1; @%p6 mov.u32 %r6, 77;",
       [](std::uint32_t lane) { return lane == 0 ? 77U : 0U; }},
  };
  for (const Case& c : cases) {
    const Ran ran = run(kernel("mul.lo.u32 %r20, %r1, 5;\nand.b32 %r20, %r20, 15;\n"
                               "add.s32 %r20, %r20, -3;\nand.b32 %r21, %r1, 1;\n"
                               "setp.eq.u32 %p5, %r21, 0;\n" +
                               std::string(c.instruction) + "\nst.global.u32 [%rd2], %r6;\nret;"),
                        1, 32);
    EXPECT_THAT(ran.faults, IsEmpty()) << c.instruction;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(ran.out[lane], c.expected(lane)) << c.instruction << lane;
    }
  }
}

TEST(Collectives, tell_of_lanes_that_do_not_take_part) {
  const std::string text = kernel(
      "setp.ge.u32 %p1, %r1, 16;\n@%p1 bra END;\n"
      "shfl.sync.bfly.b32 %r5, %r1, 16, 31, 0xFFFF;\n"
      "st.global.u32 [%rd2], %r5;\nEND: ret;");
  EXPECT_THAT(run(text, 1, 32).faults, ElementsAre(FaultKind::inactive_lane));
}

TEST(Collectives, deadlock_if_lanes_never_come) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 16;\n@%p1 bra FOREVER;\n"
                             "shfl.sync.bfly.b32 %r5, %r1, 16, 31, -1;\nret;\n"
                             "FOREVER: bra FOREVER;"),
                      1, 32);
  EXPECT_THAT(ran.faults, Contains(FaultKind::deadlock));
}

// ---- Blocks

// Block b waits until block b − 1 has passed.
const char* const chain =
    "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra END;\nsetp.eq.s32 %p2, %r3, 0;\n@%p2 bra PASS;\n"
    "sub.u32 %r5, %r3, 1;\nmul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd3, %rd1, %rd3;\n"
    "WAIT: ld.acquire.gpu.global.u32 %r6, [%rd3];\nsetp.eq.s32 %p3, %r6, 0;\n@%p3 bra WAIT;\n"
    "PASS: mul.wide.u32 %rd4, %r3, 4;\nadd.s64 %rd4, %rd1, %rd4;\nadd.u32 %r7, %r6, 1;\n"
    "st.release.gpu.global.u32 [%rd4], %r7;\nEND: ret;";

TEST(Blocks, wait_for_blocks_before_them) {
  const Ran ran = run(kernel(chain), 100, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t b = 0; b < 100; ++b) EXPECT_EQ(ran.out[b], b + 1);
}

TEST(Blocks, deadlock_if_a_block_waits_for_one_that_cannot_start) {
  std::string reversed = chain;
  // Block b waits for block b + 1.
  reversed.replace(reversed.find("sub.u32 %r5, %r3, 1"), 19, "add.u32 %r5, %r3, 1");
  reversed.replace(reversed.find("%p2, %r3, 0"), 11, "%p2, %r3, 9");
  EXPECT_THAT(run(kernel(reversed), 10, 32, 0, with_resident(4)).faults, Each(FaultKind::deadlock));
  EXPECT_THAT(run(kernel(reversed), 10, 32, 0, with_resident(4)).faults, Not(IsEmpty()));
  EXPECT_THAT(run(kernel(reversed), 10, 32, 0, with_resident(10)).faults, IsEmpty());
}

// Each block draws a number: the number of blocks that had their turn before.
TEST(Blocks, have_turns_in_order_or_as_a_schedule_draws_it) {
  const auto drawn = [](std::uint64_t schedule) {
    return run(kernel("setp.ne.s32 %p1, %r1, 0;\n@%p1 bra END;\n"
                      "atom.global.add.u32 %r5, [%rd1], 1;\nmul.wide.u32 %rd4, %r3, 4;\n"
                      "add.s64 %rd4, %rd1, %rd4;\nst.global.u32 [%rd4+4], %r5;\nEND: ret;"),
               20, 32, 0, with_schedule(schedule))
        .out;
  };
  const auto in_order = drawn(0);
  for (std::uint32_t b = 0; b < 20; ++b) EXPECT_EQ(in_order[b + 1], b);
  EXPECT_EQ(drawn(0), in_order);
  EXPECT_NE(drawn(1), in_order);
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

TEST(Blocks, wait_and_are_stuck_whatever_the_schedule) {
  for (std::uint64_t schedule = 1; schedule < 10; ++schedule) {
    RunOptions all_resident = with_schedule(schedule);
    all_resident.resident = 100;
    const Ran ran = run(kernel(chain), 100, 64, 0, all_resident);
    EXPECT_THAT(ran.faults, IsEmpty());
    for (std::uint32_t b = 0; b < 100; ++b) EXPECT_EQ(ran.out[b], b + 1);
    const Ran stuck = run(kernel("LOOP: ld.volatile.global.u32 %r5, [%rd1];\n"
                                 "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra LOOP;\nret;"),
                          20, 32, 0, with_schedule(schedule));
    EXPECT_THAT(stuck.faults, Not(IsEmpty()));
    EXPECT_THAT(stuck.faults, Each(FaultKind::deadlock));
  }
}

// CUDA does not guarantee the order in which blocks begin: a block may wait for another block that
// finds no free slot.
TEST(Blocks, begin_in_an_order_that_the_schedule_draws) {
  EXPECT_THAT(run(kernel(chain), 100, 64).faults, IsEmpty());
  std::size_t stuck = 0;
  for (std::uint64_t schedule = 1; schedule <= 20; ++schedule) {
    const Ran ran = run(kernel(chain), 100, 64, 0, with_schedule(schedule));
    EXPECT_THAT(ran.faults, Each(FaultKind::deadlock));
    if (!ran.faults.empty()) ++stuck;
  }
  EXPECT_GT(stuck, 10U);
}

TEST(Blocks, deadlock_does_not_depend_on_time) {
  // A loop of 100 000 turns changes no memory, and ends.
  const Ran ran = run(kernel("mov.u32 %r5, 0;\nLOOP: add.u32 %r5, %r5, 1;\n"
                             "setp.lt.u32 %p1, %r5, 100000;\n@%p1 bra LOOP;\n"
                             "st.global.u32 [%rd2], %r5;\nret;"),
                      2, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(100000U));
  const Ran endless = run(kernel("LOOP: ld.volatile.global.u32 %r5, [%rd2];\n"
                                 "xor.b32 %r6, %r6, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra LOOP;\n"
                                 "ret;"),
                          2, 32);
  EXPECT_THAT(endless.faults, ElementsAre(FaultKind::deadlock));
}

TEST(Blocks, give_the_same_report_on_several_workers) {
  const std::string text = kernel(
      "bar.sync 0;\nand.b32 %r5, %r1, 7;\nLOOP: sub.s32 %r5, %r5, 1;\n"
      "setp.gt.s32 %p1, %r5, 0;\n@%p1 bra LOOP;\n"
      "st.global.u32 [%rd2], %r2;\nret;");
  const Ran one = run(text, 50, 96);
  for (const std::uint64_t alone : {0U, 1U, 20U, 1000000U}) {
    RunOptions options = with_threads(4);
    options.alone = std::chrono::microseconds(alone);
    const Ran four = run(text, 50, 96, 0, options);
    EXPECT_EQ(one.out, four.out);
    EXPECT_EQ(one.result.visits, four.result.visits);
    EXPECT_EQ(one.result.lanes, four.result.lanes);
    EXPECT_EQ(one.result.thread_instructions, four.result.thread_instructions);
  }
}

// Warp 0 stores in reverse order, so that its sectors are split, and reads them as rows behind the
// barrier. Warp 1 stores to them meanwhile.
TEST(Blocks, race_on_sectors_that_a_barrier_has_settled) {
  const std::string text = kernel(
      "mov.u32 %r10, tile;\nand.b32 %r11, %r1, 31;\nsetp.ge.u32 %p1, %r1, 32;\n"
      "@%p1 bra WAIT;\nsub.u32 %r12, 31, %r11;\nshl.b32 %r12, %r12, 2;\n"
      "add.u32 %r12, %r12, %r10;\nst.shared.u32 [%r12], %r1;\n"
      "WAIT: bar.sync 0;\nshl.b32 %r13, %r11, 2;\nadd.u32 %r13, %r13, %r10;\n"
      "@%p1 bra STORE;\nld.shared.u32 %r14, [%r13];\nst.global.u32 [%rd2], %r14;\nret;\n"
      "STORE: st.shared.u32 [%r13], %r1;\nret;",
      ".shared .align 128 .b8 tile[128];\n");
  // Every third launch takes no short way.
  for (int k = 0; k < 3; ++k) EXPECT_THAT(run(text, 1, 64).faults, Contains(FaultKind::race));
}

// Blocks 0 and 63 write one word. Mostly another worker has taken the last block, and only the
// comparison of the workers' records shows the race.
TEST(Blocks, race_on_several_workers_as_on_one) {
  const std::string text = kernel(
      "mov.u32 %r5, 3000;\nLOOP: sub.u32 %r5, %r5, 1;\nsetp.gt.u32 %p1, %r5, 0;\n"
      "@%p1 bra LOOP;\nrem.u32 %r6, %r3, 63;\nmad.lo.u32 %r6, %r6, 32, %r1;\n"
      "mul.wide.u32 %rd3, %r6, 4;\nadd.s64 %rd3, %rd1, %rd3;\n"
      "ld.global.u32 %r7, [%rd3];\nadd.u32 %r7, %r7, 1;\nst.global.u32 [%rd3], %r7;\nret;");
  const Ran one = run(text, 64, 32);
  EXPECT_THAT(one.faults, Contains(FaultKind::race));
  for (int k = 0; k < 5; ++k) {
    const Ran four = run(text, 64, 32, 0, with_threads(4));
    EXPECT_EQ(four.faults, one.faults);
    EXPECT_EQ(four.out, one.out);
  }
}

TEST(Blocks, stop_at_a_trap) {
  const Ran ran = run(kernel("setp.eq.s32 %p1, %r2, 70;\n@%p1 trap;\nret;"), 4, 32);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::trap));
  EXPECT_EQ(ran.result.faults.all().begin()->second.thread.block, 2U);
  EXPECT_EQ(ran.result.faults.all().begin()->second.thread.thread, 6U);
}

}  // namespace
}  // namespace bankproof::ptx
