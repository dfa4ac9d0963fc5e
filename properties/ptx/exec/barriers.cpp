// Barriers of blocks: which threads wait for which other threads, and the machine's reports if
// threads use barriers wrongly.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(Barriers, make_the_writes_of_all_visible) {
  const Ran ran =
      run(kernel("mov.u32 %r5, tile;\nshl.b32 %r6, %r1, 2;\nadd.u32 %r7, %r5, %r6;\n"
                 "st.shared.u32 [%r7], %r1;\nbar.sync 0;\n"
                 "sub.u32 %r8, 255, %r1;\nshl.b32 %r8, %r8, 2;\nadd.u32 %r8, %r5, %r8;\n"
                 "ld.shared.u32 %r9, [%r8];\nst.global.u32 [%rd2], %r9;\nret;",
                 ".shared .align 4 .b8 tile[1024];\n"),
          3, 256);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t t = 0; t < 768; ++t) EXPECT_EQ(ran.out[t], 255 - t % 256);
}

TEST(Barriers, are_events_of_their_warps) {
  RunOptions options;
  options.record_events = true;
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 32;\nbar.sync 0;\n@%p1 ret;\n"
                             "st.global.u32 [%rd2], %r1;\nbar.sync 0;\nret;"),
                      2, 64, 0, options);
  const std::vector<Event> first{Event::barrier(), Event::global(1), Event::barrier()};
  const std::vector<Event> second{Event::barrier()};
  const auto& warps = ran.result.events.warps;
  ASSERT_EQ(warps.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_THAT(warps[k], ElementsAreArray(k % 2 == 0 ? first : second)) << k;
  }
  EXPECT_EQ(ran.result.events.blocks, 2U);
  EXPECT_EQ(ran.result.events.threads, 64U);
  EXPECT_THAT(run(kernel("ret;"), 2, 64).result.events.warps, IsEmpty());
}

TEST(Barriers, reduce) {
  const Ran ran = run(kernel("setp.lt.u32 %p1, %r1, 50;\nbar.red.popc.u32 %r5, 1, %p1;\n"
                             "barrier.cta.red.and.aligned.pred %p2, 2, 96, %p1;\n"
                             "bar.red.or.pred %p3, 0, !%p1;\n"
                             "selp.u32 %r6, 1000, 0, %p2;\nselp.u32 %r7, 2000, 0, %p3;\n"
                             "add.u32 %r5, %r5, %r6;\nadd.u32 %r5, %r5, %r7;\n"
                             "st.global.u32 [%rd2], %r5;\nret;"),
                      1, 96);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(2050U));
}

// The reductions overwrite the register's old value.
TEST(Barriers, reduce_what_all_threads_agree_on) {
  const Ran ran = run(kernel("mov.u32 %r5, 0xFFFF;\nsetp.lt.u32 %p1, %r1, 96;\n"
                             "setp.lt.u32 %p3, %r1, 96;\n"
                             "bar.red.popc.u32 %r5, 1, %p1;\nbar.red.and.pred %p2, 2, %p1;\n"
                             "bar.red.or.pred %p3, 0, !%p1;\n"
                             "selp.u32 %r6, 1000, 0, %p2;\nselp.u32 %r7, 2000, 0, %p3;\n"
                             "add.u32 %r5, %r5, %r6;\nadd.u32 %r5, %r5, %r7;\n"
                             "st.global.u32 [%rd2], %r5;\nret;"),
                      1, 96);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(1096U));
}

TEST(Barriers, connect_warps_that_produce_with_those_that_consume) {
  const Ran ran =
      run(kernel("mov.u32 %r5, tile;\nand.b32 %r6, %r1, 31;\nshl.b32 %r6, %r6, 2;\n"
                 "add.u32 %r5, %r5, %r6;\nsetp.ge.u32 %p1, %r1, 32;\n"
                 "@%p1 bra CONSUME;\nst.shared.u32 [%r5], %r1;\nbar.arrive 3, 64;\nret;\n"
                 "CONSUME: bar.sync 3, 64;\nld.shared.u32 %r7, [%r5];\n"
                 "st.global.u32 [%rd2], %r7;\nret;",
                 ".shared .align 4 .b8 tile[128];\n"),
          1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t t = 32; t < 64; ++t) EXPECT_EQ(ran.out[t], t - 32);
}

