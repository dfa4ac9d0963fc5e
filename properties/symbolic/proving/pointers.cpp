// Claims about kernels that call through pointers, keep variables on the stack, assert, and access
// what is no array.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

constexpr const char* version = R"(
.version 7.8
.target sm_80
.address_size 64
)";

/// The kernel has one parameter: the array `arg0` of blockDim.x words.
Verdict decided(const std::string& text, Claim claim) {
  Request request = request_for(version + text);
  request.kernel = &request.file->module.functions.back();
  request.where = {"blockDim.x <= 256"};
  request.buffers = {{"arg0", "u32:blockDim.x"}};
  request.claims = {claim};
  return prove(request).decisions.front().verdict;
}

/// Thread k writes word f(k), where f is one function for even threads, and another for odd ones.
constexpr const char* choosing = R"(
.func (.param .b32 result) same(.param .b32 value)
{
.reg .b32 %r<2>;
ld.param.u32 %r1, [value];
st.param.b32 [result], %r1;
ret;
}
.func (.param .b32 result) zero(.param .b32 value)
{
.reg .b32 %r<2>;
mov.u32 %r1, 0;
st.param.b32 [result], %r1;
ret;
}
.func (.param .b32 result) neighbor(.param .b32 value)
{
.reg .b32 %r<3>;
ld.param.u32 %r1, [value];
xor.b32 %r2, %r1, 0;
st.param.b32 [result], %r2;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .pred %p<2>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 1;
setp.eq.u32 %p1, %r2, 0;
mov.u64 %rd2, same;
mov.u64 %rd3, neighbor;
selp.b64 %rd4, %rd2, %rd3, %p1;
{
.param .b32 param0;
st.param.b32 [param0], %r1;
.param .b32 retval;
prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
call (retval), %rd4, (param0), prototype;
ld.param.b32 %r3, [retval];
}
mul.wide.u32 %rd5, %r3, 4;
add.s64 %rd6, %rd1, %rd5;
st.global.u32 [%rd6], %r1;
ret;
}
)";

TEST(ClaimsAboutPointers, follow_each_function_that_may_be_called) {
  for (const Claim claim : {Claim::race, Claim::bounds, Claim::asserts}) {
    EXPECT_EQ(decided(choosing, claim), Verdict::proved) << name_of(claim);
  }
}

TEST(ClaimsAboutPointers, find_bugs_in_either_function) {
  const std::string other = planted(choosing, "xor.b32 %r2, %r1, 0", "xor.b32 %r2, %r1, 1");
  EXPECT_EQ(decided(other, Claim::race), Verdict::refuted);
  const std::string far = planted(choosing, "xor.b32 %r2, %r1, 0", "xor.b32 %r2, %r1, 256");
  EXPECT_EQ(decided(far, Claim::bounds), Verdict::refuted);
  const std::string zero = planted(choosing, "mov.u64 %rd2, same", "mov.u64 %rd2, zero");
  EXPECT_EQ(decided(zero, Claim::race), Verdict::refuted);
}

TEST(ClaimsAboutPointers, find_pointers_to_no_function) {
  const std::string null = planted(choosing, "mov.u64 %rd3, neighbor", "mov.u64 %rd3, 0");
  EXPECT_EQ(decided(null, Claim::asserts), Verdict::refuted);
}

/// Each thread writes its index into a word of its stack, through a pointer that is on the stack
/// itself, and loads it again as an index.
constexpr const char* on_stack = R"(
.visible .entry k(.param .u64 out)
{
.local .align 8 .b8 depot[32];
.reg .b32 %r<9>;
.reg .b64 %rd<16>;
mov.u64 %rd2, depot;
cvta.local.u64 %rd1, %rd2;
ld.param.u64 %rd3, [out];
st.u64 [%rd1], %rd3;
add.u64 %rd4, %rd1, 16;
or.b64 %rd5, %rd4, 4;
st.u64 [%rd1+8], %rd5;
mov.u32 %r1, %tid.x;
ld.u64 %rd6, [%rd1+8];
st.u32 [%rd6], %r1;
ld.u32 %r2, [%rd1+20];
mul.wide.u32 %rd7, %r2, 4;
ld.u64 %rd8, [%rd1];
add.s64 %rd9, %rd8, %rd7;
st.u32 [%rd9], %r2;
ret;
}
)";

TEST(ClaimsAboutStacks, know_what_lies_there) {
  EXPECT_EQ(decided(on_stack, Claim::race), Verdict::proved);
  EXPECT_EQ(decided(on_stack, Claim::bounds), Verdict::proved);
}

