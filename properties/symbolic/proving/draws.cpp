// Threads that draw numbers from a counter draw different ones, as long as all only raise it.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Each thread with a positive number writes it to a place that it draws.
constexpr const char* compaction = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry compact(.param .u64 in, .param .u64 out, .param .u64 count)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %rd<9>;
.shared .align 4 .b8 counted[4];
ld.param.u64 %rd1, [in];
ld.param.u64 %rd2, [out];
ld.param.u64 %rd3, [count];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mad.lo.u32 %r4, %r2, %r3, %r1;
mul.wide.u32 %rd4, %r4, 4;
add.s64 %rd5, %rd1, %rd4;
ld.global.u32 %r5, [%rd5];
setp.le.s32 %p1, %r5, 0;
@%p1 bra END;
atom.global.add.u32 %r6, [%rd3], 1;
mul.wide.u32 %rd6, %r6, 4;
add.s64 %rd7, %rd2, %rd6;
st.global.u32 [%rd7], %r5;
END:
ret;
}
)";
constexpr const char* draw = "atom.global.add.u32 %r6, [%rd3], 1;";

Verdict verdict(const std::string& text, Claim claim) {
  Request request = request_for(text);
  request.claims = {claim};
  return prove(request).decisions.front().verdict;
}

/// How many are proved of the claims that no threads of a block race, and none of two blocks, in a
/// launch of two blocks of 64 threads.
std::ptrdiff_t proved_of_two_blocks(const std::string& text) {
  Request request = request_for(text);
  request.claims = {Claim::race, Claim::blocks};
  request.shape.block = {64, 1, 1};
  request.shape.grid = {2, 1, 1};
  const KernelProof proof = prove(request);
  return std::count_if(proof.decisions.begin(), proof.decisions.end(),
                       [](const Decision& one) { return one.verdict == Verdict::proved; });
}

// Atomic operations of one block are none for other blocks; nor are those of another size.
TEST(AtomicOperations, race_beyond_their_scope) {
  const std::string counts = planted(compaction, "st.global.u32 [%rd7], %r5;", "");
  EXPECT_EQ(verdict(counts, Claim::blocks), Verdict::proved);
  EXPECT_EQ(verdict(planted(counts, draw, "red.cta.global.add.u32 [%rd3], 1;"), Claim::race),
            Verdict::proved);
  EXPECT_EQ(verdict(planted(counts, draw, "red.cta.global.add.u32 [%rd3], 1;"), Claim::blocks),
            Verdict::refuted);
  const std::string wide =
      planted(counts, draw, "red.global.add.u32 [%rd3], 1;\nred.global.add.u64 [%rd3], %rd4;");
  EXPECT_EQ(verdict(wide, Claim::race), Verdict::refuted);
}

TEST(Draws, are_of_different_places) {
  EXPECT_EQ(verdict(compaction, Claim::race), Verdict::proved);
  EXPECT_EQ(verdict(compaction, Claim::blocks), Verdict::proved);
  // In a loop, and by other numbers
  const std::string loop = planted(planted(compaction, draw, std::string("L: ") + draw),
                                   "END:", "setp.lt.u32 %p2, %r6, 99; @%p2 bra L; END:");
  EXPECT_EQ(verdict(loop, Claim::blocks), Verdict::proved);
  EXPECT_EQ(
      verdict(planted(compaction, draw, "atom.global.add.u32 %r6, [%rd3], 3;"), Claim::blocks),
      Verdict::proved);
  // A block's counter, which it clears first
  const std::string of_block = planted(
      planted(compaction, draw, "atom.shared.add.u32 %r6, [counted], 1;"), "ld.param.u64 %rd1",
      "mov.u32 %r7, %tid.x; setp.eq.u32 %p3, %r7, 0; @%p3 st.shared.u32 [counted], 0; bar.sync 0;\n"
      "ld.param.u64 %rd1");
  EXPECT_EQ(verdict(of_block, Claim::race), Verdict::proved);
  EXPECT_NE(verdict(of_block, Claim::blocks), Verdict::proved);
  EXPECT_NE(verdict(planted(of_block, "bar.sync 0;", ""), Claim::race), Verdict::proved);
}