TEST(Barriers, are_divergent_if_some_lanes_of_a_warp_pass_by) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 40;\n@%p1 bra NEXT;\nbar.sync 0;\n"
                             "NEXT: st.global.u32 [%rd2], %r1;\nret;"),
                      1, 64);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::barrier_divergence));
}

TEST(Barriers, are_divergent_in_opposite_arms) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra HIGH;\nbar.sync 0;\nbra END;\n"
                             "HIGH: bar.sync 0;\nEND: st.global.u32 [%rd2], %r1;\nret;"),
                      1, 64);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::barrier_divergence));
}

// Lanes that wait for their warp to reconverge do not go on while other lanes are at a barrier. The
// machine reports the divergence at the barrier, and nothing after it.
TEST(Barriers, hold_up_the_other_lanes_of_their_warp) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra OTHER;\n"
                             "setp.ge.u32 %p2, %r1, 16;\n@%p2 bra JOIN;\nbar.sync 0;\n"
                             "JOIN: st.global.u32 [%rd2], %r1;\nbar.sync 1;\nret;\n"
                             "OTHER: bar.sync 1;\nbar.sync 0;\nst.global.u32 [%rd2], %r1;\nret;"),
                      1, 64);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::barrier_divergence));
  EXPECT_THAT(ran.out, Each(0U));
}

TEST(Barriers, of_different_numbers_are_divergent) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra HIGH;\nbar.sync 0;\nbra END;\n"
                             "HIGH: bar.sync 1;\nEND: st.global.u32 [%rd2], %r1;\nret;"),
                      1, 64);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::barrier_divergence));
}

// The halves of a warp reach two different barriers. The first half passes and ends; then the other
// half is the whole warp.
TEST(Barriers, that_are_divergent_are_reported_one_by_one) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 16;\n@%p1 bra HIGH;\nbar.sync 0;\nret;\n"
                             "HIGH: bar.sync 1;\nst.global.u32 [%rd2], %r1;\nret;"),
                      1, 32);
  ASSERT_THAT(ran.faults, ElementsAre(FaultKind::barrier_divergence));
  EXPECT_EQ(ran.result.faults.all().begin()->second.message,
            "only 16 of 32 threads of a warp reached a barrier");
  EXPECT_EQ(ran.out[31], 31U);
}

TEST(Barriers, deadlock_if_too_few_threads_come) {
  const Ran ran = run(kernel("bar.sync 1, 96;\nret;"), 1, 64);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::deadlock));
}

// ---- Barriers of some threads

std::vector<std::string> messages(const Ran& ran) {
  std::vector<std::string> texts;
  for (const auto& [key, fault] : ran.result.faults.all()) texts.push_back(fault.message);
  return texts;
}

// %r5 is the warp. Each thread's result is 9 unless the body stores another number.
Ran run_warps(const std::string& body, std::uint32_t warps) {
  return run(kernel("shr.u32 %r5, %r1, 5;\nsetp.eq.u32 %p1, %r5, 1;\nsetp.ge.u32 %p2, %r5, 2;\n"
                    "setp.eq.u32 %p3, %r5, 0;\nmov.u32 %r6, 9;\n" +
                    body + "\nst.global.u32 [%rd2], %r6;\nret;"),
             1, 32 * warps);
}

TEST(BarriersOfSome, let_no_more_through_than_they_count) {
  // Two of three warps complete the barrier; the third warp waits in vain.
  const Ran three = run_warps("bar.sync 1, 64;", 3);
  EXPECT_THAT(three.faults, ElementsAre(FaultKind::deadlock));
  EXPECT_EQ(three.out[63], 9U);
  EXPECT_EQ(three.out[64], 0U);
  EXPECT_THAT(run_warps("bar.sync 1, 64;", 4).faults, IsEmpty());
  EXPECT_THAT(run_warps("bar.sync 1, 64;\nbar.sync 1, 64;", 3).faults, IsEmpty());
}

