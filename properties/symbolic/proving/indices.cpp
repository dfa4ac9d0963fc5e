// Claims about indices: which element an access is to, and where an index wraps around.
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// f(unsigned* q, int a, int b): of the array q, an access to the byte %rd3.
std::string indexing(const std::string& body) {
  return "\n.version 8.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry _Z1fPjii(.param .u64 q, .param .u32 a, .param .u32 b)\n{\n"
         ".reg .pred %p<4>;\n.reg .b32 %r<20>;\n.reg .b64 %rd<9>;\n"
         "ld.param.u64 %rd1, [q];\nld.param.u32 %r1, [a];\nld.param.u32 %r2, [b];\n"
         "mov.u32 %r3, %tid.x;\n" +
         body + "ret;\n}\n";
}

// ---- address

Verdict verdict_of_address(const std::string& body, const std::string& formula,
                           const std::string& range, const std::string& access = "ld.global") {
  Request request = request_for(indexing(body));
  request.shape.block = {32, 1, 1};
  request.claims = {Claim::address};
  request.addresses = {{line_with(indexing(body), access), "", formula}};
  if (!range.empty()) request.ranges = {{range, 0, 3}};
  return prove(request).decisions.front().verdict;
}

const std::string at_thread = "mul.wide.u32 %rd2, %r3, 4;\nadd.s64 %rd3, %rd1, %rd2;\n";
const std::string at_four = "mul.wide.u32 %rd2, %r3, 16;\nadd.s64 %rd3, %rd1, %rd2;\n";

TEST(Indices, are_those_of_elements) {
  const std::string whole = at_thread + "ld.global.u32 %r5, [%rd3];\n";
  EXPECT_EQ(verdict_of_address(whole, "threadIdx.x", ""), Verdict::proved);
  EXPECT_EQ(verdict_of_address(whole, "4 * threadIdx.x", ""), Verdict::refuted);
}

// A compiler loads one byte of `q[i] & 255`.
TEST(Indices, are_those_of_elements_of_which_a_part_is_loaded) {
  for (const char* const byte : {"[%rd3]", "[%rd3+3]"}) {
    const std::string part = at_thread + "ld.global.u8 %r5, " + byte + ";\n";
    EXPECT_EQ(verdict_of_address(part, "threadIdx.x", ""), Verdict::proved) << byte;
    EXPECT_NE(verdict_of_address(part, "4 * threadIdx.x", ""), Verdict::proved) << byte;
  }
  const std::string next = at_thread + "ld.global.u8 %r5, [%rd3+4];\n";
  EXPECT_EQ(verdict_of_address(next, "threadIdx.x", ""), Verdict::refuted);
}

TEST(Indices, are_those_of_elements_of_the_array_and_not_of_one_with_its_name) {
  const std::string bytes =
      ".shared .align 4 .b8 arg0[64];\nmov.u32 %r4, arg0;\nadd.u32 %r4, %r4, %r3;\n"
      "st.shared.u8 [%r4], %r3;\n";
  EXPECT_EQ(verdict_of_address(bytes, "threadIdx.x", "", "st.shared"), Verdict::proved);
  EXPECT_EQ(verdict_of_address(bytes, "threadIdx.x / 4", "", "st.shared"), Verdict::refuted);
}

// A compiler loads q[4 * i], …, q[4 * i + 3] at once.
TEST(Indices, are_those_of_all_elements_that_are_loaded_at_once) {
  const std::string four = at_four + "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd3];\n";
  EXPECT_EQ(verdict_of_address(four, "4 * threadIdx.x + k", "k"), Verdict::proved);
  EXPECT_EQ(verdict_of_address(four, "threadIdx.x", ""), Verdict::refuted);
  EXPECT_NE(verdict_of_address(four, "4 * threadIdx.x", ""), Verdict::proved);
}

// ---- overflow

KernelProof proof_of_overflow(const std::string& body, const std::vector<std::string>& where) {
  Request request = request_for(indexing(body + "mul.wide.s32 %rd2, %r9, 4;\n"
                                                "add.s64 %rd3, %rd1, %rd2;\n"
                                                "st.global.u32 [%rd3], %r3;\n"));
  request.claims = {Claim::overflow};
  request.where = where;
  return prove(request);
}

