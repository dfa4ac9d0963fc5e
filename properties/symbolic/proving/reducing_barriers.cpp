// Barriers that tell all threads of a block how many of them have something.
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Each thread writes a word of a tile; if some thread has read 0, all come to another barrier.
/// Then each thread reads the word of the thread that is opposite.
constexpr const char* some_have_zero = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 in)
{
.reg .pred %p<4>;
.reg .b32 %r<9>;
.reg .b64 %rd<4>;
.shared .align 4 .b8 tile[1024];
ld.param.u64 %rd1, [in];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
ld.global.u32 %r2, [%rd3];
mov.u32 %r3, tile;
mad.lo.s32 %r4, %r1, 4, %r3;
st.shared.u32 [%r4], %r2;
setp.eq.u32 %p1, %r2, 0;
barrier.red.or.pred %p2, 0, %p1;
@!%p2 bra READ;
bar.sync 0;
READ:
sub.s32 %r5, 255, %r1;
mad.lo.s32 %r6, %r5, 4, %r3;
ld.shared.u32 %r7, [%r6];
st.global.u32 [%rd3], %r7;
ret;
}
)";

Verdict verdict_on(const std::string& ptx, Claim claim) {
  Request request = request_for(ptx);
  request.shape.block = {256, 1, 1};
  request.claims = {claim};
  return prove(request).decisions.front().verdict;
}

TEST(ReducingBarriers, are_barriers_with_the_same_result_for_all_threads) {
  for (const Claim claim : {Claim::race, Claim::barriers, Claim::initialized}) {
    EXPECT_EQ(verdict_on(some_have_zero, claim), Verdict::proved) << name_of(claim);
  }
}

// Planted bugs: a barrier that some threads pass by, none at all, and one that is not of the block.
TEST(ReducingBarriers, that_are_missing_are_missed) {
  const std::string barrier = "barrier.red.or.pred %p2, 0, %p1;";
  EXPECT_EQ(verdict_on(planted(some_have_zero, "@!%p2 bra", "@!%p1 bra"), Claim::barriers),
            Verdict::refuted);
  EXPECT_EQ(verdict_on(planted(some_have_zero, barrier, "mov.pred %p2, 0;"), Claim::race),
            Verdict::refuted);
  EXPECT_EQ(
      verdict_on(planted(some_have_zero, barrier, "barrier.red.or.pred %p2, 1, %p1;"), Claim::race),
      Verdict::unsupported);
}

}  // namespace
}  // namespace bankproof::symbolic
