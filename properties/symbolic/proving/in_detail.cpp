// Details of PTX: guards, carries, groups of copies, variables of functions, state spaces. Each
// test proves a claim about a kernel, changes one detail, and expects that the claim is not proved
// then.
#include <gtest/gtest.h>

#include <string>

#include "details.hpp"

namespace bankproof::symbolic {
namespace {

// Where the loop is not entered, %r6 is any number.
TEST(InDetail, a_loop_that_is_not_entered_changes_nothing) {
  const std::string loop =
      "and.b32 %r6, %r1, 31;\nsetp.ge.s64 %p1, %rd2, %rd3;\n@%p1 bra END;\nL:\n"
      "mad.lo.u32 %r6, %r6, %r6, 3;\nand.b32 %r6, %r6, 31;\nadd.s64 %rd2, %rd2, 1;\n"
      "setp.ne.s64 %p2, %rd2, %rd3;\n@%p2 bra L;\nEND:\n";
  test({"a loop", Claim::bounds, storing(loop),
        storing(planted(loop, "and.b32 %r6, %r1, 31;", "mov.u32 %r6, %r1;"))});
}

TEST(InDetail, a_guard_holds_for_the_carry_too) {
  const std::string carries =
      "setp.ne.u32 %p1, %r1, 7;\nmov.u32 %r4, -1;\nadd.cc.u32 %r5, %r4, 1;\n"
      "add.cc.u32 %r5, %r2, 0;\naddc.u32 %r6, %r2, 0;\n";
  test({"a carry", Claim::bounds, storing(carries),
        storing(planted(carries, "add.cc.u32 %r5, %r2", "@%p1 add.cc.u32 %r5, %r2"))});
}

// Lanes leave the loop in different iterations.
TEST(InDetail, the_carry_of_a_loop_is_that_of_each_lane) {
  const std::string lanes =
      "mov.u32 %r4, 0;\nL:\nshl.b32 %r5, %r4, 31;\nadd.cc.u32 %r7, %r5, 0x80000000;\n"
      "setp.eq.u32 %p1, %r4, %r2;\n@%p1 bra END;\nadd.u32 %r4, %r4, 1;\nbra L;\nEND:\n"
      "addc.u32 %r8, 0, 0;\nmul.lo.u32 %r8, %r8, 0;\nxor.b32 %r8, %r8, %r2;\n"
      "shl.b32 %r8, %r8, 2;\nadd.u32 %r8, %r8, %r3;\nst.shared.u32 [%r8], %r2;\nret;\n}\n";
  test({"a carry of a loop", Claim::banks, detailed(lanes),
        detailed(planted(lanes, "%r8, %r8, 0;", "%r8, %r8, 33;"))});
}

TEST(InDetail, an_instruction_may_write_its_own_guard) {
  const std::string twice =
      "setp.ne.u32 %p1, %r1, 7;\nsetp.ne.u32 %p2, %r1, %r1;\n"
      "@%p1 setp.ne.u32 %p1|%p2, %r1, 7;\nmov.u32 %r6, %r2;\n@%p2 add.u32 %r6, %r6, 100;\n";
  test({"a guard", Claim::bounds, storing(twice),
        storing(planted(twice, "@%p1 setp.ne", "@%p1 setp.eq"))});
}

TEST(InDetail, the_variables_of_a_function_are_those_of_all_calls) {
  const std::string put =
      ".func put(.param .b32 v)\n{\n.reg .b32 %r<9>;\n.shared .align 4 .b8 own[4];\n"
      "ld.param.b32 %r1, [v];\nst.shared.u32 [own], %r1;\nret;\n}\n";
  const auto call = [](const std::string& value) {
    return "{\n.param .b32 v;\nst.param.b32 [v], " + value + ";\ncall.uni put, (v);\n}\n";
  };
  const std::string twice =
      "setp.eq.u32 %p1, %r2, 0;\nsetp.eq.u32 %p2, %r2, 9;\n@%p1 bra ONE;\n"
      "@%p2 bra TWO;\nret;\nONE:\n" +
      call("1") + "ret;\nTWO:\n" + call("2") + "ret;\n}\n";
  const std::string text = head + put + entry + twice;
  test({"a variable", Claim::race, planted(text, "@%p2 bra TWO;", ""), text});
}

TEST(InDetail, each_thread_has_a_counter_of_its_own_in_local_memory) {
  const std::string counts =
      "st.local.u32 [c], 0;\nmov.u64 %rd4, c;\ncvta.local.u64 %rd4, %rd4;\n"
      "atom.add.u32 %r6, [%rd4], 1;\n";
  const auto of_one = [](const std::string& index) {
    return "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra END;\n" + index;
  };
  const std::string end = "END: ret;\n}\n";
  const std::string ends = planted(store_at, "ret;\n}\n", end);
  test({"a counter", Claim::race, detailed(of_one(counts) + ends), storing(counts)});
}

TEST(InDetail, copies_wait_by_their_own_groups) {
  const std::string copies =
      "shl.b32 %r4, %r2, 2;\nadd.u32 %r5, %r3, %r4;\ncvt.u64.u32 %rd4, %r4;\n"
      "add.u64 %rd5, %rd2, %rd4;\ncp.async.ca.shared.global [%r5], [%rd5], 4;\n"
      "cp.async.commit_group;\ncp.async.wait_group 0;\nbar.sync 0;\n"
      "ld.shared.u32 %r7, [%r5];\nret;\n}\n";
  test({"a group", Claim::initialized, detailed(copies),
        detailed(planted(copies, "cp.async.wait_group", "cp.async.bulk.wait_group")),
        Verdict::unsupported});
}

// Threads that count to their own number before n leave nothing in shared memory.
TEST(InDetail, threads_end_behind_the_last_instruction) {
  const std::string falls =
      "shl.b32 %r4, %r2, 2;\nadd.u32 %r5, %r3, %r4;\nmov.u32 %r7, 0;\nbra L;\nOUT:\n"
      "st.shared.u32 [%r5], %r2;\nbar.sync 0;\nxor.b32 %r8, %r4, 4;\nadd.u32 %r8, %r8, %r3;\n"
      "ld.shared.u32 %r9, [%r8];\nret;\nL:\nsetp.ge.u32 %p1, %r7, %r1;\n@%p1 bra OUT;\n"
      "add.u32 %r7, %r7, 1;\nsetp.ne.u32 %p2, %r7, %r2;\n@%p2 bra L;\n}\n";
  test({"an end", Claim::initialized, detailed(planted(falls, "@%p2 bra L;", "bra L;")),
        detailed(falls), Verdict::unknown});
}

TEST(InDetail, registers_may_have_any_name) {
  const std::string named =
      ".reg .b32 j;\nshl.b32 %r4, %r2, 2;\nadd.u32 %r5, %r3, %r4;\nxor.b32 %r7, %r2, 1;\n"
      "shfl.sync.idx.b32 j, %r2, %r7, 31, -1;\nsetp.lt.u32 %p1, j, 9;\n"
      "@%p1 st.shared.u32 [%r5], %r2;\nbar.sync 0;\n"
      "@!%p1 bra END;\nld.shared.u32 %r8, [%r5];\nEND: ret;\n}\n";
  test({"a name", Claim::initialized, detailed(named),
        detailed(planted(named, "@!%p1 bra END;", "xor.b32 %r5, %r5, 124;\n@!%p1 bra END;")),
        Verdict::unknown});
}

TEST(InDetail, half_of_a_pointer_is_no_pointer) {
  const std::string halves = "mov.u64 %rd4, %rd1;\ncvt.u32.u64 %r4, %rd1;\nmov.u32 %r6, %r2;\n";
  test({"a half", Claim::bounds, storing(halves), storing(halves + "cvt.u64.u32 %rd1, %r4;\n"),
        Verdict::unknown});
}

TEST(InDetail, addresses_are_of_the_space_of_their_access) {
  const std::string generic =
      "mov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\nmul.wide.u32 %rd5, %r2, 4;\n"
      "add.u64 %rd6, %rd4, %rd5;\nst.u32 [%rd6], %r2;\nret;\n}\n";
  test({"no conversion", Claim::bounds, detailed(generic),
        detailed(planted(generic, "cvta.shared.u64 %rd4, %rd4;\n", "")), Verdict::unsupported});
  test({"a wrong space", Claim::bounds, detailed(generic),
        detailed(planted(generic, "st.u32", "st.shared.u32")), Verdict::unsupported});
  const std::string own = planted(generic, "cvta.shared.u64 %rd4, %rd4;\n", "");
  test({"its own space", Claim::bounds, detailed(planted(own, "st.u32", "st.shared.u32")),
        detailed(planted(own, "st.u32", "st.global.u32")), Verdict::unsupported});
}

TEST(InDetail, one_variable_is_no_argument_and_result) {
  const std::string same =
      ".func (.param .b32 result) f(.param .b32 v)\n{\n.reg .b32 %r<9>;\n"
      "st.param.b32 [result], 0;\nld.param.b32 %r1, [v];\nst.param.b32 [result], %r1;\nret;\n}\n";
  const std::string call =
      "{\n.param .b32 v;\n.param .b32 w;\nst.param.b32 [v], %r2;\ncall.uni (w), f, (v);\n"
      "ld.param.b32 %r6, [w];\n}\n";
  const std::string text = head + same + entry + call + store_at;
  test({"a result", Claim::bounds, text,
        planted(planted(text, "(w), f", "(v), f"), "%r6, [w]", "%r6, [v]"), Verdict::unsupported});
}

// A variable on the stack becomes registers: no access of another space is one to it.
TEST(InDetail, a_variable_on_the_stack_is_accessed_in_its_space) {
  const std::string stack =
      "mov.u64 %rd4, c;\nst.local.u32 [%rd4], %r2;\nld.local.u32 %r6, [%rd4];\n";
  const std::string generic =
      "mov.u64 %rd4, c;\ncvta.local.u64 %rd5, %rd4;\nmov.u64 %rd6, %rd5;\n"
      "st.u32 [%rd6], %r2;\nld.u32 %r6, [%rd6];\n";
  for (const std::string& wrong :
       {planted(planted(stack, "st.local", "st.shared"), "ld.local", "ld.shared"),
        planted(planted(stack, "st.local", "st"), "ld.local", "ld"),
        planted(generic, "mov.u64 %rd6, %rd5;",
                "cvt.u32.u64 %r7, %rd5;\ncvt.u64.u32 %rd6, %r7;")}) {
    test({"a stack", Claim::bounds, storing(stack), storing(wrong), Verdict::unsupported});
  }
  for (const std::string& wrong :
       {planted(generic, "cvta.local", "cvta.shared"),
        planted(generic, "mov.u64 %rd6, %rd5;", "cvta.local.u64 %rd6, %rd5;")}) {
    test({"a generic stack", Claim::bounds, storing(generic), storing(wrong), Verdict::unknown});
  }
}

TEST(InDetail, conversions_are_of_the_space_of_the_address) {
  const std::string global = "cvta.global.u64 %rd1, %rd1;\nmov.u32 %r6, %r2;\n";
  test({"a parameter", Claim::bounds, storing(global),
        storing(planted(global, "cvta.global", "cvta.shared")), Verdict::unknown});
  const std::string shared =
      "mov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\nst.u32 [%rd4], 7;\nret;\n}\n";
  test({"a variable", Claim::bounds, detailed(shared),
        detailed(planted(shared, "cvta.shared", "cvta.local")), Verdict::unknown});
  test({"a variable twice", Claim::bounds, detailed(shared),
        detailed(planted(shared, "st.u32", "cvta.shared.u64 %rd4, %rd4;\nst.u32")),
        Verdict::unknown});
}

// Lane 0 stores before the barrier, or lanes 0 and 16: volatile stores of warps do not race.
TEST(InDetail, several_strong_stores_publish_no_value) {
  const std::string publishes =
      "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra END;\nst.shared.u32 [s], %r2;\nEND:\n"
      "bar.sync 0;\nld.shared.u32 %r6, [s];\n";
  const std::string warps = planted(planted(publishes, "setp.ne.u32 %p1, %r2, 0;",
                                            "and.b32 %r7, %r2, 31;\nsetp.ne.u32 %p1, %r7, 0;"),
                                    "st.shared", "st.volatile.shared");
  const auto verdict = [&](const std::string& text) {
    Request request = request_for(text);
    request.shape.block = {64, 1, 1};
    request.shape.grid = {1, 1, 1};
    request.buffers = {{"arg0", "u32:1"}};
    request.claims = {Claim::bounds};
    return prove(request).decisions.front().verdict;
  };
  EXPECT_EQ(verdict(storing(publishes)), Verdict::proved);
  EXPECT_NE(verdict(storing(warps)), Verdict::proved);
}

// Lanes that jump over a barrier have not ended as long as they execute anything.
TEST(InDetail, lanes_that_go_on_have_not_ended) {
  const std::string jumps =
      "setp.ge.u32 %p1, %r2, 16;\n@%p1 bra END;\nbar.sync 0;\nEND:\nret;\n}\n";
  test({"a fence", Claim::barriers, detailed(jumps),
        detailed(planted(jumps, "END:\n", "END:\nmembar.gl;\n"))});
  test({"a sum", Claim::barriers, detailed(jumps),
        detailed(planted(jumps, "END:\n", "END:\nadd.u32 %r6, %r2, %r2;\n"))});
}

// Which one stays is not defined.
TEST(InDetail, lanes_store_one_value_at_once) {
  const std::string stores =
      "setp.ne.u32 %p1, %r2, 0;\n@%p1 bra END;\nst.volatile.shared.u32 [%r3], %r2;\nEND: ret;\n}\n";
  test(
      {"a store", Claim::race, detailed(stores), detailed(planted(stores, "@%p1 bra END;\n", ""))});
  test({"one value", Claim::race,
        detailed(planted(planted(stores, "@%p1 bra END;\n", ""), "[%r3], %r2", "[%r3], %r1")),
        detailed(planted(stores, "@%p1 bra END;\n", ""))});
}

}  // namespace
}  // namespace bankproof::symbolic
