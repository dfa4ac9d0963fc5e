// Which registers a block may read before it writes them. Blocks use the frames of earlier blocks
// again, and must not see what those left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../../../ptx/syntax/parser.hpp"
#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

/// The number of 32-bit registers that the kernel may read first.
std::size_t bytes_read_first_in(const std::string& text) {
  const Program program = decode(parse(text, "k.ptx"), "k");
  std::size_t bytes = 0;
  for (const SlotRange& range : program.functions.front()->read_first) bytes += range.bytes;
  return bytes / slot_bytes(LaneType::b32);
}
/// The same for a kernel with this body.
std::size_t bytes_read_first(const std::string& body) { return bytes_read_first_in(kernel(body)); }

TEST(FirstReads, are_of_registers_that_some_path_does_not_write) {
  EXPECT_EQ(bytes_read_first("mov.u32 %r8, 1;\nadd.u32 %r9, %r8, 1;\nret;"), 0U);
  EXPECT_EQ(bytes_read_first("add.u32 %r9, %r8, 1;\nret;"), 1U);
  EXPECT_EQ(bytes_read_first("add.u32 %r8, %r8, 1;\nret;"), 1U);
  const std::string branch = "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra L;\nmov.u32 %r8, 1;\n";
  EXPECT_EQ(bytes_read_first(branch + "L:\nmov.u32 %r9, %r8;\nret;"), 1U);
  EXPECT_EQ(bytes_read_first(branch + "bra M;\nL:\nmov.u32 %r8, 2;\nM:\nmov.u32 %r9, %r8;\nret;"),
            0U);
  // The second round reads what the first round has written.
  EXPECT_EQ(bytes_read_first("mov.u32 %r9, 0;\nL:\nsetp.lt.u32 %p1, %r9, 5;\nadd.u32 %r9, %r9, 1;\n"
                             "mov.u32 %r8, %r9;\n@%p1 bra L;\nmov.u32 %r10, %r8;\nret;"),
            0U);
}

TEST(FirstReads, include_the_very_first_register_and_all_of_several) {
  EXPECT_EQ(bytes_read_first_in(".version 8.3\n.target sm_90\n.address_size 64\n"
                                ".visible .entry k()\n{\n.reg .b32 %r<9>;\n"
                                "add.u32 %r2, %r1, 1;\nret;\n}\n"),
            1U);
  EXPECT_EQ(bytes_read_first("add.u32 %r9, %r8, %r10;\nret;"), 2U);
  EXPECT_EQ(bytes_read_first("add.u32 %r9, %r8, 1;\nmov.u32 %r20, 1;\nmov.u32 %r21, 1;\n"
                             "add.u32 %r9, %r10, 1;\nret;"),
            2U);
}

// Either arm of the branch may be the one that does not write.
TEST(FirstReads, include_those_that_one_arm_does_not_write) {
  const std::string test = "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra L;\n";
  EXPECT_EQ(bytes_read_first(test + "mov.u32 %r8, 1;\nbra M;\nL:\nbra M;\nM:\nmov.u32 %r9, %r8;\n"
                                    "ret;"),
            1U);
  EXPECT_EQ(bytes_read_first(test + "bra M;\nL:\nmov.u32 %r8, 1;\nM:\nmov.u32 %r9, %r8;\nret;"),
            1U);
  std::string many = ".reg .b32 %q<200>;\n";
  for (int k = 0; k < 100; ++k) many += "mov.u32 %q" + std::to_string(k) + ", 1;\n";
  many += test + "mov.u32 %q100, 1;\nbra M;\nL:\nmov.u32 %q101, 1;\nM:\n";
  EXPECT_EQ(bytes_read_first(many + "add.u32 %r9, %q100, %q101;\nret;"), 2U);
}

TEST(FirstReads, include_those_after_a_write_under_a_guard) {
  EXPECT_EQ(bytes_read_first("setp.lt.u32 %p1, %r1, 5;\n@%p1 mov.u32 %r8, 1;\n"
                             "mov.u32 %r9, %r8;\nret;"),
            1U);
}

// Each block reads %r8, adds its number and writes the sum: 0 + its number if %r8 begins as zero.
TEST(FirstReads, are_zeros_in_each_block) {
  const Ran ran = run(kernel("mov.u32 %r7, %ctaid.x;\nadd.u32 %r7, %r7, 1;\n"
                             "add.u32 %r8, %r8, %r7;\nsub.u32 %r9, %r8, %r7;\n"
                             "st.global.u32 [%rd2], %r9;\nret;"),
                      8, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  EXPECT_THAT(ran.out, Each(0U));
}

// The condition code of the block before is not this block's.
TEST(FirstReads, of_the_carry_are_zeros_in_each_block) {
  const Ran ran = run(kernel("mov.u32 %r7, 0;\naddc.u32 %r8, %r7, 0;\nst.global.u32 [%rd2], %r8;\n"
                             "mov.u32 %r9, -1;\nadd.cc.u32 %r9, %r9, 1;\nret;"),
                      8, 64);
  EXPECT_THAT(ran.out, Each(0U));
}

// Only block 0 gives the function a parameter.
TEST(FirstReads, of_parameters_are_zeros_in_each_block) {
  const Ran ran = run(kernel("setp.eq.u32 %p1, %r3, 0;\nmov.u32 %r7, 77;\n{\n.param .b32 p;\n"
                             "@%p1 st.param.b32 [p], %r7;\n.param .b32 q;\ncall.uni (q), f, (p);\n"
                             "ld.param.b32 %r8, [q];\n}\nst.global.u32 [%rd2], %r8;\nret;",
                             ".func (.param .b32 q) f(.param .b32 p)\n{\n.reg .b32 %r<3>;\n"
                             "ld.param.b32 %r1, [p];\nst.param.b32 [q], %r1;\nret;\n}\n"),
                      4, 64);
  for (std::uint32_t t = 0; t < 256; ++t) EXPECT_EQ(ran.out[t], t < 64 ? 77U : 0U) << t;
}

// Half of the lanes write %r8 in odd blocks; in even blocks all must read zeros.
TEST(FirstReads, are_zeros_in_lanes_that_wrote_them_in_another_block) {
  const Ran ran = run(kernel("mov.u32 %r7, %ctaid.x;\nand.b32 %r6, %r7, 1;\n"
                             "and.b32 %r5, %r1, 1;\nand.b32 %r6, %r6, %r5;\n"
                             "setp.eq.u32 %p1, %r6, 1;\n@%p1 mov.u32 %r8, 77;\n"
                             "st.global.u32 [%rd2], %r8;\nret;"),
                      4, 64);
  for (std::uint32_t t = 0; t < 256; ++t) {
    EXPECT_EQ(ran.out[t], t / 64 % 2 == 1 && t % 2 == 1 ? 77U : 0U) << t;
  }
}

}  // namespace
}  // namespace bankproof::ptx
