// Bytes of a load that nothing uses need not be written: structures are loaded with their padding.
#include "../../../ptx/flow/used_bits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "../../../ptx/syntax/parser.hpp"
#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The unused bytes of the first load of the body, of 8-byte elements.
std::uint32_t unused(const std::string& body) {
  const Module module = parse(kernel(body), "k.ptx");
  const Function& function = module.functions.back();
  const UsedBits used(function);
  for (const Statement& statement : function.body) {
    const auto* const i = std::get_if<Instruction>(&statement);
    if (i != nullptr && i->base == "ld" && !i->has("param")) return used.unused_bytes(*i, 8);
  }
  return 0;
}

const std::string load = "ld.global.u64 %rd5, [%rd1];\n";
const std::string store = "st.global.u32 [%rd2], %r5;\nret;";

TEST(UsedBits, go_backwards_through_instructions_that_only_move_bits) {
  const auto of = [](const std::string& moves) { return unused(load + moves + store); };
  EXPECT_EQ(of(""), 0xFFU);
  EXPECT_EQ(of("cvt.u32.u64 %r5, %rd5;\n"), 0xF0U);
  EXPECT_EQ(of("mov.b64 {%r6, %r5}, %rd5;\n"), 0x0FU);
  EXPECT_EQ(of("mov.b64 {%r5, %r6}, %rd5;\nmov.b64 %rd6, {%r6, %r5};\ncvt.u32.u64 %r5, %rd6;\n"),
            0x00U);
  // Both values of %rd6 are one register, whose lower half is used.
  EXPECT_EQ(of("mov.u64 %rd6, %rd5;\nshr.u64 %rd6, %rd6, 40;\ncvt.u32.u64 %r5, %rd6;\n"), 0x10U);
  EXPECT_EQ(of("shr.u64 %rd6, %rd5, 40;\ncvt.u32.u64 %r5, %rd6;\n"), 0x1FU);
  EXPECT_EQ(of("shr.s64 %rd6, %rd5, 8;\ncvt.u32.u64 %r5, %rd6;\n"), 0xE1U);
  EXPECT_EQ(of("shl.b64 %rd6, %rd5, 16;\ncvt.u32.u64 %r5, %rd6;\n"), 0xFCU);
  EXPECT_EQ(of("and.b64 %rd6, %rd5, 65280;\ncvt.u32.u64 %r5, %rd6;\n"), 0xFDU);
  EXPECT_EQ(of("cvt.u32.u64 %r6, %rd5;\nshfl.sync.idx.b32 %r5|%p1, %r6, 0, 31, -1;\n"), 0xF0U);
  EXPECT_EQ(of("cvt.u32.u64 %r6, %rd5;\nselp.b32 %r5, 1, %r6, %p1;\n"), 0xF0U);
  // Copies of a sign
  EXPECT_EQ(of("cvt.s64.s8 %rd6, %rd5;\nshr.u64 %rd7, %rd6, 56;\ncvt.u32.u64 %r5, %rd7;\n"), 0xFEU);
  EXPECT_EQ(of("shr.s64 %rd6, %rd5, 40;\nshr.u64 %rd7, %rd6, 32;\ncvt.u32.u64 %r5, %rd7;\n"),
            0x7FU);
}

TEST(UsedBits, are_all_bits_of_what_decides_or_computes) {
  const auto of = [](const std::string& uses) {
    return unused(load + "cvt.u32.u64 %r5, %rd5;\n" + uses + store);
  };
  EXPECT_EQ(of("add.u64 %rd6, %rd5, 1;\n"), 0U);
  EXPECT_EQ(of("setp.lt.u64 %p1, %rd5, 9;\n"), 0U);
  EXPECT_EQ(of("st.global.u64 [%rd2+8], %rd5;\n"), 0U);
  EXPECT_EQ(of("ld.global.u32 %r6, [%rd5];\n"), 0U);
  EXPECT_EQ(of("st.global.u32 [%rd5], %r1;\n"), 0U);
  EXPECT_EQ(of("red.global.add.u32 [%rd5], %r1;\n"), 0U);
  EXPECT_EQ(of("shr.u64 %rd6, %rd1, %r5;\nshl.b64 %rd7, %rd5, %r5;\n"), 0U);
  EXPECT_EQ(of("mov.u64 %rd6, %rd5;\n@%p1 mov.u64 %rd7, %rd6;\nst.global.u64 [%rd2], %rd7;\n"), 0U);
}

