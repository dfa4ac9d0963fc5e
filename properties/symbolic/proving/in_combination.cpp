// Details that are harmless alone: loops that not all threads enter, copies of threads that end,
// results of calls, lanes that choose arrays. See in_detail.cpp.
#include <gtest/gtest.h>

#include <string>

#include "details.hpp"

namespace bankproof::symbolic {
namespace {

/// A store to a word of the thread's own, with which there is something to prove.
const std::string own_word =
    "shl.b32 %r8, %r2, 2;\nadd.u32 %r8, %r8, %r3;\nst.shared.u32 [%r8+16], %r2;\n";

// All threads count the iterations alike, and those that do not enter know nothing of the counter.
TEST(InCombination, facts_of_a_loop_are_of_threads_that_enter_it) {
  const std::string barriers =
      "shr.u32 %r4, %r2, 4;\nsub.u32 %r5, 0, %r4;\nmov.u32 %r6, 0;\n"
      "setp.gt.u32 %p1, %r5, 100;\n@%p1 bra E;\nmov.u32 %r7, %r5;\nL:\n"
      "setp.ne.u32 %p2, %r6, 3;\n@%p2 bra Y;\nbar.sync 0;\nY:\nadd.u32 %r7, %r7, 1;\n"
      "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p4, %r6, 8;\n@%p4 bra L;\nE:\nmov.u32 %r6, %r2;\n";
  test({"a barrier", Claim::barriers, storing(planted(barriers, "@%p1 bra E;\n", "")),
        storing(barriers)});
  const std::string last =
      "sub.u32 %r5, 0, %r2;\nmov.u32 %r6, 0;\nsetp.gt.u32 %p1, %r5, 100;\n"
      "shl.b32 %r8, %r2, 2;\n@%p1 bra E;\nmov.u32 %r7, %r5;\nL:\nadd.u32 %r7, %r7, 1;\n"
      "add.u32 %r6, %r6, 1;\nsetp.lt.u32 %p4, %r6, 8;\n@%p4 bra L;\n"
      "and.b32 %r8, %r6, 15;\nshl.b32 %r8, %r8, 2;\nE:\nadd.u32 %r8, %r8, %r3;\n"
      "st.shared.u32 [%r8], %r2;\nret;\n}\n";
  test({"the last iteration", Claim::race,
        detailed(planted(last, "and.b32 %r8, %r6, 15;\nshl.b32 %r8, %r8, 2;\n", "")),
        detailed(last)});
}

TEST(InCombination, a_copy_outlives_its_thread) {
  const std::string copies =
      "setp.lt.u32 %p1, %r2, 16;\nshl.b32 %r4, %r2, 2;\nadd.u32 %r4, %r4, %r3;\n"
      "@!%p1 bra A;\nmul.wide.u32 %rd4, %r2, 4;\nadd.u64 %rd4, %rd4, %rd2;\n"
      "cp.async.ca.shared.global [%r4], [%rd4], 4;\ncp.async.wait_all;\nret;\nA:\nbar.sync 0;\n"
      "ld.shared.u32 %r5, [%r4+-64];\nmov.u32 %r6, %r2;\n";
  for (const Claim claim : {Claim::race, Claim::initialized}) {
    test({"a copy", claim, storing(copies), storing(planted(copies, "cp.async.wait_all;\n", "")),
          Verdict::unknown});
  }
}

TEST(InCombination, results_of_one_instruction_differ) {
  const std::string compares =
      ".reg .f32 %f<4>;\ncvt.rn.f32.u32 %f1, %r2;\ncvt.rn.f32.u32 %f2, %r1;\n"
      "setp.lt.f32 %p1, %f1, %f2;\nsetp.lt.f32 _|%p2, %f1, %f2;\n" +
      own_word +
      "@%p1 bra X;\n@!%p1 bra X;\n"
      "st.shared.u32 [s], %r2;\nX:\nret;\n}\n";
  test({"the second one", Claim::race, detailed(compares),
        detailed(planted(compares, "@%p1 bra X;", "@%p2 bra X;")), Verdict::unknown});
  const std::string widens =
      ".reg .f32 %f<4>;\ncvt.rn.f32.u32 %f1, %r2;\ncvt.rn.f32.u32 %f2, %r1;\n"
      "sub.f32 %f3, %f1, %f2;\ncvt.rzi.s32.f32 %r5, %f3;\ncvt.rzi.s32.f32 %rd5, %f3;\n"
      "shl.b32 %r4, %r2, 2;\nadd.u32 %r4, %r3, %r4;\nst.shared.u32 [%r4+16], %r5;\n"
      "setp.ge.u64 %p1, %rd5, 0;\n@%p1 ret;\nst.shared.u32 [s], %r2;\nret;\n}\n";
  test({"a wider register", Claim::race, detailed(widens),
        detailed(planted(widens, "setp.ge.u64", "setp.ge.s64")), Verdict::unknown});
}

TEST(InCombination, a_register_that_a_barrier_leaves_is_not_agreed_on) {
  const std::string reduces =
      "mov.u32 %r4, 0;\nsetp.ne.u32 %p1, 0, 0;\nL:\nmov.u32 %r5, %r2;\n"
      "setp.gt.u32 %p2, %r5, 3;\n@%p1 bar.red.popc.u32 %r5, 0, %p2;\n"
      "setp.eq.u32 %p3, %r4, 7;\n@!%p3 bra Y;\nbar.sync 0;\nY:\nadd.u32 %r4, %r4, 1;\n"
      "setp.lt.u32 %p4, %r4, 8;\n@%p4 bra L;\nret;\n}\n";
  test({"a barrier", Claim::barriers, detailed(reduces),
        detailed(planted(reduces, "setp.eq.u32 %p3, %r4, 7;", "setp.eq.u32 %p3, %r5, 7;"))});
}

// Each array is looked at alone, and a warp accesses both at once.
TEST(InCombination, lanes_choose_arrays) {
  const std::string chooses =
      ".shared .align 128 .b8 t[128];\nmov.u32 %r4, t;\nsetp.lt.u32 %p1, %r2, 16;\n"
      "selp.b32 %r5, %r3, %r3, %p1;\nand.b32 %r6, %r2, 31;\nshl.b32 %r6, %r6, 2;\n"
      "add.u32 %r5, %r5, %r6;\nst.shared.u32 [%r5], %r2;\nret;\n}\n";
  const std::string wrong = planted(planted(chooses, "%r3, %r3, %p1", "%r4, %r3, %p1"),
                                    "and.b32 %r6, %r2, 31", "and.b32 %r6, %r2, 15");
  test({"two arrays", Claim::banks, detailed(chooses), detailed(wrong)});
  const std::string stores =
      "setp.lt.u32 %p1, %r2, 2;\n@!%p1 ret;\nand.b32 %r4, %r2, 1;\nsetp.eq.u32 %p2, %r4, 1;\n"
      "add.u32 %r5, %r3, 4;\nselp.b32 %r6, %r5, %r5, %p2;\nshl.b32 %r7, %r4, 2;\n"
      "xor.b32 %r7, %r7, 4;\nadd.u32 %r8, %r6, %r7;\nst.volatile.shared.u32 [%r8], %r2;\n"
      "ret;\n}\n";
  test({"one word", Claim::race, detailed(stores),
        detailed(planted(stores, "selp.b32 %r6, %r5, %r5", "selp.b32 %r6, %r5, %r3"))});
}

// A 64-bit number is no array because an address that nobody knows is added to it.
TEST(InCombination, unknown_addresses_are_in_no_array) {
  const std::string shuffles =
      "mov.b64 {%r4, %r5}, %rd1;\nshfl.sync.idx.b32 %r4, %r4, 0, 31, -1;\n"
      "shfl.sync.idx.b32 %r5, %r5, 0, 31, -1;\nmov.b64 %rd4, {%r4, %r5};\n"
      "add.u64 %rd5, %rd4, %rd2;\nadd.u64 %rd6, %rd4, %rd3;\nsetp.eq.u32 %p1, %r2, 0;\n"
      "setp.eq.u32 %p2, %r2, 1;\n@%p1 st.global.u8 [%rd5], %r2;\n"
      "@%p2 st.global.u8 [%rd6], %r2;\nret;\n}\n";
  EXPECT_NE(verdict_in_detail(detailed(shuffles), Claim::race), Verdict::proved);
}

TEST(InCombination, copies_of_fewer_bytes_need_more_sectors) {
  const std::string copies =
      "shl.b32 %r4, %r2, 4;\nadd.u32 %r4, %r4, %r3;\nmul.wide.u32 %rd4, %r2, 16;\n"
      "add.u64 %rd4, %rd1, %rd4;\ncp.async.ca.shared.global [%r4], [%rd4], 16, 16;\n"
      "cp.async.wait_all;\nret;\n}\n";
  test({"a copy", Claim::coalesced, detailed(copies),
        detailed(planted(copies, "16, 16;", "16, 4;")), Verdict::unknown});
}

TEST(InCombination, variables_on_the_stack_are_aligned) {
  const std::string stores =
      ".local .align 16 .b8 d[16];\nst.local.u32 [d+4], %r2;\n"
      "ld.local.u32 %r5, [d+4];\nmov.u32 %r6, %r2;\n";
  std::string wrong = storing(planted(stores, "[d+4], %r2", "[d+2], %r2"));
  test({"an access", Claim::bounds, storing(stores), wrong});
}

TEST(InCombination, all_lanes_come_to_matrices) {
  const std::string loads =
      "setp.lt.u32 %p1, %r2, 0;\n@%p1 bra X;\nshl.b32 %r4, %r2, 4;\nand.b32 %r4, %r4, 127;\n"
      "add.u32 %r5, %r3, %r4;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5];\n"
      "X:\nadd.u32 %r7, %r2, %r2;\nret;\n}\n";
  test({"ldmatrix", Claim::barriers, detailed(loads),
        detailed(planted(loads, "%r2, 0;", "%r2, 16;"))});
}

TEST(InCombination, lanes_choose_places_of_one_array) {
  const std::string chooses =
      "setp.eq.u32 %p1, %r1, 0;\nadd.u64 %rd4, %rd2, 128;\nselp.b64 %rd4, %rd2, %rd4, %p1;\n"
      "mul.wide.u32 %rd5, %r2, 4;\nadd.u64 %rd5, %rd5, %rd4;\nld.global.u32 %r5, [%rd5];\n"
      "ret;\n}\n";
  test({"a choice", Claim::coalesced, detailed(chooses),
        detailed(planted(chooses, "setp.eq.u32 %p1, %r1, 0", "setp.lt.u32 %p1, %r2, %r1")),
        Verdict::unknown});
}

// A launch that is replayed keeps the initial values of a table.
TEST(InCombination, tables_keep_their_values) {
  const std::string loads =
      "mov.u64 %rd4, table;\nand.b32 %r4, %r2, 1;\nmul.wide.u32 %rd5, %r4, 4;\n"
      "add.u64 %rd5, %rd5, %rd4;\nld.const.u32 %r6, [%rd5];\n";
  const std::string table = ".visible .const .align 4 .u32 table[2] = {1, 2};\n";
  const auto verdict = [&](const std::string& with) {
    return verdict_in_detail(head + with + entry + loads + store_at, Claim::bounds);
  };
  EXPECT_EQ(verdict(table), Verdict::unknown);
  EXPECT_EQ(verdict(planted(table, "2};", "99};")), Verdict::refuted);
  EXPECT_EQ(verdict(planted(table, " = {1, 2}", "")), Verdict::refuted);
}

// A parameter may be the address of shared memory: it is not followed there. As a condition, it may
// choose between places, and beside the begin of a variable it is a number.
TEST(InCombination, parameters_are_no_addresses_of_shared_memory) {
  const std::string chooses =
      own_word +
      "setp.lt.u64 %p1, %rd2, 2;\nselp.b32 %r4, 4, 8, %p1;\nadd.u32 %r4, %r4, %r3;\n"
      "setp.eq.u32 %p2, %r2, 0;\n@%p2 st.shared.u32 [%r4], %r2;\nret;\n}\n";
  test({"a parameter", Claim::race, detailed(chooses),
        detailed(planted(chooses, "st.shared.u32 [%r4], %r2", "st.shared.u32 [%rd2], %r2")),
        Verdict::unknown});
  const std::string counts =
      own_word +
      "cvt.u32.u64 %r4, %rd2;\nand.b32 %r4, %r4, 1;\nshl.b32 %r4, %r4, 2;\n"
      "add.u32 %r4, %r4, %r3;\nsetp.eq.u32 %p2, %r2, 0;\n@%p2 st.shared.u32 [%r4], %r2;\nret;\n}\n";
  test({"a number", Claim::race, detailed(counts),
        detailed(planted(counts, "and.b32 %r4, %r4, 1", "and.b32 %r4, %r4, 7"))});
}

// j < 4n and nm <= 100 say nothing of jm.
TEST(InCombination, an_index_below_a_multiple_is_not_below_the_size) {
  const std::string products =
      "cvt.u32.u64 %r4, %rd2;\ncvt.u32.u64 %r5, %rd3;\nsetp.gt.u32 %p1, %r4, 1000;\n@%p1 ret;\n"
      "setp.gt.u32 %p1, %r5, 1000;\n@%p1 ret;\nmul.lo.u32 %r7, %r4, %r5;\n"
      "setp.gt.u32 %p1, %r7, 31;\n@%p1 ret;\nmul.lo.u32 %r7, %r4, 1;\n"
      "setp.ge.u32 %p1, %r1, %r7;\n@%p1 ret;\nmul.lo.u32 %r6, %r1, %r5;\n";
  test({"a product", Claim::bounds, storing(products),
        storing(planted(products, "%r4, 1;", "%r4, 4;"))});
}

TEST(InCombination, parts_of_a_result_share_bytes) {
  const std::string callee =
      ".func (.param .b64 ret) f(.param .b32 x)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n"
      ".reg .b64 %rd<9>;\nld.param.u32 %r1, [x];\nsetp.eq.u32 %p1, %r1, 0;\n"
      "mov.b64 %rd1, {%r1, %r1};\nst.param.b64 [ret], %rd1;\n@!%p1 bra Z;\nZ:\nmov.u32 %r3, 7;\n"
      "st.param.b32 [ret+4], %r3;\nret;\n}\n";
  const std::string loop =
      own_word +
      ".param .b32 px;\n.param .b64 pr;\nmov.u32 %r4, 0;\nL:\nst.param.b32 [px], %r4;\n"
      "call (pr), f, (px);\nld.param.b32 %r5, [pr+4];\nadd.u32 %r4, %r4, 1;\n"
      "setp.lt.u32 %p1, %r4, 2;\n@%p1 bra L;\nsetp.eq.u32 %p2, %r5, 7;\n@%p2 ret;\n"
      "st.shared.u32 [s], %r2;\nret;\n}\n";
  const std::string wrong =
      planted(planted(callee, "Z:\n", ""), "[ret+4], %r3;", "[ret+4], %r3;\nZ:");
  test({"halves", Claim::race, head + callee + entry + loop, head + wrong + entry + loop});
}

TEST(InCombination, a_call_may_return_to_a_register) {
  const std::string callee =
      ".func (.param .b32 back) f(.param .b32 x)\n{\nst.param.b32 [back], 1;\nret;\n}\n";
  const std::string calls =
      own_word +
      "mov.u32 %r4, 0;\nmov.u32 %r5, 7;\ncall (%r5), f, (%r4);\nsetp.eq.u32 %p2, %r4, 0;\n"
      "@%p2 ret;\nst.shared.u32 [s], %r2;\nret;\n}\n";
  test({"a register", Claim::race, head + callee + entry + calls,
        head + callee + entry + planted(calls, "%p2, %r4, 0", "%p2, %r5, 7"), Verdict::unknown});
}

}  // namespace
}  // namespace bankproof::symbolic
