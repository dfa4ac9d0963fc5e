// Cases that are rare in kernels: exited lanes, masks that differ between lanes, partial warps, and
// launches that stop. The mutations that survived the other tests concerned these cases.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* tile = ".shared .align 4 .b8 tile[512];\n";

// %r20 is the address of the thread's word of the tile.
std::string with_tile(const std::string& body) {
  return kernel(std::string(tile) + "mov.u32 %r20, tile;\nmad.lo.u32 %r20, %r1, 4, %r20;\n" + body);
}

// The fences make the judge use the clocks of single threads.
TEST(EndedLanes, take_part_in_barriers_of_their_warp) {
  const Ran ran =
      run(with_tile("fence.acq_rel.gpu;\nst.shared.u32 [%r20], %r1;\nsetp.ge.u32 %p1, %r1, 16;\n"
                    "@%p1 exit;\nbar.warp.sync -1;\nld.shared.u32 %r5, [%r20+64];\n"
                    "st.global.u32 [%rd2], %r5;\nret;"),
          1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[3], 19U);
}

TEST(EndedLanes, take_part_in_barriers_of_their_block) {
  for (const char* const barrier : {"bar.sync 0;\n", ""}) {
    const Ran ran = run(with_tile("fence.acq_rel.gpu;\nst.shared.u32 [%r20], %r1;\n"
                                  "setp.ge.u32 %p1, %r1, 32;\n@%p1 exit;\n" +
                                  std::string(barrier) +
                                  "ld.shared.u32 %r5, [%r20+128];\n"
                                  "st.global.u32 [%rd2], %r5;\nret;"),
                        1, 64);
    if (*barrier == '\0') {
      EXPECT_THAT(ran.faults, Contains(FaultKind::race));
    } else {
      EXPECT_THAT(ran.faults, IsEmpty());
      EXPECT_EQ(ran.out[3], 35U);
    }
  }
}

// The second warp has 8 threads, but counts as 32.
TEST(Barriers, count_whole_warps_that_arrive) {
  const Ran ran = run(with_tile("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra FIRST;\n"
                                "st.shared.u32 [%r20], %r1;\nbar.arrive 1, 64;\nret;\n"
                                "FIRST: bar.sync 1, 64;\nand.b32 %r5, %r1, 7;\n"
                                "mov.u32 %r6, tile;\nmad.lo.u32 %r6, %r5, 4, %r6;\n"
                                "ld.shared.u32 %r7, [%r6+128];\nst.global.u32 [%rd2], %r7;\nret;"),
                      1, 40);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[9], 33U);
}

