// Loops whose registers follow no rule, but are the same for all threads of a block.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Adds up to 256 numbers: the upper half of m words is added to the lower one, as long as m > 1;
/// of an odd number of words, the one in the middle waits.
constexpr const char* halves = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry _Z6halvesPii(.param .u64 out, .param .u32 n)
{
.reg .pred %p<5>;
.reg .b32 %r<16>;
.reg .f32 %f<4>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 words[1024];
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, words;
mad.lo.u32 %r4, %r2, 4, %r3;
st.shared.u32 [%r4], %r2;
mov.u32 %r5, %r1;
bar.sync 0;
setp.lt.s32 %p1, %r5, 2;
@%p1 bra END;
LOOP:
add.s32 %r6, %r5, 1;
shr.s32 %r7, %r6, 1;
shr.s32 %r8, %r5, 1;
setp.ge.s32 %p2, %r2, %r8;
@%p2 bra NEXT;
mad.lo.u32 %r9, %r7, 4, %r4;
ld.shared.u32 %r10, [%r9];
ld.shared.u32 %r11, [%r4];
add.u32 %r12, %r10, %r11;
st.shared.u32 [%r4], %r12;
NEXT:
bar.sync 0;
mov.u32 %r5, %r7;
setp.gt.s32 %p3, %r5, 1;
@%p3 bra LOOP;
END:
ret;
}
)";

std::map<Claim, Verdict> verdicts_of_loop(const std::string& text, std::vector<Claim> claims,
                                          std::vector<std::string> where = {"arg1 <= 256"}) {
  Request request = request_for(text);
  request.claims = std::move(claims);
  request.shape.block = {256, 1, 1};
  request.shape.grid = {1, 1, 1};
  request.where = std::move(where);
  std::map<Claim, Verdict> found;
  for (const Decision& one : prove(request).decisions) found[one.claim] = one.verdict;
  return found;
}

TEST(UniformLoops, have_the_same_iterations_for_all_threads) {
  for (const auto& [claim, verdict] : verdicts_of_loop(
           halves, {Claim::race, Claim::barriers, Claim::bounds, Claim::initialized})) {
    EXPECT_EQ(verdict, Verdict::proved) << name_of(claim);
  }
  // Floating point, which is not followed, makes m; a barrier behind the loop depends on the last
  // m.
  const std::string rounded =
      planted(halves, "mov.u32 %r5, %r7;",
              "cvt.rn.f32.s32 %f1, %r7; mul.f32 %f2, %f1, 0f3F000000; cvt.rzi.s32.f32 %r5, %f2;");
  EXPECT_EQ(verdicts_of_loop(rounded, {Claim::barriers}).at(Claim::barriers), Verdict::proved);
  const std::string behind =
      planted(halves, "END:", "setp.eq.s32 %p4, %r5, 0; @%p4 bra END; bar.sync 0;\nEND:");
  EXPECT_EQ(verdicts_of_loop(behind, {Claim::barriers}).at(Claim::barriers), Verdict::proved);
}

TEST(UniformLoops, begin_step_and_end_alike) {
  struct Bug {
    Claim claim;
    const char* old;
    const char* bug;
  };
  const Bug bugs[] = {
      {Claim::barriers, "mov.u32 %r5, %r1;", "sub.u32 %r5, %r1, %r2;"},
      {Claim::barriers, "add.s32 %r6, %r5, 1;", "add.s32 %r6, %r5, %r2;"},
      {Claim::barriers, "@%p2 bra NEXT;", "mov.u32 %r7, 1; @%p2 bra NEXT; mov.u32 %r7, %r8;"},
      {Claim::barriers, "mov.u32 %r5, %r7;", "cvt.rn.f32.s32 %f1, %r2; cvt.rzi.s32.f32 %r5, %f1;"},
      {Claim::barriers, "setp.gt.s32 %p3, %r5, 1;", "setp.gt.s32 %p3, %r5, %r2;"},
      {Claim::barriers,
       "END:", "bra OVER;\nEND: ret;\nOVER: setp.eq.s32 %p4, %r12, 7; @%p4 bra END; bar.sync 0;"},
      // Halves that meet; too many words
      {Claim::race, "shr.s32 %r7, %r6, 1;\nshr.s32 %r8, %r5, 1;",
       "shr.s32 %r7, %r5, 1;\nshr.s32 %r8, %r6, 1;"},
      {Claim::race, "NEXT:\nbar.sync 0;", "NEXT:"},
      {Claim::bounds, "mov.u32 %r5, %r1;", "add.u32 %r5, %r1, 256;"},
      {Claim::bounds, "shr.s32 %r7, %r6, 1;", "mov.u32 %r7, %r6;"}};
  for (const Bug& bug : bugs) {
    const std::string text = planted(halves, bug.old, bug.bug);
    EXPECT_NE(verdicts_of_loop(text, {bug.claim}).at(bug.claim), Verdict::proved) << bug.bug;
  }
}

/// Each thread counts in its own number of iterations, and writes where its last count says.
constexpr const char* counts = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry counts(.param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<6>;
.reg .f32 %f<2>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, 0;
LOOP:
setp.eq.u32 %p1, %r1, %r2;
bar.red.popc.u32 %r3, 0, %p1;
add.u32 %r2, %r2, 1;
setp.le.u32 %p2, %r2, %r1;
@%p2 bra LOOP;
cvt.rn.f32.u32 %f1, %r3;
cvt.rzi.u32.f32 %r4, %f1;
mul.wide.u32 %rd2, %r4, 4;
add.u64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r1;
ret;
}
)";

// The last result of a barrier is the same only if the last iteration is.
TEST(UniformLoops, end_alike_if_their_last_results_are_the_same) {
  EXPECT_NE(verdicts_of_loop(counts, {Claim::coalesced}, {}).at(Claim::coalesced), Verdict::proved);
  const std::string alike =
      planted(counts, "setp.le.u32 %p2, %r2, %r1;", "setp.le.u32 %p2, %r2, 5;");
  EXPECT_EQ(verdicts_of_loop(alike, {Claim::coalesced}, {}).at(Claim::coalesced), Verdict::proved);
}

}  // namespace
}  // namespace bankproof::symbolic