TEST(BarriersOfSome, are_complete_by_arrivals_alone) {
  // Warps 0 and 1 arrive and so complete the barrier; warp 2 then waits for the next round.
  const char* const body = "@!%p2 bar.arrive 1, 64;\nbar.sync 2;\n@%p2 bar.sync 1, 64;";
  EXPECT_THAT(run_warps(body, 3).faults, ElementsAre(FaultKind::deadlock));
  EXPECT_THAT(run_warps(body, 4).faults, IsEmpty());
}

TEST(BarriersOfSome, count_a_warp_of_which_lanes_have_left_as_a_whole_one) {
  const std::string left =
      "and.b32 %r7, %r1, 16;\nsetp.ne.u32 %p4, %r7, 0;\nand.pred %p4, %p4, %p3;\n@%p4 ret;\n";
  EXPECT_THAT(run_warps(left + "@%p3 bra FIRST;\nbarrier.sync 1, 64;\nbra END;\n"
                               "FIRST: barrier.arrive 1, 64;\nEND:",
                        2)
                  .faults,
              IsEmpty());
}

// A barrier waits for all live lanes of a warp, even if other lanes of the warp have arrived
// before.
TEST(BarriersOfSome, wait_for_the_last_lane_that_arrives) {
  const auto body = [](const char* last) {
    return std::string(
               "bar.sync 1, 64;\n@%p1 bra WAIT;\nsetp.eq.u32 %p4, %r1, 5;\n"
               "@%p4 bra LAST;\nbarrier.arrive 1, 64;\nbra END;\nLAST: ") +
           last + "bra END;\nWAIT: barrier.sync 1, 64;\nEND:";
  };
  EXPECT_THAT(run_warps(body("barrier.arrive 1, 64;\n"), 2).faults, IsEmpty());
  EXPECT_THAT(run_warps(body(""), 2).faults, Contains(FaultKind::deadlock));
}

// Half of warp 0 waits at barrier 1 until the other half exits. Warp 1 reaches barrier 2 in the
// meantime; warp 0 reaches barrier 2 only after barrier 1.
TEST(BarriersOfSome, are_complete_when_the_other_lanes_of_a_warp_have_left) {
  for (const char* const leaving : {"@%p4", "@!%p4"}) {
    const Ran ran = run_warps(
        "@%p1 bra LAST;\nand.b32 %r7, %r1, 16;\nsetp.eq.u32 %p4, %r7, 0;\n" + std::string(leaving) +
            " bra LEAVE;\nbarrier.sync 1, 32;\nbarrier.sync 2, 64;\n"
            "st.global.u32 [%rd2], %r6;\nret;\n"
            "LEAVE: st.global.u32 [%rd2], %r5;\nret;\nLAST: barrier.sync 2, 64;",
        2);
    EXPECT_THAT(ran.faults, IsEmpty()) << leaving;
    EXPECT_EQ(ran.out[0] + ran.out[16], 9U);
    EXPECT_EQ(ran.out[40], 9U);
  }
}

TEST(BarriersOfSome, count_each_time_anew) {
  // Warp 0 passes numbers to warp 1 through one word of shared memory. Barriers 1 and 2 tell the
  // warps when the word may be written and when it may be read.
  const Ran ran =
      run(kernel("setp.ge.u32 %p1, %r1, 32;\nmov.u32 %r5, slot;\nmov.u32 %r6, 0;\n"
                 "mov.u32 %r7, 0;\n"
                 "LOOP: add.u32 %r6, %r6, 1;\n@%p1 bra TAKE;\n"
                 "bar.sync 1, 64;\nsetp.eq.u32 %p2, %r1, 0;\n@%p2 st.shared.u32 [%r5], %r6;\n"
                 "bar.arrive 2, 64;\nbra NEXT;\n"
                 "TAKE: bar.arrive 1, 64;\nbar.sync 2, 64;\nld.shared.u32 %r8, [%r5];\n"
                 "add.u32 %r7, %r7, %r8;\n"
                 "NEXT: setp.lt.u32 %p3, %r6, 20;\n@%p3 bra LOOP;\n"
                 "st.global.u32 [%rd2], %r7;\nret;",
                 ".shared .align 4 .b8 slot[4];\n"),
          1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[40], 210U);
}

