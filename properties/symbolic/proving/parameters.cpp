// Loads from a parameter, such as a struct, at addresses that a kernel computes.
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

/// Each thread loads its own of four numbers that a launch passes.
constexpr const char* own_number = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .align 4 .b8 numbers[16], .param .u32 n)
{
.reg .b32 %r<3>;
.reg .b64 %rd<6>;
ld.param.u64 %rd1, [out];
ld.param.u32 %r2, [numbers+12];
mov.b64 %rd2, numbers;
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd4, %rd2, %rd3;
ld.param.u32 %r1, [%rd4];
add.s64 %rd5, %rd1, %rd3;
st.global.u32 [%rd5], %r1;
ret;
}
)";

Decision bounds_of(const std::string& text, std::uint32_t threads) {
  Request request = request_for(text);
  request.shape.block = {threads, 1, 1};
  request.buffers = {{"arg0", "u32:1024"}};
  request.claims = {Claim::bounds};
  return prove(request).decisions.front();
}

TEST(Parameters, have_bounds) {
  EXPECT_EQ(bounds_of(own_number, 4).verdict, Verdict::proved);
  const std::string at_multiples_of_8 =
      planted(own_number, "mul.wide.u32 %rd3, %r1, 4;", "mul.wide.u32 %rd3, %r1, 8;");
  for (const Decision& behind : {bounds_of(own_number, 7), bounds_of(at_multiples_of_8, 4)}) {
    EXPECT_EQ(behind.verdict, Verdict::refuted);
    EXPECT_TRUE(behind.findings.front().example->replayed);
  }
}

TEST(Parameters, are_aligned) {
  const std::string in_between =
      planted(own_number, "add.s64 %rd4, %rd2, %rd3;", "add.s64 %rd4, %rd2, 1;");
  EXPECT_EQ(bounds_of(in_between, 4).verdict, Verdict::refuted);
}

TEST(Parameters, are_not_loaded_from_behind_their_ends) {
  const std::string behind = planted(own_number, "[numbers+12]", "[numbers+13]");
  EXPECT_EQ(bounds_of(behind, 4).verdict, Verdict::unsupported);
}

}  // namespace
}  // namespace bankproof::symbolic