TEST(UsedBits, of_vectors_are_told_by_elements) {
  EXPECT_EQ(unused("ld.global.v2.u64 {%rd5, %rd6}, [%rd1];\ncvt.u32.u64 %r5, %rd6;\n" + store),
            0xF0FFU);
  EXPECT_EQ(unused("ld.global.v2.u64 {_, %rd6}, [%rd1];\nst.global.u64 [%rd1], %rd6;\nret;"),
            0xFFU);
}

TEST(UsedBits, alone_have_to_be_written) {
  const std::string tile = ".shared .align 8 .b8 tile[256];\n";
  const std::string half =
      "mov.u32 %r6, tile;\nmad.lo.u32 %r6, %r1, 8, %r6;\nst.shared.u32 [%r6], %r1;\n"
      "ld.shared.u64 %rd5, [%r6];\n";
  const Ran padding = run(kernel(half + "cvt.u32.u64 %r5, %rd5;\n" + store, tile), 1, 32);
  EXPECT_THAT(padding.faults, IsEmpty());
  EXPECT_EQ(padding.out[31], 31U);
  const Ran used =
      run(kernel(half + "shr.u64 %rd5, %rd5, 32;\ncvt.u32.u64 %r5, %rd5;\n" + store, tile), 1, 32);
  EXPECT_THAT(used.faults, SizeIs(1));
  EXPECT_THAT(used.faults, Each(FaultKind::uninitialized));
}

/// An instruction that moves bits among %rd5 to %rd8 and %r5 to %r8.
std::string any_move() {
  const auto wide = [] { return "%rd" + std::to_string(*rc::gen::inRange(5, 9)); };
  const auto narrow = [] { return "%r" + std::to_string(*rc::gen::inRange(5, 9)); };
  const auto number = [](int end) { return std::to_string(*rc::gen::inRange(0, end)); };
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      return "cvt.u32.u64 " + narrow() + ", " + wide();
    case 1:
      return "cvt.s64.s32 " + wide() + ", " + narrow();
    case 2:
      return "mov.b64 {" + narrow() + ", " + narrow() + "}, " + wide();
    case 3:
      return "mov.b64 " + wide() + ", {" + narrow() + ", " + narrow() + "}";
    case 4:
      return "shr.u64 " + wide() + ", " + wide() + ", " + number(70);
    case 5:
      return "shr.s32 " + narrow() + ", " + narrow() + ", " + number(40);
    case 6:
      return "shl.b64 " + wide() + ", " + wide() + ", " + number(70);
    case 7:
      return "and.b64 " + wide() + ", " + wide() + ", " + number(1 << 20);
    case 8:
      return "xor.b32 " + narrow() + ", " + narrow() + ", " + narrow();
    case 9:
      return "not.b64 " + wide() + ", " + wide();
    case 10:
      return "selp.b32 " + narrow() + ", " + narrow() + ", " + narrow() + ", %p1";
    default:
      return "add.u32 " + narrow() + ", " + narrow() + ", " + narrow();
  }
}

RC_GTEST_PROP(UsedBits, other_bytes_of_a_load_change_nothing, ()) {
  std::string body = "setp.eq.u32 %p1, %r1, 0;\n";
  for (int k = 5; k < 9; ++k) {
    body += "mov.u64 %rd" + std::to_string(k) + ", 77;\nmov.u32 %r" + std::to_string(k) + ", 99;\n";
  }
  body += load;
  const int moves = *rc::gen::inRange(1, 12);
  for (int k = 0; k < moves; ++k) body += any_move() + ";\n";
  body += "st.global.u32 [%rd1+8], %r5;\nst.global.u32 [%rd1+12], %r6;\nret;";
  const std::uint32_t free = unused(body);
  const auto results = [&](std::uint64_t loaded) {
    KernelRun kernel_run(kernel(body), "k");
    const std::uint32_t buffer = kernel_run.buffer(std::vector<std::uint64_t>{loaded, 0});
    kernel_run.launch({1, 1, 1}, {1, 1, 1});
    return kernel_run.data<std::uint64_t>(buffer)[1];
  };
  const auto loaded = *rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>());
  std::uint64_t changed = loaded;
  for (int k = 0; k < 8; ++k) {
    if ((free >> k & 1U) != 0) changed ^= std::uint64_t{0xFF} << (8 * k);
  }
  RC_TAG(free != 0);
  RC_ASSERT(results(loaded) == results(changed));
}

}  // namespace
}  // namespace bankproof::ptx
