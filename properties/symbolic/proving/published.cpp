// Proofs know what one thread stores in shared memory for its block, within loops and outside of
// them, and that all threads of a block get the same result from a barrier in a loop.
#include "../../../symbolic/claims/published.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "../../../symbolic/claims/subject.hpp"
#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Blocks draw tiles of 256 words from a counter until there are no more: thread 0 draws for all.
constexpr const char* persistent = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry tiles(.param .u64 out, .param .u64 next, .param .u32 tiles)
{
.reg .pred %p<4>;
.reg .b16 %rs<2>;
.reg .b32 %r<12>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[8];
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [next];
ld.param.u32 %r1, [tiles];
mov.u32 %r2, %tid.x;
setp.ne.u32 %p1, %r2, 0;
LOOP:
@%p1 bra JOIN;
atom.global.add.u32 %r3, [%rd2], 1;
st.shared.u32 [tile], %r3;
JOIN:
bar.sync 0;
ld.shared.u32 %r4, [tile];
setp.ge.s32 %p2, %r4, %r1;
@%p2 bra END;
mad.lo.s32 %r5, %r4, 256, %r2;
mul.wide.s32 %rd3, %r5, 4;
add.s64 %rd4, %rd1, %rd3;
st.global.u32 [%rd4], %r4;
bar.sync 0;
bra LOOP;
END:
ret;
}
)";
constexpr const char* read = "ld.shared.u32 %r4, [tile];";
constexpr const char* store = "st.shared.u32 [tile], %r3;";
constexpr const char* leader = "setp.ne.u32 %p1, %r2, 0;";
constexpr const char* again = "bar.sync 0;\nbra LOOP;";

std::map<Claim, Verdict> verdicts_of_tiles(const std::string& text, std::vector<Claim> claims,
                                           bool is_zero_at_first = true) {
  Request request = request_for(text);
  request.claims = std::move(claims);
  request.shape.block = {256, 1, 1};
  request.where = {"arg2 <= 1 << 20"};
  if (is_zero_at_first) request.where.emplace_back("arg1[i] == 0");
  request.buffers = {{"arg0", "u32:256 * arg2"}, {"arg1", "u32:1"}};
  std::map<Claim, Verdict> found;
  for (const Decision& one : prove(request).decisions) found[one.claim] = one.verdict;
  return found;
}

TEST(PublishedValues, are_what_a_thread_has_stored) {
  const std::vector<Claim> claims = {Claim::race, Claim::blocks, Claim::barriers, Claim::bounds,
                                     Claim::initialized};
  const std::string once = planted(persistent, "bra LOOP;", "");
  const std::string by_last = planted(persistent, leader, "setp.ne.u32 %p1, %r2, 255;");
  for (const std::string& text : {std::string(persistent), once, by_last}) {
    for (const auto& [claim, verdict] : verdicts_of_tiles(text, claims)) {
      EXPECT_EQ(verdict, Verdict::proved) << name_of(claim) << text;
    }
  }
}

/// Whether it is known what a thread has stored where others load.
bool is_published(const std::string& text) {
  const ptx::Module module = ptx::parse(text, "k.ptx");
  Pool pool;
  Shape shape;
  shape.block = {256, 1, 1};
  Execution execution(pool, module, module.functions.front(), shape);
  Subject subject{pool, execution};
  subject.draws = draws_of(subject);
  for (const Agreed& one : subject.trace().agreed) subject.agreed[one.value] = one;
  return !published_in(subject).empty();
}