TEST(BarriersOfSome, wait_for_whole_warps) {
  // Halves of two warps do not make one warp.
  const std::string half = "and.b32 %r7, %r1, 16;\nsetp.eq.u32 %p4, %r7, 0;\n";
  EXPECT_THAT(run_warps(half + "@%p4 bra END;\nbarrier.sync 1, 32;\nEND:", 2).faults, IsEmpty());
  EXPECT_THAT(run_warps(half + "@%p4 bra LOOP;\nbarrier.sync 1, 32;\nbra END;\n"
                               "LOOP: bra LOOP;\nEND:",
                        2)
                  .faults,
              Not(IsEmpty()));
  // Each half may reach the barrier at its own instruction.
  EXPECT_THAT(run_warps(half + "@%p4 bra OTHER;\nbarrier.sync 1, 64;\nbra END;\n"
                               "OTHER: barrier.sync 1, 64;\nEND:",
                        2)
                  .faults,
              IsEmpty());
}

TEST(BarriersOfSome, have_one_number_of_threads) {
  const Ran ran = run_warps(
      "@%p2 bra MORE;\nbar.sync 1, 64;\nbra END;\n"
      "MORE: bar.sync 1, 96;\nEND:",
      5);
  EXPECT_THAT(ran.faults, IsEmpty());  // the two warps with the count 64 complete the barrier first

  const Ran differs = run_warps(
      "@%p1 bra MORE;\nbar.sync 1, 64;\nbra END;\n"
      "MORE: bar.sync 1, 96;\nEND:",
      2);
  EXPECT_THAT(differs.faults, ElementsAre(FaultKind::barrier_divergence));
  EXPECT_THAT(
      messages(differs),
      ElementsAre("reaches barrier 1 for 96 threads, but others wait there for 64 threads"));
  // The other warps wait for all threads of the block, with no count.
  const std::string either = "@%p1 bra MORE;\nbar.sync 0;\nbra END;\nMORE: bar.sync 0, 64;\nEND:";
  EXPECT_THAT(messages(run_warps(either, 3)),
              Contains("reaches barrier 0 for 64 threads, but others wait there for all threads"));
}

TEST(BarriersOfSome, count_whole_warps) {
  for (const char* const count : {"48", "0", "1", "4294967295"}) {
    const Ran ran = run_warps(std::string("mov.u32 %r7, ") + count + ";\nbar.sync 1, %r7;", 2);
    EXPECT_THAT(ran.faults, Contains(FaultKind::barrier_divergence)) << count;
    EXPECT_THAT(messages(ran), Contains(std::string("a barrier of ") + count +
                                        " threads, which has to be a multiple of 32 and the same "
                                        "in all threads of a warp"));
  }
  EXPECT_THAT(run_warps("bar.sync 1, %r1;", 1).faults, Contains(FaultKind::barrier_divergence));
  EXPECT_THAT(messages(run_warps("and.b32 %r7, %r1, 1;\nbar.sync %r7;", 1)),
              Contains("threads of a warp name different barriers"));
}

// The machine reports the wrong count. Zero does not mean all threads, which would never arrive.
TEST(BarriersOfSome, of_no_threads_hold_up_nobody) {
  const Ran ran =
      run_warps("@%p1 bra NEXT;\nmov.u32 %r7, 0;\nbar.sync 1, %r7;\nNEXT: bar.sync 2;", 2);
  EXPECT_THAT(messages(ran), ElementsAre(HasSubstr("a barrier of 0 threads")));
}

TEST(BarriersOfSome, are_not_reduced_and_waited_at) {
  const Ran ran = run_warps(
      "@%p1 bra WAIT;\nbar.red.popc.u32 %r7, 1, 64, %p1;\nbra END;\n"
      "WAIT: bar.sync 1, 64;\nEND:",
      2);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::barrier_divergence));
  EXPECT_THAT(messages(ran), ElementsAre(HasSubstr("one of which is bar.red")));
}

}  // namespace
}  // namespace bankproof::ptx
