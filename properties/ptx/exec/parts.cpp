// Instructions that only some lanes of a warp execute, and loops in which only some lanes run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// ---- Lanes that take part in a shuffle

TEST(PartsOfWarps, shuffle_among_the_lanes_of_their_mask) {
  // Lane 15 has no lane above it in the mask; the upper half takes no part.
  const Ran ran = run(kernel("mov.u32 %r6, 9;\nsetp.ge.u32 %p1, %r1, 16;\n@%p1 bra END;\n"
                             "shfl.sync.down.b32 %r5|%p2, %r1, 1, 15, 0xFFFF;\n"
                             "selp.u32 %r6, 100, 0, %p2;\nadd.u32 %r6, %r6, %r5;\n"
                             "END: st.global.u32 [%rd2], %r6;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(ran.out[lane], lane >= 16 ? 9U : lane == 15 ? 15U : lane + 101) << lane;
  }
}

TEST(PartsOfWarps, shuffle_from_the_last_lane) {
  const Ran ran = run(kernel("shfl.sync.idx.b32 %r5|%p2, %r1, 31, 31, -1;\n"
                             "selp.u32 %r6, 100, 0, %p2;\nadd.u32 %r6, %r6, %r5;\n"
                             "st.global.u32 [%rd2], %r6;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(131U));
}

TEST(PartsOfWarps, keep_their_own_values_where_they_read_lanes_that_take_no_part) {
  // The mask contains lanes 0 to 7. Lanes 3 and 7 read a lane outside the mask.
  const Ran ran = run(kernel("mov.u32 %r6, 9;\nsetp.ge.u32 %p1, %r1, 8;\n@%p1 bra END;\n"
                             "and.b32 %r7, %r1, 3;\nsetp.eq.u32 %p2, %r7, 3;\n"
                             "selp.u32 %r8, 20, 0, %p2;\n"
                             "shfl.sync.idx.b32 %r6, %r1, %r8, 31, 0xFF;\n"
                             "END: st.global.u32 [%rd2], %r6;\nret;"),
                      1, 32);
  ASSERT_THAT(ran.faults, ElementsAre(FaultKind::inactive_lane));
  const Fault& fault = ran.result.faults.all().begin()->second;
  EXPECT_EQ(fault.thread.thread, 3U);
  EXPECT_EQ(fault.message, "lane 3 reads a lane that is outside its mask or has exited");
  EXPECT_EQ(fault.count, 2U);
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(ran.out[lane], lane % 4 == 3 ? lane : 0U) << lane;
  }
}

TEST(PartsOfWarps, of_no_lanes_go_on_with_the_next_instruction) {
  for (const std::string mask : {"-1", "1"}) {
    const Ran ran = run(kernel("mov.u32 %r5, 7;\nsetp.gt.u32 %p1, %r1, 99;\n"
                               "@%p1 shfl.sync.idx.b32 %r5, %r1, 0, 31, " +
                               mask +
                               ";\nadd.u32 %r5, %r5, 1;\nadd.u32 %r5, %r5, 2;\n"
                               "st.global.u32 [%rd2], %r5;\nret;"),
                        1, 32);
    EXPECT_THAT(ran.faults, IsEmpty());
    EXPECT_THAT(ran.out, Each(10U));
  }
  // A single lane, lane 0, executes a shuffle.
  const Ran one = run(kernel("mov.u32 %r5, 7;\nsetp.eq.u32 %p1, %r1, 0;\n"
                             "@%p1 shfl.sync.idx.b32 %r5, %r4, 0, 31, 1;\n"
                             "st.global.u32 [%rd2], %r5;\nret;"),
                      1, 32);
  EXPECT_THAT(one.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(one.out[lane], lane == 0 ? 32U : 7U);
}

// Lane 0 waits at a copy of the instruction with the same mask; lane 1 is missing.
TEST(PartsOfWarps, say_whom_they_wait_for_in_vain) {
  const auto message = [](const std::string& other) {
    const Ran ran =
        run(kernel("setp.eq.u32 %p1, %r1, 0;\n@%p1 bra ONE;\n"
                   "setp.gt.u32 %p2, %r1, 1;\n@%p2 bra END;\n" +
                   other + "\nONE: shfl.sync.idx.b32 %r5, %r1, 0, 31, 3;\nbra END;\nEND: ret;"),
            1, 32);
    std::string text;
    for (const auto& [key, fault] : ran.result.faults.all()) text += fault.message + "\n";
    return text;
  };
  EXPECT_THAT(message("LOOP: bra LOOP;"), ::testing::HasSubstr("that do not come"));
  EXPECT_THAT(message("shfl.sync.idx.b32 %r5, %r1, 0, 31, 7;\nbra END;"),
              ::testing::HasSubstr("that pass another mask"));
}

// A lane that exits while others wait for it no longer takes part.
TEST(PartsOfWarps, do_not_wait_for_lanes_that_leave) {
  const Ran ran = run(kernel("setp.ge.u32 %p1, %r1, 16;\n@%p1 bra LEAVE;\n"
                             "redux.sync.add.u32 %r5, %r1, -1;\nst.global.u32 [%rd2], %r5;\nret;\n"
                             "LEAVE: st.global.u32 [%rd2], %r1;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(ran.out[lane], lane < 16 ? 120U : lane);
}

// ---- Lanes that others wait for

// While a loop counts, the other lanes wait at the reconvergence point.
TEST(PartsOfWarps, that_count_for_long_are_waited_for) {
  const Ran ran = run(kernel("mov.u32 %r5, 0;\nmov.u32 %r7, 0;\nsetp.ge.u32 %p1, %r1, 16;\n"
                             "@%p1 bra MEET;\n"
                             "LOOP: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 5000;\n"
                             "@%p2 bra LOOP;\n"
                             "MEET: activemask.b32 %r7;\nst.global.u32 [%rd2], %r7;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(all_lanes));
}

// After a change, the machine finds an endless loop equally soon, however long the warp ran before.
TEST(PartsOfWarps, that_never_end_are_soon_found_behind_a_long_loop) {
  const auto instructions = [](const std::string& turns) {
    const Ran ran = run(kernel("mov.u32 %r5, 0;\n"
                               "COUNT: add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, " +
                               turns +
                               ";\n@%p1 bra COUNT;\nst.global.u32 [%rd2], %r5;\n"
                               "LOOP: ld.volatile.global.u32 %r6, [%rd2];\n"
                               "setp.ne.u32 %p2, %r6, 0;\n@%p2 bra LOOP;\nret;"),
                        1, 32);
    EXPECT_THAT(ran.faults, ElementsAre(FaultKind::deadlock));
    return ran.result.thread_instructions;
  };
  const std::uint64_t counting = std::uint64_t{3} * 32 * 20000;
  EXPECT_LT(instructions("20000"), instructions("1") + counting + counting / 4);
}

// A state that repeats only after three turns of the loop also counts as repeated.
TEST(PartsOfWarps, that_go_round_in_several_turns_never_end) {
  RunOptions options;
  options.most_instructions = 10'000'000;
  const Ran ran = run(kernel("mov.u32 %r5, 0;\n"
                             "LOOP: add.u32 %r5, %r5, 1;\nsetp.eq.u32 %p1, %r5, 3;\n"
                             "@%p1 mov.u32 %r5, 0;\nld.volatile.global.u32 %r6, [%rd2];\n"
                             "setp.eq.u32 %p2, %r6, 0;\n@%p2 bra LOOP;\nret;"),
                      1, 32, 0, options);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::deadlock));
}

// Each warp takes numbers from a counter, and writes its own number at each. The lengths of runs of
// one warp show how long the warp runs before the other warp runs.
TEST(PartsOfWarps, have_turns_of_one_length_or_as_the_schedule_draws_it) {
  const auto owners = [](std::uint64_t schedule) {
    return run(kernel("shr.u32 %r5, %r1, 5;\nand.b32 %r6, %r1, 31;\nsetp.eq.u32 %p1, %r6, 0;\n"
                      "mov.u32 %r7, 0;\n"
                      "LOOP: @%p1 atom.global.add.u32 %r8, [%rd1], 1;\n"
                      "mul.wide.u32 %rd3, %r8, 4;\nadd.s64 %rd3, %rd3, %rd1;\n"
                      "@%p1 st.global.u32 [%rd3+4], %r5;\nadd.u32 %r7, %r7, 1;\n"
                      "setp.lt.u32 %p2, %r7, 256;\n@%p2 bra LOOP;\nret;"),
               1, 64, 513, with_schedule(schedule))
        .out;
  };
  const auto turns = [&](std::uint64_t schedule) {
    const std::vector<std::uint32_t> out = owners(schedule);
    std::vector<std::uint32_t> lengths{0};
    for (std::uint32_t k = 1; k <= 512; ++k) {
      if (k > 1 && out[k] != out[k - 1]) lengths.push_back(0);
      ++lengths.back();
    }
    return lengths;
  };
  EXPECT_THAT(turns(0), Each(64U));
  EXPECT_EQ(turns(0).size(), 8U);
  for (const std::uint64_t schedule : {1U, 2U}) {
    const std::vector<std::uint32_t> drawn = turns(schedule);
    EXPECT_EQ(drawn, turns(schedule));
    EXPECT_GT(drawn.size(), 8U);
    EXPECT_GT(*std::max_element(drawn.begin(), drawn.end()), 2U);
  }
  EXPECT_NE(turns(1), turns(2));
}

// The loop counts in memory: its registers are the same after each turn, but memory has changed.
TEST(PartsOfWarps, that_count_in_memory_do_end) {
  for (const std::string count : {"ld.volatile.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, 1;\n"
                                  "st.volatile.global.u32 [%rd2], %r5;\n",
                                  "@%p3 red.global.add.u32 [%rd2], 1;\n"}) {
    const Ran ran = run(kernel("setp.eq.u32 %p3, %r3, %r3;\nLOOP: " + count +
                               "ld.volatile.global.u32 %r5, [%rd2];\n"
                               "setp.lt.u32 %p1, %r5, 20000;\nmov.u32 %r5, 0;\n@%p1 bra LOOP;\n"
                               "ret;"),
                        1, 32);
    EXPECT_THAT(ran.faults, IsEmpty());
    EXPECT_THAT(ran.out, Each(20000U));
  }
}

}  // namespace
}  // namespace bankproof::ptx