TEST(PublishedValues, are_any_if_they_may_be_others) {
  EXPECT_TRUE(is_published(persistent));
  const std::string also = std::string(store) + "\n";
  const std::pair<const char*, std::string> bugs[] = {
      {"JOIN:\nbar.sync 0;", "JOIN:"},
      {leader, "setp.ne.u32 %p1, %r2, 256;"},  // the block has no such thread
      {leader, "ld.global.u32 %r6, [%rd2+8]; setp.ne.u32 %p1, %r2, %r6;"},
      {store, std::string("setp.lt.u32 %p3, %r3, 9; @%p3 ") + store},
      {store, also + "st.shared.u32 [tile], 5;"},
      {store, also + "st.shared.u16 [tile+2], %rs1;"},
      {store, also + "st.shared.u32 [%r6], 5;"},
      {store, also + "atom.shared.add.u32 %r6, [tile], 5;"},
      {read, std::string(read) + "\nbar.sync 0; @!%p1 st.shared.u32 [tile], 7;"},
      {store, "st.shared.u32 [tile+4], %r3;"},
      {store, "cvt.u16.u32 %rs1, %r3; st.shared.u16 [tile], %rs1;"},
      {read, "ld.volatile.shared.u32 %r4, [tile];"}};
  for (const auto& [old, bug] : bugs) {
    EXPECT_FALSE(is_published(planted(persistent, old, bug))) << bug;
  }
}

TEST(PublishedValues, have_a_fault_of_the_thread_that_stores) {
  struct Bug {
    Claim claim;
    const char* old;
    std::string bug;
  };
  const Bug bugs[] = {// No barrier behind the load; two draws are one; tiles that are not there.
                      {Claim::race, again, "bra LOOP;"},
                      {Claim::blocks, store, std::string("shr.u32 %r3, %r3, 1;") + store},
                      {Claim::bounds, "setp.ge.s32 %p2", "setp.gt.s32 %p2"},
                      {Claim::bounds, store, std::string("sub.u32 %r3, %r3, 1;") + store}};
  for (const Bug& bug : bugs) {
    const std::string text = planted(persistent, bug.old, bug.bug);
    EXPECT_NE(verdicts_of_tiles(text, {bug.claim}).at(bug.claim), Verdict::proved) << bug.bug;
  }
  EXPECT_NE(verdicts_of_tiles(persistent, {Claim::bounds}, false).at(Claim::bounds),
            Verdict::proved);
}

/// All threads of a block go on as long as one of them has a number that is not 0.
constexpr const char* rounds = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry rounds(.param .u64 in)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[1024];
ld.param.u64 %rd1, [in];
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
mad.lo.u32 %r3, %r1, 4, %r2;
st.shared.u32 [%r3], %r1;
LOOP:
bar.sync 0;
xor.b32 %r4, %r1, 255;
mad.lo.u32 %r5, %r4, 4, %r2;
ld.shared.u32 %r6, [%r5];
setp.ne.u32 %p1, %r6, 0;
bar.red.or.pred %p2, 0, %p1;
st.shared.u32 [%r3], 0;
@%p2 bra LOOP;
ret;
}
)";

std::map<Claim, Verdict> verdicts_of_rounds(const std::string& text) {
  Request request = request_for(text);
  request.claims = {Claim::race, Claim::barriers, Claim::initialized};
  request.shape.block = {256, 1, 1};
  request.shape.grid = {1, 1, 1};
  std::map<Claim, Verdict> found;
  for (const Decision& one : prove(request).decisions) found[one.claim] = one.verdict;
  return found;
}

TEST(ResultsOfBarriers, are_the_same_in_each_iteration) {
  for (const auto& [claim, verdict] : verdicts_of_rounds(rounds)) {
    EXPECT_EQ(verdict, Verdict::proved) << name_of(claim);
  }
  const std::string own = planted(rounds, "@%p2 bra LOOP;", "@%p1 bra LOOP;");
  EXPECT_NE(verdicts_of_rounds(own).at(Claim::barriers), Verdict::proved);
  // The loop's barrier is behind the first read.
  const std::map<Claim, Verdict> late =
      verdicts_of_rounds(planted(rounds, "LOOP:\nbar.sync 0;", "LOOP:"));
  EXPECT_NE(late.at(Claim::race), Verdict::proved);
  EXPECT_NE(late.at(Claim::initialized), Verdict::proved);
}

}  // namespace
}  // namespace bankproof::symbolic