TEST(Draws, are_the_same_if_the_counter_is_not_only_raised) {
  const char* const bugs[] = {
      "atom.global.add.u32 %r6, [%rd3], 0;", "atom.global.exch.b32 %r6, [%rd3], 1;",
      "atom.global.max.u32 %r6, [%rd3], 1;", "atom.global.add.u32 %r6, [%rd3], %r5;",
      "ld.global.u32 %r6, [%rd3];",
      // Others write the counter, and who draws does not know when.
      "atom.global.add.u32 %r6, [%rd3], 1; st.global.u32 [%rd3], 0;",
      "atom.global.add.u32 %r6, [%rd3], 1; red.global.min.u32 [%rd3], 7;",
      // Other blocks do not see that it is raised.
      "atom.cta.global.add.u32 %r6, [%rd3], 1;",
      "atom.global.add.u32 %r6, [%rd3], 1; red.cta.global.add.u32 [%rd3], 1;",
      // A counter for each thread
      "add.s64 %rd3, %rd3, %rd4; atom.global.add.u32 %r6, [%rd3], 1;",
      // Two threads have one place.
      "atom.global.add.u32 %r6, [%rd3], 1; shr.u32 %r6, %r6, 1;"};
  EXPECT_EQ(proved_of_two_blocks(compaction), 2);
  for (const char* const bug : bugs) {
    const std::string text = planted(compaction, draw, bug);
    EXPECT_EQ(proved_of_two_blocks(text), 0) << bug;
  }
  // Another block clears the counter between two draws of this one.
  const std::string cleared = planted(
      compaction, "setp.le.s32 %p1",
      "setp.eq.u32 %p3, %r1, 0; @%p3 st.global.u32 [%rd3], 0; bar.sync 0;\nsetp.le.s32 %p1");
  EXPECT_NE(verdict(cleared, Claim::race), Verdict::proved);
  // A counter for each block
  const std::string of_block =
      planted(compaction, draw,
              "mul.wide.u32 %rd8, %r2, 4; add.s64 %rd3, %rd3, %rd8;\n" + std::string(draw));
  EXPECT_EQ(verdict(of_block, Claim::race), Verdict::proved);
  EXPECT_NE(verdict(of_block, Claim::blocks), Verdict::proved);
}

/// Where `bounds` is asked for an array of so many elements, whose counter is 0 at first.
Verdict in_array(const std::string& text, const std::string& count,
                 const std::string& where = "arg2[i] == 0") {
  Request request = request_for(text);
  request.claims = {Claim::bounds};
  request.shape.block = {64, 1, 1};
  request.where = {where};
  request.buffers = {
      {"arg0", "u32:64 * gridDim.x"}, {"arg1", "u32:" + count}, {"arg2", "u32:1 + gridDim.x"}};
  const Decision decision = prove(request).decisions.front();
  // For some sizes alone is not for all.
  return decision.within.empty() ? decision.verdict : Verdict::unknown;
}

TEST(Draws, are_less_than_what_is_added) {
  const std::string twice = planted(
      compaction, draw, "red.global.add.u32 [%rd3], 2;\natom.global.add.u32 %r6, [%rd3], 1;");
  const std::string leader =
      planted(compaction, "@%p1 bra END;", "@%p1 bra END; setp.ne.u32 %p2, %r1, 63; @%p2 bra END;");
  EXPECT_EQ(in_array(compaction, "64 * gridDim.x"), Verdict::proved);
  EXPECT_EQ(in_array(compaction, "64 * gridDim.x + 5", "arg2[i] <= 5 && arg2[i] >= 0"),
            Verdict::proved);
  EXPECT_EQ(in_array(twice, "192 * gridDim.x"), Verdict::proved);
  EXPECT_EQ(in_array(leader, "gridDim.x"), Verdict::proved);
  // One element is missing; the counter is another one at first, or each block has its own.
  EXPECT_NE(in_array(compaction, "64 * gridDim.x - 1"), Verdict::proved);
  EXPECT_NE(in_array(compaction, "64 * gridDim.x", "arg2[i] == 1"), Verdict::proved);
  EXPECT_NE(in_array(compaction, "64 * gridDim.x", "i == 0 || arg2[i] == 0"), Verdict::proved);
  EXPECT_NE(in_array(twice, "192 * gridDim.x - 1"), Verdict::proved);
  EXPECT_NE(in_array(twice, "128 * gridDim.x"), Verdict::proved);
  EXPECT_NE(in_array(leader, "gridDim.x - 1"), Verdict::proved);
  const std::string any = planted(leader, "setp.ne.u32 %p2, %r1, 63;", "setp.ne.u32 %p2, %r5, 63;");
  EXPECT_NE(in_array(any, "gridDim.x"), Verdict::proved);
  const std::string loop = planted(planted(compaction, draw, std::string("L: ") + draw),
                                   "END:", "setp.lt.u32 %p2, %r6, 99; @%p2 bra L; END:");
  EXPECT_NE(in_array(loop, "64 * gridDim.x"), Verdict::proved);
}

