// Barriers of whole warps order what the threads of a warp do, and nothing else.
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Each thread writes a word of a tile, and reads the word of the lane that is opposite.
constexpr const char* in_warps = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry opposite(.param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[4096];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
mad.lo.s32 %r3, %r1, 4, %r2;
st.shared.u32 [%r3], %r1;
bar.warp.sync -1;
xor.b32 %r4, %r1, 31;
mad.lo.s32 %r5, %r4, 4, %r2;
ld.shared.u32 %r6, [%r5];
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r6;
ret;
}
)";
constexpr const char* sync = "bar.warp.sync -1;";

KernelProof proof_of(const std::string& text, std::vector<Claim> claims) {
  Request request = request_for(text);
  request.claims = std::move(claims);
  return prove(request);
}

TEST(ClaimsAboutWarpBarriers, of_the_lanes_of_a_warp_are_proved) {
  const KernelProof proof = proof_of(in_warps, {Claim::race, Claim::barriers});
  for (const Decision& one : proof.decisions) {
    EXPECT_EQ(one.verdict, Verdict::proved);
    EXPECT_GT(one.subjects, 0U);
  }
  // In a branch that whole warps take.
  for (const auto& [end, verdict] :
       {std::pair("64", Verdict::proved), std::pair("70", Verdict::refuted)}) {
    const std::string skip = std::string("setp.ge.u32 %p1, %r1, ") + end + "; @%p1 bra BEHIND; ";
    const std::string text = planted(planted(in_warps, sync, skip + sync), "mul.wide.u32 %rd2",
                                     "BEHIND: mul.wide.u32 %rd2");
    const KernelProof branch = proof_of(text, {Claim::race});
    if (verdict == Verdict::proved) {
      EXPECT_EQ(branch.decisions.front().verdict, verdict);
    } else {
      EXPECT_NE(branch.decisions.front().verdict, Verdict::proved);
    }
  }
}

TEST(ClaimsAboutWarpBarriers, planted_bugs_are_refuted) {
  struct Bug {
    const char* old;
    const char* bug;
  };
  const Bug bugs[] = {
      // No barrier; a lane of another warp.
      {sync, ""},
      {"xor.b32 %r4, %r1, 31", "xor.b32 %r4, %r1, 32"},
      // It is written once more behind the barrier.
      {sync, "bar.warp.sync -1; st.shared.u32 [%r3], %r1;"},
      {sync, "st.shared.u32 [%r3], %r1; bar.warp.sync -1; st.shared.u32 [%r3], 0;"}};
  for (const Bug& bug : bugs) {
    const KernelProof proof = proof_of(planted(in_warps, bug.old, bug.bug), {Claim::race});
    EXPECT_EQ(proof.decisions.front().verdict, Verdict::refuted) << bug.bug;
  }
}

// A barrier of some lanes, or one in a loop, counts as if nobody waited.
TEST(ClaimsAboutWarpBarriers, of_some_lanes_or_in_loops_prove_nothing) {
  EXPECT_NE(proof_of(planted(in_warps, sync, "bar.warp.sync 0xffff;"), {Claim::race})
                .decisions.front()
                .verdict,
            Verdict::proved);
  const std::string loop =
      "mov.u32 %r7, 0; AGAIN: st.shared.u32 [%r3], %r7; bar.warp.sync -1; add.s32 %r7, %r7, 1; "
      "setp.lt.s32 %p1, %r7, %r1; @%p1 bra AGAIN;";
  const KernelProof proof = proof_of(planted(in_warps, sync, loop), {Claim::race});
  EXPECT_NE(proof.decisions.front().verdict, Verdict::proved);
}

/// Each thread gets the number of a neighbour.
constexpr const char* shuffle = "shfl.sync.bfly.b32 %r7, %r1, 1, 31, -1;";

TEST(ClaimsAboutShuffles, are_that_the_lanes_of_the_mask_come) {
  const auto verdict = [](const std::string& code) {
    const KernelProof proof =
        proof_of(planted(in_warps, sync, code + " " + sync), {Claim::barriers});
    return proof.decisions.front().verdict;
  };
  const std::string all = shuffle;
  EXPECT_EQ(verdict(all), Verdict::proved);
  // Threads that have ended are not waited for.
  EXPECT_EQ(verdict("setp.ge.u32 %p1, %r1, 20; @%p1 ret; " + all), Verdict::proved);
  const std::string half = planted(all, "-1", "0xffff");
  const auto for_lanes = [](const char* lanes, const std::string& code) {
    return std::string("and.b32 %r8, %r1, 31; setp.ge.u32 %p1, %r8, ") + lanes + "; @%p1 bra ON; " +
           code + " ON: mov.u32 %r8, 0;";
  };
  EXPECT_EQ(verdict(for_lanes("16", half)), Verdict::proved);
  // Lanes of the mask do not come; and lanes come that are not in the mask.
  EXPECT_EQ(verdict(for_lanes("16", all)), Verdict::refuted);
  EXPECT_EQ(verdict(for_lanes("12", half)), Verdict::refuted);
  EXPECT_EQ(verdict(half), Verdict::refuted);
}

// Both halves of a block wait, each for itself: a block has one barrier 0 for all.
TEST(ClaimsAboutBarriers, of_two_branches_are_not_those_of_threads_that_have_ended) {
  const std::string branches =
      "setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW; bar.sync 0; st.shared.u32 [%r2], %r1; bra END; "
      "LOW: bar.sync 0; setp.gt.u32 %p2, %r1, 0; @%p2 bra END; st.shared.u32 [%r2], %r1; ";
  const std::string text = planted(planted(in_warps, sync, branches + sync), "ret;", "END: ret;");
  const KernelProof proof = proof_of(text, {Claim::barriers, Claim::race});
  for (const Decision& one : proof.decisions) EXPECT_NE(one.verdict, Verdict::proved);
}

}  // namespace
}  // namespace bankproof::symbolic
