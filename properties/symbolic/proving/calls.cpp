// Claims about kernels that call functions: a callee's barrier separates accesses, and what it
// returns is an index.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

constexpr const char* calling = R"(
.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 result) unknown (.param .b32 value);
.func (.param .b32 result) opposite(.param .b32 thread, .param .align 4 .b8 sizes[8])
{
.reg .pred %p<2>;
.reg .b32 %r<6>;
ld.param.u32 %r1, [thread];
ld.param.u32 %r2, [sizes+4];
bar.sync 0;
setp.lt.u32 %p1, %r1, %r2;
@%p1 bra INSIDE;
mov.u32 %r3, 0;
st.param.b32 [result], %r3;
ret;
INSIDE:
sub.u32 %r3, %r2, %r1;
add.u32 %r4, %r3, -1;
st.param.b32 [result], %r4;
ret;
}
.visible .entry reversal(.param .u64 out)
{
.reg .b32 %r<9>;
.reg .b64 %rd<5>;
.shared .align 4 .b8 tile[1024];
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, tile;
mad.lo.s32 %r4, %r1, 4, %r3;
st.shared.u32 [%r4], %r1;
{
.param .b32 param0;
st.param.b32 [param0], %r1;
.param .align 4 .b8 param1[8];
st.param.b32 [param1+4], %r2;
.param .b32 retval;
call.uni (retval), opposite, (param0, param1);
ld.param.b32 %r5, [retval];
}
mad.lo.s32 %r6, %r5, 4, %r3;
ld.shared.u32 %r7, [%r6];
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r7;
ret;
}
)";

Verdict verdict_of(const std::string& text, Claim claim, std::vector<std::string>* assumed = {}) {
  Request request = request_for(text);
  request.kernel = &request.file->module.functions.back();
  request.where = {"blockDim.x <= 256"};
  request.buffers = {{"arg0", "u32:blockDim.x"}};
  request.claims = {claim};
  const KernelProof proof = prove(request);
  if (assumed != nullptr) *assumed = proof.assumptions;
  return proof.decisions.front().verdict;
}

TEST(ClaimsAboutCalls, follow_the_functions) {
  for (const Claim claim :
       {Claim::race, Claim::barriers, Claim::bounds, Claim::banks, Claim::initialized}) {
    EXPECT_EQ(verdict_of(calling, claim), Verdict::proved) << name_of(claim);
  }
}

TEST(ClaimsAboutCalls, find_bugs_in_functions) {
  EXPECT_EQ(verdict_of(planted(calling, "bar.sync 0;", ""), Claim::race), Verdict::refuted);
  EXPECT_EQ(
      verdict_of(planted(calling, "add.u32 %r4, %r3, -1", "add.u32 %r4, %r3, 200"), Claim::bounds),
      Verdict::refuted);
  EXPECT_EQ(verdict_of(planted(calling, "bar.sync 0;",
                               "setp.lt.u32 %p1, %r1, 7; @%p1 bar.sync 0; bar.sync 0;"),
                       Claim::barriers),
            Verdict::refuted);
}

// A parameter that a function reads in another size than its caller wrote has any value.
TEST(ClaimsAboutCalls, rest_on_nothing_that_is_not_passed) {
  EXPECT_EQ(verdict_of(planted(calling, "st.param.b32 [param1+4]", "st.param.b32 [param1]"),
                       Claim::bounds),
            Verdict::unknown);
}

// The second call returns another number than the first one, so a thread comes to the access.
TEST(ClaimsAboutCalls, take_no_number_for_that_of_the_call_before) {
  Request request = request_for(R"(
.version 7.8
.target sm_80
.address_size 64
.func (.param .b32 result) low(.param .b64 value)
{
.reg .b32 %r<2>;
ld.param.u32 %r1, [value];
st.param.b32 [result], %r1;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .pred %p<3>;
.reg .b32 %r<5>;
.reg .b64 %rd<3>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, 0;
mov.u64 %rd2, 0;
mov.u32 %r4, 0;
LOOP:
{
.param .b64 param0;
st.param.b64 [param0], %rd2;
.param .b32 retval;
call.uni (retval), low, (param0);
ld.param.b32 %r2, [retval];
}
setp.eq.u32 %p1, %r1, 0;
@%p1 bra NEXT;
setp.eq.u32 %p2, %r2, %r4;
@%p2 bra NEXT;
st.global.u32 [%rd1+4096], %r2;
NEXT:
mov.u32 %r4, %r2;
add.s64 %rd2, %rd2, 1;
add.s32 %r1, %r1, 1;
setp.lt.u32 %p1, %r1, 2;
@%p1 bra LOOP;
st.global.u32 [%rd1], %r4;
ret;
}
)");
  request.kernel = &request.file->module.functions.back();
  request.buffers = {{"arg0", "u32:16"}};
  request.claims = {Claim::bounds};
  EXPECT_EQ(prove(request).decisions.front().verdict, Verdict::refuted);
}

TEST(ClaimsAboutCalls, name_functions_without_a_body) {
  std::vector<std::string> assumed;
  const std::string text = planted(planted(calling, "call.uni (retval), opposite, (param0, param1)",
                                           "call.uni (retval), unknown, (param0)"),
                                   "ld.shared.u32 %r7, [%r6]", "bar.sync 0; mov.u32 %r7, %r5");
  EXPECT_EQ(verdict_of(text, Claim::bounds, &assumed), Verdict::proved);
  EXPECT_THAT(assumed, testing::Contains(testing::HasSubstr("unknown, which has no body here")));
  EXPECT_EQ(verdict_of(planted(calling, "call.uni (retval), opposite, (param0, param1)",
                               "call.uni (retval), unknown, (param0)"),
                       Claim::bounds),
            Verdict::unknown);
}

TEST(ClaimsAboutCalls, of_a_function_by_itself_are_not_followed) {
  const std::string text = planted(calling, "bar.sync 0;",
                                   "{ .param .b32 a; .param .align 4 .b8 b[8]; .param .b32 c; "
                                   "call.uni (c), opposite, (a, b); }");
  EXPECT_EQ(verdict_of(text, Claim::bounds), Verdict::unsupported);
}

}  // namespace
}  // namespace bankproof::symbolic
