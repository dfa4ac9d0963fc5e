// Kernels that take an index apart into digits, and put these together in another order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

using ::testing::HasSubstr;

/// Each thread i < a·b·c stores to the place of its digits in the order (x, z, y).
constexpr const char* rearranged = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry rearrange(.param .u64 out, .param .u32 a, .param .u32 b, .param .u32 c)
{
.reg .pred %p<2>;
.reg .b32 %r<24>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [a];
ld.param.u32 %r2, [b];
ld.param.u32 %r3, [c];
mov.u32 %r4, %tid.x;
mov.u32 %r5, %ctaid.x;
mov.u32 %r6, %ntid.x;
mad.lo.s32 %r7, %r5, %r6, %r4;
mul.lo.s32 %r8, %r1, %r2;
mul.lo.s32 %r9, %r8, %r3;
setp.ge.s32 %p1, %r7, %r9;
@%p1 bra END;
rem.s32 %r10, %r7, %r3;
div.s32 %r11, %r7, %r3;
rem.s32 %r12, %r11, %r2;
mul.lo.s32 %r13, %r2, %r3;
div.s32 %r14, %r7, %r13;
mad.lo.s32 %r15, %r14, %r3, %r10;
mad.lo.s32 %r16, %r15, %r2, %r12;
mul.wide.s32 %rd2, %r16, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r7;
END:
ret;
}
)";

Decision decision_on(const std::string& ptx, Claim claim) {
  Request request = request_for(ptx);
  request.claims = {claim};
  return prove(request).decisions.front();
}

TEST(Digits, in_another_order_are_of_one_thread) {
  for (const Claim claim : {Claim::race, Claim::blocks}) {
    const Decision decision = decision_on(rearranged, claim);
    EXPECT_EQ(decision.verdict, Verdict::proved);
    // The index is divided by b and by c, so neither may be 0.
    EXPECT_THAT(as_conditions(decision.within), HasSubstr("'1 <= arg2', 'arg2 <= 1 << "));
    EXPECT_THAT(as_conditions(decision.within), HasSubstr("'1 <= arg3', 'arg3 <= 1 << "));
  }
  // The last digit first: it has to be less than a, which the guard says.
  const std::string last_first = planted(
      planted(rearranged, "mad.lo.s32 %r15, %r14, %r3, %r10;", "mad.lo.s32 %r15, %r10, %r2, %r12;"),
      "mad.lo.s32 %r16, %r15, %r2, %r12;", "mad.lo.s32 %r16, %r15, %r1, %r14;");
  EXPECT_EQ(decision_on(last_first, Claim::race).verdict, Verdict::proved);
}

// Planted bugs: a wrong radix, a digit that is there twice, and no guard for the last digit.
TEST(Digits, that_are_lost_are_found) {
  const std::string place = "mad.lo.s32 %r16, %r15, %r2, %r12;";
  for (const std::string& bug : {std::string("mad.lo.s32 %r16, %r15, %r3, %r12;"),
                                 std::string("mad.lo.s32 %r16, %r15, %r2, %r10;")}) {
    EXPECT_EQ(decision_on(planted(rearranged, place, bug), Claim::race).verdict, Verdict::refuted)
        << bug;
  }
  const std::string unguarded =
      planted(planted(planted(rearranged, "mad.lo.s32 %r15, %r14, %r3, %r10;",
                              "mad.lo.s32 %r15, %r10, %r2, %r12;"),
                      place, "mad.lo.s32 %r16, %r15, %r1, %r14;"),
              "mul.lo.s32 %r9, %r8, %r3;", "mul.lo.s32 %r9, %r8, %r3; add.s32 %r9, %r9, 2;");
  EXPECT_EQ(decision_on(unguarded, Claim::race).verdict, Verdict::refuted);
}

// 28 and 784, as compilers divide by them.
TEST(Digits, of_constants_are_of_one_thread) {
  const std::string by_constants =
      planted(planted(planted(planted(rearranged, "ld.param.u32 %r2, [b];", "mov.u32 %r2, 28;"),
                              "ld.param.u32 %r3, [c];", "mov.u32 %r3, 28;"),
                      "div.s32 %r11, %r7, %r3;",
                      "mul.hi.s32 %r17, %r7, -1840700269; add.s32 %r18, %r17, %r7;\n"
                      "shr.u32 %r19, %r18, 31; shr.s32 %r20, %r18, 4; add.s32 %r11, %r20, %r19;"),
              "rem.s32 %r10, %r7, %r3;", "rem.u32 %r10, %r7, %r3;");
  const Decision decision = decision_on(by_constants, Claim::race);
  EXPECT_EQ(decision.verdict, Verdict::proved);
  EXPECT_EQ(decision_on(planted(by_constants, "mov.u32 %r3, 28;", "mov.u32 %r3, 27;"), Claim::race)
                .verdict,
            Verdict::refuted);
}

/// Each block stores a row of d words.
constexpr const char* rows = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry rows(.param .u64 out, .param .u32 d)
{
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [d];
mov.u32 %r2, %tid.x;
mov.u32 %r3, %ctaid.x;
setp.ge.s32 %p1, %r2, %r1;
@%p1 bra END;
mad.lo.s32 %r4, %r3, %r1, %r2;
mul.wide.s32 %rd2, %r4, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r2;
END:
ret;
}
)";

// The index of 32 bits wraps around for many blocks, so that the grid's size is bounded, too.
TEST(Digits, of_blocks_and_threads_are_of_one_block_of_a_grid_that_is_not_too_large) {
  const Decision decision = decision_on(rows, Claim::blocks);
  EXPECT_EQ(decision.verdict, Verdict::proved);
  EXPECT_THAT(as_conditions(decision.within), HasSubstr("'gridDim.x <= 1 << 15'"));
  EXPECT_TRUE(decision_on(rows, Claim::race).verdict == Verdict::proved);
  // If a condition bounds the grid, the proof assumes no bound of it.
  Request stated = request_for(rows);
  stated.claims = {Claim::blocks};
  stated.where = {"gridDim.x <= 1 << 12"};
  EXPECT_THAT(as_conditions(prove(stated).decisions.front().within),
              ::testing::Not(HasSubstr("gridDim")));
  // A planted bug: rows overlap.
  const std::string overlapping =
      planted(rows, "setp.ge.s32 %p1, %r2, %r1;", "setp.gt.s32 %p1, %r2, %r1;");
  EXPECT_EQ(decision_on(overlapping, Claim::blocks).verdict, Verdict::refuted);
}

}  // namespace
}  // namespace bankproof::symbolic
