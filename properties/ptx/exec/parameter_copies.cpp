// A parameter of a device function whose address is taken lies in local memory, and other spellings
// of instructions that compilers and headers write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::IsEmpty;

/// Calls the function `of` with four words that begin with the thread's number; it returns a word.
std::string calling(const std::string& body, const std::string& label = "") {
  return ".version 7.5\n.target sm_80\n.address_size 64\n"
         ".func (.param .b32 result) of(.param .align 4 .b8 box[16], .param .b32 at)\n"
         "{ " +
         label + ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\n" + body +
         "}\n.visible .entry k(.param .u64 out)\n{ .reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
         "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 3;\n"
         "{ .param .align 4 .b8 a[16]; .param .b32 b; .param .b32 c;\n"
         "st.param.b32 [a], %r1;\nst.param.b32 [a+4], 10;\nst.param.b32 [a+8], 20;\n"
         "st.param.b32 [a+12], 30;\nst.param.b32 [b], %r2;\ncall.uni (c), of, (a, b);\n"
         "ld.param.b32 %r3, [c]; }\n"
         "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\n"
         "st.global.u32 [%rd3], %r3;\nret; }\n";
}

std::uint32_t word(std::uint32_t thread, std::uint32_t at) { return at == 0 ? thread : 10 * at; }

// As nvcc writes it.
TEST(ParametersWithAnAddress, are_read_and_written_in_local_memory) {
  const Ran ran = run(calling("mov.b64 %rd1, box;\ncvta.local.u64 %rd2, %rd1;\n"
                              "cvta.to.local.u64 %rd3, %rd2;\nld.param.u32 %r1, [at];\n"
                              "mul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd5, %rd3, %rd4;\n"
                              "ld.local.u32 %r2, [%rd5];\nadd.u32 %r2, %r2, 1;\n"
                              "st.local.u32 [%rd5], %r2;\nadd.u64 %rd6, %rd2, %rd4;\n"
                              "ld.u32 %r3, [%rd6];\nst.param.b32 [result], %r3;\nret;\n"),
                      1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(ran.out[i], word(i, i % 4) + 1) << i;
}

// As clang writes it.
TEST(ParametersWithAnAddress, are_read_by_loads_of_parameters) {
  const Ran ran = run(calling("mov.b64 %rd1, box;\nld.param.u32 %r1, [at];\n"
                              "mul.wide.u32 %rd4, %r1, 4;\nadd.u64 %rd5, %rd1, %rd4;\n"
                              "ld.param.u32 %r2, [%rd5];\nst.param.b32 [result], %r2;\nret;\n"),
                      1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(ran.out[i], word(i, i % 4)) << i;
}

const char* const jumping =
    "BEGIN: mov.b64 %rd1, box;\nld.param.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 40;\n"
    "st.local.u32 [%rd1], %r1;\nsetp.lt.u32 %p1, %r1, 100;\n@%p1 bra BEGIN;\n"
    "st.param.b32 [result], %r1;\nret;\n";

TEST(ParametersWithAnAddress, are_copied_once) {
  const Ran ran = run(calling(jumping), 1, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(ran.out[i], i + (i < 20 ? 120 : i < 60 ? 80 : 40)) << i;
}

TEST(ParametersWithAnAddress, are_refused_where_a_function_jumps_to_its_begin) {
  std::string text = jumping;
  text.erase(0, text.find(' '));  // the label stands in front of the registers
  EXPECT_ANY_THROW(run(calling(text, "BEGIN: "), 1, 1));
}

TEST(Spellings, may_have_ftz_behind_the_type) {
  const std::string text =
      ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n"
      "{ .reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f32 %f<9>;\nld.param.u64 %rd1, [out];\n"
      "mov.f32 %f1, 0f40800000;\nrsqrt.approx.f32.ftz %f2, %f1;\n"
      "st.global.f32 [%rd1], %f2;\nret; }\n";
  const Ran ran = run(text, 1, 1);
  EXPECT_EQ(ran.out[0], 0x3f000000U);
}

}  // namespace
}  // namespace bankproof::ptx