TEST(ClaimsAboutStacks, find_bugs) {
  // The pointer is to another word, so the index is what the stack happens to have.
  EXPECT_NE(decided(planted(on_stack, "or.b64 %rd5, %rd4, 4", "or.b64 %rd5, %rd4, 0"), Claim::race),
            Verdict::proved);
  EXPECT_EQ(decided(planted(on_stack, "st.u32 [%rd6], %r1", "st.u32 [%rd6], 5"), Claim::race),
            Verdict::refuted);
  EXPECT_EQ(decided(planted(on_stack, "[%rd1+20]", "[%rd1+40]"), Claim::bounds), Verdict::refuted);
}

// Where an access to the stack may be is not known, it may overwrite anything there.
TEST(ClaimsAboutStacks, rest_on_no_variable_that_may_be_overwritten) {
  const std::string text = planted(on_stack, "ld.u32 %r2,",
                                   "cvt.u64.u32 %rd10, %r1; and.b64 %rd10, %rd10, 28; "
                                   "add.s64 %rd11, %rd1, %rd10; st.u32 [%rd11], 7; ld.u32 %r2,");
  EXPECT_EQ(decided(text, Claim::race), Verdict::unknown);
}

TEST(ClaimsAboutBounds, hold_of_no_null_pointer_and_no_constant_memory) {
  constexpr const char* storing = R"(
.const .align 4 .b8 table[16];
.visible .entry k(.param .u64 out)
{
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
st.u32 [%rd1], 1;
ret;
}
)";
  EXPECT_EQ(decided(storing, Claim::bounds), Verdict::proved);
  const std::string null = planted(storing, "ld.param.u64 %rd1, [out]", "mov.u64 %rd1, 0");
  EXPECT_EQ(decided(null, Claim::bounds), Verdict::refuted);
  const std::string constant = planted(storing, "ld.param.u64 %rd1, [out]",
                                       "mov.u64 %rd2, table; cvta.const.u64 %rd1, %rd2");
  EXPECT_EQ(decided(constant, Claim::bounds), Verdict::refuted);
}

TEST(ClaimsAboutBounds, are_about_arrays_in_constant_memory) {
  constexpr const char* loads = R"(
.const .align 4 .b8 table[4096];
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd1, %r1, 4;
mov.u64 %rd2, table;
add.s64 %rd3, %rd2, %rd1;
ld.const.u32 %r2, [%rd3];
ld.param.u64 %rd4, [out];
add.s64 %rd5, %rd4, %rd1;
st.u32 [%rd5], %r2;
ret;
}
)";
  EXPECT_EQ(decided(loads, Claim::bounds), Verdict::proved);
  EXPECT_EQ(decided(planted(loads, "table[4096]", "table[64]"), Claim::bounds), Verdict::refuted);
}

TEST(ClaimsAboutBounds, are_about_accesses_that_begin_at_multiples_of_their_width) {
  constexpr const char* copying = R"(
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.shared .align 16 .b8 tile[8192];
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 3;
mov.u32 %r3, tile;
add.s32 %r4, %r3, %r2;
ld.shared.v2.u32 {%r5, %r6}, [%r4];
ret;
}
)";
  EXPECT_EQ(decided(copying, Claim::bounds), Verdict::proved);
  EXPECT_EQ(decided(planted(copying, "shl.b32 %r2, %r1, 3", "shl.b32 %r2, %r1, 2"), Claim::bounds),
            Verdict::refuted);
  EXPECT_EQ(decided(planted(copying, ".align 16", ".align 4"), Claim::bounds), Verdict::unknown);
}

// ---- Members of arrays whose addresses are made by `or`

/// Thread k writes the member at byte `member` of tile[k], whose elements have 16 bytes.
std::string stores_member(const std::string& align, std::uint32_t member) {
  return ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.shared .align " + align +
         " .b8 tile[4096];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r3, tile;\n"
         "add.s32 %r4, %r3, %r2;\nor.b32 %r5, %r4, " +
         std::to_string(member) + ";\nst.shared.u32 [%r5], %r1;\nret;\n}\n";
}

TEST(ClaimsAboutPointers, of_members_by_or_are_proved_where_the_array_is_aligned) {
  EXPECT_EQ(decided(stores_member("16", 4), Claim::race), Verdict::proved);
  EXPECT_EQ(decided(stores_member("16", 12), Claim::bounds), Verdict::proved);
  EXPECT_EQ(decided(stores_member("4", 4), Claim::race), Verdict::unknown);
  // The next element of every second thread: threads 0 and 1 write the same place.
  EXPECT_NE(decided(stores_member("32", 16), Claim::race), Verdict::proved);
}

}  // namespace
}  // namespace bankproof::symbolic
