// Kernels whose indices are products of three sizes, and loops of many accesses.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Stores to each element of an array of three dimensions, one thread for each.
constexpr const char* volume_fill = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 nx, .param .u32 ny, .param .u32 nz)
{
.reg .pred %p<6>;
.reg .b32 %r<20>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [nx];
ld.param.u32 %r2, [ny];
ld.param.u32 %r3, [nz];
mov.u32 %r4, %tid.x;
mov.u32 %r5, %ctaid.x;
mov.u32 %r6, %ntid.x;
mad.lo.s32 %r7, %r5, %r6, %r4;
mov.u32 %r8, %tid.y;
mov.u32 %r9, %ctaid.y;
mov.u32 %r10, %ntid.y;
mad.lo.s32 %r11, %r9, %r10, %r8;
mov.u32 %r12, %tid.z;
mov.u32 %r13, %ctaid.z;
mov.u32 %r14, %ntid.z;
mad.lo.s32 %r15, %r13, %r14, %r12;
setp.ge.s32 %p1, %r7, %r1;
setp.ge.s32 %p2, %r11, %r2;
setp.ge.s32 %p3, %r15, %r3;
or.pred %p4, %p1, %p2;
or.pred %p5, %p3, %p4;
@%p5 bra END;
mad.lo.s32 %r16, %r15, %r2, %r11;
mad.lo.s32 %r17, %r16, %r1, %r7;
mul.wide.s32 %rd2, %r17, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r4;
END:
ret;
}
)";

/// Threads of one plane march through a volume, two elements at once, and meet behind each step.
/// Only those inside the plane store, and only their index goes on.
constexpr const char* volume_march = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry march(.param .u64 out, .param .u32 nx, .param .u32 ny, .param .u32 nz)
{
.reg .pred %p<6>;
.reg .b32 %r<24>;
.reg .b64 %rd<8>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [nx];
ld.param.u32 %r2, [ny];
ld.param.u32 %r3, [nz];
mov.u32 %r4, %tid.x;
mov.u32 %r5, %ctaid.x;
mov.u32 %r6, %ntid.x;
mad.lo.s32 %r7, %r5, %r6, %r4;
mov.u32 %r8, %tid.y;
mov.u32 %r9, %ctaid.y;
mov.u32 %r10, %ntid.y;
mad.lo.s32 %r11, %r9, %r10, %r8;
setp.ge.s32 %p1, %r7, %r1;
setp.ge.s32 %p2, %r11, %r2;
or.pred %p3, %p1, %p2;
mad.lo.s32 %r12, %r11, %r1, %r7;
mul.lo.s32 %r13, %r1, %r2;
shr.u32 %r14, %r3, 1;
setp.eq.s32 %p4, %r14, 0;
@%p4 bra END;
LOOP:
@%p3 bra MEET;
mul.wide.s32 %rd2, %r12, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r4;
add.s32 %r12, %r12, %r13;
MEET:
bar.sync 0;
@%p3 bra NEXT;
mul.wide.s32 %rd4, %r12, 4;
add.s64 %rd5, %rd1, %rd4;
st.global.u32 [%rd5], %r4;
add.s32 %r12, %r12, %r13;
NEXT:
add.s32 %r14, %r14, -1;
setp.ne.s32 %p5, %r14, 0;
@%p5 bra LOOP;
END:
ret;
}
)";

/// Blocks of 16 × 16 threads store to a corner of their tiles of 64 × 64 words.
constexpr const char* tiles_fill = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry tiles(.param .u64 out, .param .u32 rows, .param .u32 columns)
{
.reg .b32 %r<12>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [columns];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
mad.lo.u32 %r4, %r3, 64, %r2;
mov.u32 %r5, %tid.y;
mov.u32 %r6, %ctaid.y;
mad.lo.u32 %r7, %r6, 64, %r5;
mad.lo.u32 %r8, %r7, %r1, %r4;
mul.wide.u32 %rd2, %r8, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r2;
ret;
}
)";

Request request_for_tiles(const std::string& text) {
  Request request = request_for(text);
  request.shape.block = {16, 16, 1};
  request.where = {"arg1 == 64 * gridDim.y", "arg2 == 64 * gridDim.x"};
  request.buffers = {{"arg0", "u32:arg1*arg2"}};
  request.claims = {Claim::blocks};
  return request;
}