// i < n says that n threads draw if i is the number of the thread in the launch.
TEST(Draws, are_as_many_as_a_guard_admits) {
  const auto guarded = [](const std::string& index, const std::string& compare) {
    return planted(planted(compaction, ".param .u64 count)", ".param .u64 count, .param .u32 n)"),
                   "mul.wide.u32 %rd4, %r4, 4;",
                   "ld.param.u32 %r7, [n]; setp." + compare + " %p3, " + index +
                       ", %r7; @%p3 bra END; mul.wide.u32 %rd4, %r4, 4;");
  };
  EXPECT_EQ(in_array(guarded("%r4", "ge.u32"), "arg3"), Verdict::proved);
  EXPECT_NE(in_array(guarded("%r4", "gt.u32"), "arg3"), Verdict::proved);
  EXPECT_NE(in_array(guarded("%r1", "ge.u32"), "arg3"), Verdict::proved);
  EXPECT_NE(in_array(guarded("%r2", "ge.u32"), "arg3"), Verdict::proved);
}

// Who does not draw may have any number, and nothing follows from what others draw.
TEST(Draws, are_known_of_threads_that_draw) {
  const std::string first_alone =
      "mov.u32 %r6, 7; setp.eq.u32 %p2, %r1, 0;\n@%p2 " + std::string(draw);
  const std::string some = planted(compaction, draw, first_alone);
  EXPECT_NE(verdict(some, Claim::race), Verdict::proved);
  EXPECT_NE(verdict(some, Claim::blocks), Verdict::proved);
  EXPECT_NE(in_array(some, "gridDim.x"), Verdict::proved);
  // Two counters, of which a thread chooses one
  const std::string of_two =
      planted(compaction, draw,
              "and.b32 %r7, %r1, 1; setp.eq.u32 %p2, %r7, 0; selp.b64 %rd3, %rd3, %rd1, %p2;\n" +
                  std::string(draw));
  EXPECT_NE(verdict(of_two, Claim::race), Verdict::proved);
  EXPECT_NE(verdict(of_two, Claim::blocks), Verdict::proved);
}

TEST(Draws, are_not_compared_across_a_write) {
  const std::string counted = "atom.shared.add.u32 %r6, [counted], 1;";
  const std::string clear = "@%p3 st.shared.u32 [counted], 0; bar.sync 0;\n";
  const std::string again =
      "bar.sync 0; " + clear + "atom.shared.add.u32 %r7, [counted], 1;\n" +
      "mul.wide.u32 %rd6, %r7, 4; add.s64 %rd7, %rd2, %rd6; st.global.u32 [%rd7], %r5;\n";
  const std::string begin =
      "mov.u32 %r7, %tid.x; setp.eq.u32 %p3, %r7, 0; " + clear + "ld.param.u64 %rd1";
  // All threads draw twice, and write what they have drawn first, or both times.
  const std::string twice = planted(
      planted(planted(compaction, draw, counted), "ld.param.u64 %rd1", begin), "@%p1 bra END;", "");
  EXPECT_EQ(verdict(twice, Claim::race), Verdict::proved);
  const std::string place = "mul.wide.u32 %rd6, %r6, 4;";
  EXPECT_NE(verdict(planted(twice, place, again + place), Claim::race), Verdict::proved);
}

// A negative n takes nothing away from what others draw; 16 bits do not number the threads of a
// launch; additions of other widths carry.
TEST(Draws, are_counted_without_wrapping) {
  const std::string with_n = planted(planted(compaction, "compact(", "_Z7compactPKiPiS1_i("),
                                     ".param .u64 count)", ".param .u64 count, .param .u32 n)");
  const auto drawing = [&](const std::string& by) { return planted(with_n, draw, by); };
  const std::string n = "ld.param.u32 %r7, [n]; ";
  const std::string also = n + "setp.lt.s32 %p3, %r4, %r7; @%p3 red.global.add.u32 [%rd3], 1;\n";
  EXPECT_EQ(in_array(drawing(also + draw), "64 * gridDim.x + (arg3 < 0 ? 0 : arg3)"),
            Verdict::proved);
  EXPECT_NE(in_array(drawing(also + draw), "64 * gridDim.x + arg3"), Verdict::proved);
  const std::string narrow = n +
                             ".reg .b16 %rs<3>; cvt.u16.u32 %rs1, %r4; cvt.u16.u32 %rs2, %r7; "
                             "setp.lt.u16 %p3, %rs1, %rs2; @!%p3 bra END;\n";
  EXPECT_NE(in_array(drawing(narrow + draw), "arg3 & 65535"), Verdict::proved);
  EXPECT_NE(
      in_array(drawing("red.global.add.u64 [%rd3], 1;\n" + std::string(draw)), "128 * gridDim.x"),
      Verdict::proved);
}

TEST(Draws, are_refused_conditions_on_counters_that_others_write) {
  for (const char* const bug :
       {"atom.global.exch.b32 %r6, [%rd3], 1;", "atom.global.add.u32 %r6, [%rd3], %r5;",
        "atom.global.add.u32 %r6, [%rd3], 1; st.global.u32 [%rd3], 0;"}) {
    EXPECT_THROW(in_array(planted(compaction, draw, bug), "64 * gridDim.x"), PremiseError) << bug;
  }
}

}  // namespace
}  // namespace bankproof::symbolic