TEST(Collectives, of_full_warps_still_ask_each_lane_for_its_mask) {
  // Lane 5 omits lane 3 from its mask; the masks of the other lanes contain lane 5.
  const Ran ran = run(kernel("mov.u32 %r5, 0xFFFFFFFF;\nsetp.eq.u32 %p1, %r1, 5;\n"
                             "@%p1 mov.u32 %r5, 0xFFFFFFF7;\n"
                             "shfl.sync.idx.b32 %r6, %r1, 3, 31, %r5;\n"
                             "st.global.u32 [%rd2], %r6;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::deadlock));
  EXPECT_EQ(ran.result.faults.all().begin()->second.message,
            "waits for lanes of its mask that pass another mask");
}

// The second half waits for the first half with a mask of all lanes. The first half executes the
// shuffle twice: once with a mask of the first half, then with the mask of all lanes.
TEST(Collectives, wait_for_lanes_that_come_again_with_the_mask) {
  const Ran ran = run(kernel("and.b32 %r5, %r1, 16;\nmov.u32 %r6, 0xFFFF;\n"
                             "setp.eq.u32 %p1, %r5, 16;\n@%p1 mov.u32 %r6, -1;\n"
                             "mov.u32 %r7, %r1;\nAGAIN: shfl.sync.bfly.b32 %r7, %r7, 1, 31, %r6;\n"
                             "setp.eq.u32 %p2, %r6, -1;\nmov.u32 %r6, -1;\n@!%p2 bra AGAIN;\n"
                             "st.global.u32 [%rd2], %r7;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(ran.out[lane], lane < 16 ? lane : lane ^ 1U) << lane;
  }
}

// The second half executes a vote whose mask does not contain it; it does not wait for the lanes in
// the mask.
TEST(Collectives, do_not_hold_up_lanes_that_are_not_in_their_mask) {
  const Ran ran = run(kernel("setp.lt.u32 %p1, %r1, 16;\n@%p1 bra END;\n"
                             "vote.sync.ballot.b32 %r5, 1, 0xFFFF;\n"
                             "END: bar.sync 0;\nst.global.u32 [%rd2], %r1;\nret;"),
                      1, 32);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::inactive_lane));
  EXPECT_EQ(ran.out[20], 20U);
}

// Lane 0 waits at the reconvergence point for the second lane. The second lane waits for the value
// that lane 0 stores after this point.
TEST(Splits, go_on_without_lanes_that_count_while_they_wait) {
  const Ran ran = run(kernel("mov.u32 %r5, 0;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra MEET;\n"
                             "WAIT: add.u32 %r5, %r5, 1;\nld.volatile.global.u32 %r6, [%rd1+8];\n"
                             "setp.eq.u32 %p2, %r6, 0;\n@%p2 bra WAIT;\n"
                             "MEET: setp.ne.u32 %p3, %r1, 0;\n@%p3 bra END;\nmov.u32 %r7, 1;\n"
                             "st.volatile.global.u32 [%rd1+8], %r7;\n"
                             "END: st.global.u32 [%rd2], %r5;\nret;"),
                      1, 2, 3);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_EQ(ran.out[0], 0U);
  EXPECT_GT(ran.out[1], 0U);
}

TEST(Launches, that_stop_count_the_same_on_several_threads) {
  const std::string text =
      kernel("setp.eq.u32 %p1, %r3, 7;\n@%p1 trap;\nst.global.u32 [%rd2], %r2;\nret;");
  const Ran one = run(text, 200, 32);
  EXPECT_THAT(one.faults, ElementsAre(FaultKind::trap));
  for (int round = 0; round < 5; ++round) {
    const Ran four = run(text, 200, 32, 0, with_threads(4));
    EXPECT_EQ(four.result.visits, one.result.visits);
    EXPECT_EQ(four.out, one.out);
  }
}

TEST(Variables, can_hold_the_bytes_of_an_address) {
  const Ran ran =
      run(kernel("mov.u64 %rd3, word;\nld.global.u64 %rd4, [bytes];\nsetp.eq.u64 %p1, %rd3, %rd4;\n"
                 "selp.u32 %r5, 1, 0, %p1;\nst.global.u32 [%rd2], %r5;\nret;",
                 ".global .align 4 .u32 first = 1;\n.global .align 4 .u32 word = 2;\n"
                 ".global .align 8 .u8 bytes[8] = {0xFF(word), 0xFF00(word), 0xFF0000(word), "
                 "0xFF000000(word), 0xFF00000000(word), 0xFF0000000000(word), "
                 "0xFF000000000000(word), 0xFF00000000000000(word)};\n"),
          1, 32);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(1U));
}

TEST(SpecialRegisters, of_lanes_are_masks_of_those_on_either_side) {
  struct Case {
    const char* name;
    std::function<std::uint32_t(std::uint32_t)> expected;
  };
  const std::vector<Case> cases{
      {"%lanemask_eq", [](std::uint32_t lane) { return 1U << lane; }},
      {"%lanemask_lt", [](std::uint32_t lane) { return (1U << lane) - 1; }},
      {"%lanemask_le", [](std::uint32_t lane) { return (1U << lane) - 1 + (1U << lane); }},
      {"%lanemask_gt", [](std::uint32_t lane) { return 0U - (1U << lane) - (1U << lane); }},
      {"%lanemask_ge", [](std::uint32_t lane) { return 0U - (1U << lane); }},
  };
  for (const Case& c : cases) {
    const Ran ran =
        run(kernel(std::string("mov.u32 %r5, ") + c.name + ";\nst.global.u32 [%rd2], %r5;\nret;"),
            1, 32);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(ran.out[lane], c.expected(lane)) << c.name << lane;
    }
  }
}

// %total_smem_size is a multiple of the allocation unit, 128 bytes.
TEST(Variables, of_shared_memory_are_aligned_and_counted) {
  const Ran ran = run(kernel(".shared .align 1 .b8 one[1];\n.shared .align 8 .b8 eight[8];\n"
                             "mov.u32 %r5, one;\nst.shared.u8 [%r5], %r1;\n"
                             "mov.u32 %r6, eight;\nst.shared.u64 [%r6], %rd1;\n"
                             "mov.u32 %r7, %total_smem_size;\n"
                             "st.global.u32 [%rd1], %r5;\nst.global.u32 [%rd1+4], %r6;\n"
                             "st.global.u32 [%rd1+8], %r7;\nret;"),
                      1, 1, 3);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, ElementsAre(0U, 8U, 128U));
}

TEST(Variables, of_floats_take_the_values_of_longer_constants) {
  const Ran ran = run(kernel("ld.global.u32 %r5, [x];\nld.global.u32 %r6, [x+4];\n"
                             "st.global.u32 [%rd1], %r5;\nst.global.u32 [%rd1+4], %r6;\nret;",
                             ".global .f32 x[2] = {0d3FF8000000000000, 0f40000000};\n"),
                      1, 1, 2);
  EXPECT_THAT(ran.out, ElementsAre(0x3FC00000U, 0x40000000U));
}

}  // namespace
}  // namespace bankproof::ptx
