// Threads of a block agree about what they load from one place of shared memory, as long as nobody
// writes it meanwhile.
#include <gtest/gtest.h>

#include <map>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Thread 0 draws a number, by which all threads choose a word of a tile, and whether they come to
/// the last barrier.
constexpr const char* drawing = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry draw(.param .u64 next)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 drawn[1024];
.shared .align 4 .b8 tile[4096];
ld.param.u64 %rd1, [next];
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra JOIN;
atom.global.add.u32 %r3, [%rd1], 1;
st.shared.u32 [drawn], %r3;
JOIN:
bar.sync 0;
ld.shared.u32 %r4, [drawn];
add.u32 %r5, %r4, %r1;
and.b32 %r6, %r5, 1023;
mad.lo.u32 %r7, %r6, 4, %r2;
st.shared.u32 [%r7], %r1;
setp.eq.u32 %p2, %r4, 0;
@%p2 bra END;
bar.sync 0;
END:
st.shared.u32 [%r7], 0;
ret;
}
)";
constexpr const char* load = "ld.shared.u32 %r4, [drawn];";

std::map<Claim, Verdict> verdicts(const std::string& text, std::vector<Claim> claims) {
  Request request = request_for(text);
  request.claims = std::move(claims);
  request.shape.block = {256, 1, 1};
  std::map<Claim, Verdict> found;
  for (const Decision& one : prove(request).decisions) found[one.claim] = one.verdict;
  return found;
}

TEST(AgreeingLoads, choose_the_same_for_all_threads) {
  for (const auto& [claim, verdict] :
       verdicts(drawing, {Claim::race, Claim::barriers, Claim::banks})) {
    EXPECT_EQ(verdict, Verdict::proved) << name_of(claim);
  }
  // Each claim alone needs the others, too.
  for (const Claim claim : {Claim::race, Claim::barriers, Claim::banks}) {
    EXPECT_EQ(verdicts(drawing, {claim})[claim], Verdict::proved) << name_of(claim);
  }
}

TEST(AgreeingLoads, need_one_place_that_nobody_writes_meanwhile) {
  struct Bug {
    Claim claim;
    const char* old;
    std::string bug;
  };
  const std::string write = "@!%p1 st.shared.u32 [drawn], 7;";
  const Bug bugs[] = {
      // No barrier; a write behind the load; one before it.
      {Claim::race, "JOIN:\nbar.sync 0;", "JOIN:"},
      {Claim::race, load, std::string(load) + write},
      {Claim::race, load,
       std::string("setp.eq.u32 %p3, %r1, 100; @%p3 st.shared.u32 [drawn], 7; ") + load},
      // A place for each thread; loads that are ordered in other ways; one in a loop.
      {Claim::barriers, load,
       "mov.u32 %r9, drawn; mad.lo.u32 %r9, %r1, 4, %r9; ld.shared.u32 %r4, [%r9];"},
      {Claim::barriers, load, "ld.volatile.shared.u32 %r4, [drawn];"},
      {Claim::race, load, std::string("L: ") + load + " setp.gt.u32 %p3, %r4, %r1; @%p3 bra L;"},
      // The place is of global memory, where other blocks write.
      {Claim::barriers, load, "ld.global.u32 %r4, [%rd1];"}};
  for (const Bug& bug : bugs) {
    const std::string text = planted(drawing, bug.old, bug.bug);
    EXPECT_NE(verdicts(text, {bug.claim}).at(bug.claim), Verdict::proved) << bug.bug;
  }
  // A race that the machine shows is reported as one.
  EXPECT_EQ(verdicts(planted(drawing, load, load + write), {Claim::race}).at(Claim::race),
            Verdict::refuted);
}

TEST(AgreeingLoads, are_no_reason_for_threads_that_differ) {
  const std::string text = planted(drawing, "setp.eq.u32 %p2, %r4, 0;", "setp.eq.u32 %p2, %r1, 0;");
  EXPECT_EQ(verdicts(text, {Claim::barriers}).at(Claim::barriers), Verdict::refuted);
}

}  // namespace
}  // namespace bankproof::symbolic
