// Loops that the compiler unrolls: the number of iterations that are left over decides where the
// others begin.
#include "unrolled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

Decision decision_on_loop(const std::string& ptx, Claim claim) {
  Request request = request_for(ptx);
  request.shape.block = {256, 1, 1};
  request.where = {"arg1 >= 0", "arg1 <= 1 << 30", "gridDim.x <= 1 << 20"};
  request.buffers = {{"arg0", "u32:arg1"}};
  request.claims = {claim};
  return prove(request).decisions.front();
}

TEST(UnrolledLoops, end_below_the_size) {
  for (const Claim claim : {Claim::race, Claim::blocks, Claim::bounds, Claim::overflow}) {
    const Decision decision = decision_on_loop(unrolled_loop, claim);
    EXPECT_EQ(decision.verdict, Verdict::proved) << static_cast<int>(claim);
  }
}

// Planted bugs: an iteration more is left over, and the loop has one more element of each thread.
TEST(UnrolledLoops, with_a_wrong_number_of_iterations_are_refuted) {
  for (const std::string& text :
       {planted(unrolled_loop, "add.s32 %r11, %r10, 1;", "add.s32 %r11, %r10, 2;"),
        planted(unrolled_loop, "setp.lt.u32 %p4, %r10, 3;", "setp.lt.u32 %p4, %r10, 2;")}) {
    EXPECT_EQ(decision_on_loop(text, Claim::bounds).verdict, Verdict::refuted);
  }
}

Decision decision_on_march(const std::string& ptx, Claim claim) {
  Request request = request_for(ptx);
  request.shape.block = {256, 1, 1};
  request.where = {"arg1 >= 1", "arg2 >= 1", "arg1 <= 1 << 12", "arg2 <= 1 << 12"};
  request.buffers = {{"arg0", "u32:arg1*arg2"}};
  request.claims = {claim};
  return prove(request).decisions.front();
}

TEST(UnrolledLoops, leave_rows_over) {
  for (const Claim claim : {Claim::race, Claim::blocks, Claim::bounds, Claim::overflow}) {
    const Decision decision = decision_on_march(unrolled_march, claim);
    EXPECT_EQ(decision.verdict, Verdict::proved) << static_cast<int>(claim);
  }
}

// Planted bugs: the last of four rows is the first one of the next four, and the rest begins a row
// later.
TEST(UnrolledLoops, with_a_wrong_row_are_refuted) {
  for (const std::string& text :
       {planted(unrolled_march, "add.s64 %rd7, %rd6, %rd2;",
                "add.s64 %rd7, %rd6, %rd2;\nadd.s64 %rd7, %rd7, %rd2;"),
        planted(unrolled_march, "add.s64 %rd8, %rd1, %rd3;",
                "add.s64 %rd8, %rd1, %rd3;\nadd.s64 %rd8, %rd8, %rd2;")}) {
    EXPECT_EQ(decision_on_march(text, Claim::bounds).verdict, Verdict::refuted);
  }
}

// With a stated number of rows, the last iteration is a number.
TEST(UnrolledLoops, may_have_a_stated_number_of_iterations) {
  Request request = request_for(unrolled_march);
  request.shape.block = {256, 1, 1};
  request.where = {"arg1 >= 1", "arg1 <= 1 << 12", "arg2 == 4099"};
  request.buffers = {{"arg0", "u32:arg1*arg2"}};
  request.claims = {Claim::blocks, Claim::bounds};
  for (const Decision& decision : prove(request).decisions) {
    EXPECT_EQ(decision.verdict, Verdict::proved);
  }
}

/// Each thread of a block of 16 moves its word of a tile by a rule that no invariant says.
constexpr const char* levels = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.shared .align 4 .b8 tile[64];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, 0;
setp.eq.u32 %p1, %r1, 0;
@%p1 bra END;
LOOP:
mad.lo.s32 %r2, %r2, 5, %r3;
and.b32 %r2, %r2, 15;
bar.sync 0;
shl.b32 %r4, %r2, 2;
mov.u32 %r5, tile;
add.s32 %r4, %r4, %r5;
st.shared.u32 [%r4], %r3;
add.s32 %r3, %r3, 1;
setp.lt.u32 %p2, %r3, %r1;
@%p2 bra LOOP;
END:
ret;
}
)";

TEST(ShortLoops, are_written_out_as_the_hint_says) {
  Request request = request_for(levels);
  request.shape.block = {16, 1, 1};
  request.claims = {Claim::race};
  const Decision open = prove(request).decisions.front();
  EXPECT_EQ(open.verdict, Verdict::unknown);
  ASSERT_FALSE(open.findings.empty());
  EXPECT_THAT(open.findings.front().why, testing::HasSubstr("as by 'arg1 == 8'"));
  request.where = {"arg1 == 8"};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::proved);
}

}  // namespace
}  // namespace bankproof::symbolic