/// Each thread of a block stores to a row of 600 words, one after the other.
constexpr const char* rows_fill = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry rows(.param .u64 out)
{
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.lo.s32 %r2, %r1, 600;
mov.u32 %r3, 0;
LOOP:
add.s32 %r4, %r2, %r3;
mul.wide.s32 %rd2, %r4, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r3;
st.global.u32 [%rd3+4], %r3;
st.global.u32 [%rd3+8], %r3;
add.s32 %r3, %r3, 3;
setp.lt.s32 %p1, %r3, 360;
@%p1 bra LOOP;
ret;
}
)";

TEST(Volumes, are_small_ones_where_nothing_states_their_sizes) {
  Request request = request_for(volume_fill);
  request.claims = {Claim::race, Claim::blocks};
  const KernelProof proof = prove(request);
  for (const Decision& one : proof.decisions) {
    EXPECT_EQ(one.verdict, Verdict::proved);
    EXPECT_EQ(one.within, (SizeBounds{{"arg1", {.exponent = 10}},
                                      {"arg2", {.exponent = 10}},
                                      {"arg3", {.exponent = 10}}}));
  }
}

// A planted bug: threads beyond a row store, too.
TEST(Volumes, of_which_two_threads_have_one_element_are_refuted) {
  Request request =
      request_for(planted(volume_fill, "or.pred %p5, %p3, %p4;", "or.pred %p5, %p3, %p2;"));
  request.claims = {Claim::race};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::refuted);
}

TEST(Volumes, through_which_active_threads_march_have_an_element_for_each_step) {
  Request request = request_for(volume_march);
  request.shape.block = {16, 8, 1};
  request.claims = {Claim::race, Claim::blocks, Claim::bounds};
  request.buffers = {{"arg0", "u32:arg1*arg2*arg3"}};
  for (const Decision& one : prove(request).decisions) {
    EXPECT_EQ(one.verdict, Verdict::proved) << name_of(one.claim);
  }
}

// A planted bug: a step is as many rows as these are long.
TEST(Volumes, through_which_threads_march_by_less_than_a_plane_are_refuted) {
  Request request = request_for(
      planted(volume_march, "mul.lo.s32 %r13, %r1, %r2;", "mul.lo.s32 %r13, %r1, %r1;"));
  request.shape.block = {16, 8, 1};
  request.claims = {Claim::blocks};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::refuted);
}

// Rows and columns have no bounds of their own, because they are multiples of the grid.
TEST(Tiles, are_apart_in_buffers_that_an_index_of_32_bits_reaches) {
  const Decision blocks = prove(request_for_tiles(tiles_fill)).decisions.front();
  EXPECT_EQ(blocks.verdict, Verdict::proved);
  const auto bound = blocks.within.find("arg1*arg2");
  ASSERT_NE(bound, blocks.within.end()) << as_conditions(blocks.within);
  EXPECT_EQ(bound->second, (SizeBound{.exponent = 30}));
  // What is printed can be stated. Nothing has to be assumed then.
  Request stated = request_for_tiles(tiles_fill);
  stated.where.emplace_back("arg1*arg2 <= 1 << 30");
  const Decision all = prove(stated).decisions.front();
  EXPECT_EQ(all.verdict, Verdict::proved);
  EXPECT_TRUE(all.within.empty()) << as_conditions(all.within);
}

// A planted bug: tiles are 15 rows apart.
TEST(Tiles, that_overlap_are_refuted_in_such_buffers) {
  const std::string planted_bug =
      planted(tiles_fill, "mad.lo.u32 %r7, %r6, 64, %r5;", "mad.lo.u32 %r7, %r6, 15, %r5;");
  EXPECT_EQ(prove(request_for_tiles(planted_bug)).decisions.front().verdict, Verdict::refuted);
}

TEST(LoopsOfManyAccesses, are_not_written_out) {
  Request request = request_for(rows_fill);
  request.claims = {Claim::race};
  const KernelProof proof = prove(request);
  EXPECT_EQ(proof.decisions.front().verdict, Verdict::proved);
  // The pairs of three accesses, and few more.
  EXPECT_LT(proof.decisions.front().subjects, 20U);
}

// A planted bug: the last store of a row is to the row of the next thread.
TEST(LoopsOfManyAccesses, that_leave_their_rows_are_refuted) {
  Request request =
      request_for(planted(rows_fill, "setp.lt.s32 %p1, %r3, 360;", "setp.lt.s32 %p1, %r3, 603;"));
  request.claims = {Claim::race};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::refuted);
}

}  // namespace
}  // namespace bankproof::symbolic