TEST(Indices, wrap_around_where_that_is_seen) {
  for (const char* const body :
       {"add.s32 %r4, %r1, %r2;\nsetp.gt.s32 %p1, %r1, 0;\nselp.b32 %r9, %r4, 0, %p1;\n",
        "add.s32 %r4, %r1, %r2;\nmin.s32 %r9, %r4, %r2;\n",
        "add.s32 %r4, %r1, %r2;\nshr.s32 %r9, %r4, 1;\n",
        "mul.lo.s32 %r4, %r1, %r2;\ndiv.u32 %r9, %r4, 7;\n",
        "mul.lo.s32 %r4, %r1, %r2;\nrem.s32 %r9, %r4, 7;\n",
        "mul.lo.s32 %r4, %r1, %r2;\nor.b32 %r9, %r4, 1;\n",
        "mul.lo.s32 %r4, %r1, %r2;\nsetp.eq.s32 %p1, %r4, 0;\nselp.b32 %r9, 7, 0, %p1;\n",
        "mul.lo.s32 %r4, %r1, %r2;\npopc.b32 %r9, %r4;\n",
        "mul.lo.s32 %r4, %r1, %r2;\nslct.b32.s32 %r9, 1, 2, %r4;\n",
        // Within a sum, as a byte, shifted back, and shifted by a number that is not known.
        ("mul.lo.s32 %r4, %r1, %r2;\nsetp.gt.s32 %p1, %r3, 5;\nselp.b32 %r4, %r4, %r3, %p1;\n"
         "add.s32 %r9, %r4, 1;\n"),
        "mul.lo.s32 %r4, %r1, %r2;\nor.b32 %r4, %r4, 1;\nadd.s32 %r9, %r4, 1;\n",
        "mul.lo.s32 %r4, %r1, 6;\nshr.u32 %r9, %r4, 1;\n",
        "and.b32 %r4, %r2, 7;\nshl.b32 %r9, %r1, %r4;\n",
        ("mul.lo.s32 %r4, %r1, %r2;\ncvt.u64.u32 %rd4, %r4;\nadd.s64 %rd4, %rd1, %rd4;\n"
         "st.global.u8 [%rd4], %r3;\nmov.u32 %r9, %r3;\n"),
        // Below a pointer that is loaded.
        ("ld.global.u64 %rd4, [%rd1];\nmul.lo.s32 %r4, %r1, %r2;\nmul.wide.u32 %rd5, %r4, 4;\n"
         "add.s64 %rd4, %rd4, %rd5;\nst.global.u32 [%rd4], %r3;\nmov.u32 %r9, %r3;\n")}) {
    const std::vector<std::string> small = {"arg1 >= 0", "arg2 >= 0", "arg1 <= 1 << 14",
                                            "arg2 <= 1 << 14"};
    EXPECT_EQ(proof_of_overflow(body, small).decisions.front().verdict, Verdict::proved) << body;
    const Decision any = proof_of_overflow(body, {"arg1 >= 1", "arg2 >= 1"}).decisions.front();
    EXPECT_NE(any.verdict, Verdict::proved) << body;
    EXPECT_GT(any.subjects, 0U) << body;
  }
}

// A register that follows no rule is what the iteration before made it.
TEST(Indices, wrap_around_in_loops) {
  const std::string loop =
      "mov.u32 %r9, 0;\nmov.u32 %r7, 0;\nL:\nmul.wide.u32 %rd4, %r9, 4;\n"
      "add.s64 %rd5, %rd1, %rd4;\nst.global.u32 [%rd5], %r3;\nmad.lo.u32 %r9, %r9, 3, 1;\n"
      "and.b32 %r9, %r9, 1023;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, %r1;\n@%p1 bra L;\n"
      "mov.u32 %r9, %r3;\n";
  const std::vector<std::string> some = {"arg1 >= 100", "arg1 <= 1 << 14"};
  EXPECT_NE(proof_of_overflow(planted(loop, "and.b32 %r9, %r9, 1023;\n", ""), some)
                .decisions.front()
                .verdict,
            Verdict::proved);
}

// n * n is compared to choose an array.
TEST(Indices, wrap_around_where_arrays_are_chosen) {
  Request request = request_for(
      indexing("mul.lo.u32 %r4, %r1, %r1;\nsetp.lt.u32 %p1, %r4, 100;\nadd.s64 %rd2, %rd1, 4;\n"
               "mov.u64 %rd4, %rd2;\nselp.b64 %rd5, %rd4, %rd1, %p1;\nmul.wide.u32 %rd3, %r3, 4;\n"
               "add.s64 %rd3, %rd5, %rd3;\nst.global.u32 [%rd3], %r3;\n"));
  request.claims = {Claim::overflow};
  request.where = {"arg1 >= 0", "arg1 <= 1 << 14"};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::proved);
  request.where = {"arg1 >= 0"};
  EXPECT_NE(prove(request).decisions.front().verdict, Verdict::proved);
}

TEST(Indices, may_wrap_around_modulo_a_power_of_two) {
  const Decision one =
      proof_of_overflow("add.s32 %r4, %r1, %r2;\nand.b32 %r9, %r4, 31;\n", {}).decisions.front();
  EXPECT_NE(one.verdict, Verdict::refuted);
  EXPECT_NE(one.verdict, Verdict::unknown);
}

}  // namespace
}  // namespace bankproof::symbolic
