// Accesses of compiled code do what they do in the interpreter: of registers that change between
// accesses, of lanes that are a row or nearly one, of some lanes, behind barriers and calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

#include "../../../testing/property.hpp"
#include "compiler.hpp"
#include "outcome.hpp"

namespace bankproof::ptx {
namespace {

class CompiledAccesses : public WithCompiler {};

const std::string head = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.shared .align 16 .b8 tile[2048];
.reg .pred %p<3>;
.reg .b32 %r<12>;
.reg .b64 %rd<9>;
.reg .b64 %d<3>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r10, tile;
shl.b32 %r2, %r1, 2;
mad.lo.u32 %r3, %r1, 4, %r10;
mad.lo.u32 %r4, %r1, 8, %r10;
mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd2, %rd2, %rd1;
mul.wide.u32 %rd3, %r1, 8;
add.s64 %rd3, %rd3, %rd1;
add.s64 %rd4, %rd1, 64;
and.b32 %r5, %r1, 1;
setp.eq.u32 %p1, %r5, 0;
mov.b64 %d1, %rd2;
mov.b64 %d2, %rd3;
)";

template <class T>
T one_of(const std::vector<T>& choices) {
  return choices[*rc::gen::inRange<std::size_t>(0, choices.size())];
}
std::string number(int from, int to, int step) {
  return std::to_string(*rc::gen::inRange(from, to) * step);
}

/// An instruction that changes an address, or makes one of what was loaded.
std::string change() {
  const std::string wide = "%rd" + number(2, 4, 1);
  const std::string narrow = "%r" + number(3, 5, 1);
  return one_of<std::string>({
      "add.s64 " + wide + ", " + wide + ", " + number(-2, 6, 4) + ";\n",
      "add.s64 " + wide + ", " + wide + ", 128;\n",
      "@%p1 add.s64 " + wide + ", " + wide + ", 4;\n",
      "xor.b64 " + wide + ", " + wide + ", 4;\n",
      "selp.b64 " + wide + ", %rd2, %rd3, %p1;\n",
      "add.u32 " + narrow + ", " + narrow + ", " + number(-2, 6, 4) + ";\n",
      "xor.b32 " + narrow + ", " + narrow + ", 124;\n",
      "ld.shared.u32 " + narrow + ", [tile+" + number(0, 8, 4) + "];\nand.b32 " + narrow + ", " +
          narrow + ", 508;\n",
      "ld.global.u32 %r6, [%rd1+" + number(0, 8, 4) +
          "];\nand.b32 %r6, %r6, 252;\n"
          "cvt.u64.u32 %rd5, %r6;\nadd.s64 " +
          wide + ", %rd1, %rd5;\n",
      one_of<std::string>({"", "@%p1 "}) + "ld.shared.u32 " + narrow + ", [tile];\n",
      one_of<std::string>({"", "@%p1 "}) + "ld.global.u64 " + wide + ", [%rd4+1024];\n",
      "mad.lo.u32 %r3, %r1, 4, %r10;\n",
      "bar.sync 0;\n",
  });
}

/// Of a register whose lanes are a row, unless a change has made it another.
std::string usual_access() {
  const std::string offset = "+" + number(0, 3, 8) + "]";
  const bool shared = *rc::gen::arbitrary<bool>();
  const std::string words = shared ? "shared.u32 " : "global.u32 ";
  const std::string pairs = shared ? "shared.v2.u32 " : "global.v2.u32 ";
  const std::string at = (shared ? "[%r3" : "[%rd2") + offset;
  const std::string at_pairs = (shared ? "[%r4" : "[%rd3") + offset;
  return one_of<std::string>({
      "ld." + words + "%r7, " + at + ";\n",
      "st." + words + at + ", %r1;\n",
      "ld." + pairs + "{%r7, %r8}, " + at_pairs + ";\n",
      "st." + pairs + at_pairs + ", {%r1, %r8};\n",
  });
}

std::string any_access() {
  const auto guard = one_of<std::string>({"", "", "", "@%p1 "});
  const bool shared = *rc::gen::arbitrary<bool>();
  const std::string at = shared ? "[%r" + number(3, 5, 1) + "+" + number(0, 40, 4) + "]"
                                : "[%rd" + number(2, 4, 1) + "+" + number(0, 40, 4) + "]";
  const std::string space = shared ? "shared" : "global";
  const auto of = one_of<std::string>({"%r7", "%r8", "%r1"});
  return guard +
         one_of<std::string>({
             "ld." + space + ".u32 " + one_of<std::string>({"%r7", "%r8"}) + ", " + at,
             "ld." + space + ".v2.u32 {%r7, %r8}, " + at,
             "ld." + space + ".u64 %d1, " + at,
             "ld." + space + ".v4.u32 {%r7, _, %r8, %r9}, " + at,
             "ld." + space + ".u16 %r7, " + at,
             "st." + space + ".u32 " + at + ", " + of,
             "st." + space + ".v2.u32 " + at + ", {%r7, %r8}",
             "st." + space + ".u64 " + at + ", %d2",
             "st." + space + ".u8 " + at + ", %r1",
         }) +
         ";\n";
}

std::string any_accesses() {
  std::string text = head + "mov.u32 %r7, %r1;\nmov.u32 %r8, %ctaid.x;\nmov.u32 %r9, 1;\n";
  text += "st.shared.u32 [tile], 256;\nst.global.u64 [%rd4+1024], %rd1;\nbar.sync 0;\n";
  const int size = *rc::gen::inRange(1, 60);
  for (int k = 0; k < size; ++k) {
    const int kind = *rc::gen::inRange(0, 8);
    text += kind == 0 ? any_access() : kind < 3 ? change() : usual_access();
  }
  return text + "add.u32 %r7, %r7, %r8;\nst.global.u32 [%rd2+1024], %r7;\nret;\n}\n";
}

constexpr std::size_t words = 600;  // an access may be out of bounds

TEST_F(CompiledAccesses, do_what_the_interpreter_does) {
  bankproof::testing::check_property([] {
    const std::string text = any_accesses();
    const auto threads = one_of<std::uint32_t>({32, 64, 64, 96, 40});
    const Outcome plain = outcome(text, threads, {.when = When::never}, words);
    const auto mixed = *rc::gen::inRange<std::uint64_t>(0, 3);
    RC_ASSERT(outcome(text, threads, {.mixed = mixed}, words) == plain);
  });
}

// Each warp loads a row, of which its odd lanes drop what they load; the first warp writes there.
TEST_F(CompiledAccesses, are_no_rows_if_lanes_drop_what_they_load) {
  const auto text = [](const std::string& selection) {
    return head +
           "and.b32 %r6, %r1, 31;\nmad.lo.u32 %r6, %r6, 4, %r10;\nsetp.lt.u32 %p2, %r1, 32;\n" +
           "@%p2 st.shared.u32 [%r6], %r1;\nbar.sync 0;\nld.shared.u32 %r7, [%r6];\n" + selection +
           "setp.lt.and.u32 %p2, %r1, 32, !%p1;\n@%p2 st.shared.u32 [%r6], %r8;\nret;\n}\n";
  };
  const Outcome compiled = outcome(text("selp.b32 %r8, %r7, 0, %p1;\n"), 64, {});
  EXPECT_THAT(compiled.faults, ::testing::IsEmpty());
  EXPECT_EQ(compiled, outcome(text("selp.b32 %r8, %r7, 0, %p1;\n"), 64, {.when = When::never}));
  EXPECT_THAT(outcome(text("mov.b32 %r8, %r7;\n"), 64, {}).faults,
              ::testing::SizeIs(::testing::Ge(1)));
}

// The register changes between two accesses of one block.
TEST_F(CompiledAccesses, that_keep_old_addresses_are_found) {
  const std::string ends = "st.global.u32 [%rd2], %r1;\nret;\n}\n";
  const std::array<std::string, 3> changes{
      "st.global.u32 [%rd2], %r1;\nadd.s64 %rd2, %rd2, 4;\n",
      "st.global.u32 [%rd2], %r1;\nxor.b64 %rd2, %rd2, 4;\n",
      "st.global.u64 [%rd3], %rd3;\nld.global.u32 %r7, [%rd2];\nld.global.u64 %rd2, [%rd4];\n"};
  for (const std::string& change : changes) {
    const std::string text = head + change + ends;
    const Outcome plain = outcome(text, 64, {.when = When::never}, words);
    EXPECT_EQ(outcome(text, 64, {}, words), plain);
    EXPECT_NE(outcome(text, 64, {.mistake = compiled::Mistake::keeps_addresses}, words), plain);
  }
}

}  // namespace
}  // namespace bankproof::ptx
