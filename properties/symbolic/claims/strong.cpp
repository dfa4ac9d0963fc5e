// Which accesses of one place race: volatile, relaxed and atomic ones against each other and
// against plain ones. For each pair, the machine and the questions about races must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "race_questions.hpp"

namespace bankproof::symbolic {
namespace {

constexpr std::array<const char*, 21> accesses = {
    "ld.global.u32 %r5, [%rd1];",
    "st.global.u32 [%rd1], 7;",
    "ld.volatile.global.u32 %r5, [%rd1];",
    "st.volatile.global.u32 [%rd1], 7;",
    "ld.relaxed.cta.global.u32 %r5, [%rd1];",
    "ld.relaxed.gpu.global.u32 %r5, [%rd1];",
    "ld.acquire.sys.global.u32 %r5, [%rd1];",
    "st.relaxed.cluster.global.u32 [%rd1], 7;",
    "st.release.gpu.global.u32 [%rd1], 7;",
    "st.volatile.global.u8 [%rd1], 7;",
    "st.volatile.global.u64 [%rd1], 7;",
    "ld.volatile.global.u64 %rd2, [%rd1];",
    "ld.volatile.global.v2.u32 {%r5, %r6}, [%rd1];",
    "st.volatile.global.v2.u32 [%rd1], {%r1, %r1};",
    "atom.global.add.u32 %r5, [%rd1], 1;",
    "red.relaxed.cta.global.add.u32 [%rd1], 1;",
    "atom.acq_rel.gpu.global.exch.b64 %rd2, [%rd1], 7;",
    // Each half of a packed number is accessed by itself.
    "atom.global.add.noftz.f16x2 %r5, [%rd1], %r1;",
    "red.global.add.noftz.bf16x2 [%rd1], %r1;",
    "st.volatile.global.u16 [%rd1], 7;",
    "ld.relaxed.gpu.global.u16 %r5, [%rd1];",
};

const AskedLaunch of_a_block{{1, 1, 1}, {2, 1, 1}, ask_race, 2};
const AskedLaunch of_two_blocks{{2, 1, 1}, {1, 1, 1}, ask_blocks, 2};

/// One thread executes the first access, the other one the second, of the same place.
ptx::Module kernel(const std::string& first, const std::string& second) {
  return ptx::parse(
      ".version 8.3\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
      ".reg .pred %p<2>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"
      "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
      "add.u32 %r1, %r1, %r2;\nsetp.eq.u32 %p1, %r1, 0;\n"
      "@%p1 " +
          first + "\n@!%p1 " + second + "\nret;\n}\n",
      "k.ptx");
}

void compare(const AskedLaunch& launch, int& races, int& pairs) {
  for (const char* const first : accesses) {
    for (const char* const second : accesses) {
      const ptx::Module module = kernel(first, second);
      const bool does_race = !races_of(module, launch, 0).empty();
      const Questions questions(module, launch);
      const std::vector<Lines> asked = questions.pairs();
      const bool may_race = std::any_of(asked.begin(), asked.end(), [&](const Lines& lines) {
        return questions.may_race(lines);
      });
      EXPECT_EQ(may_race, does_race) << first << '\n' << second;
      races += does_race ? 1 : 0;
      ++pairs;
    }
  }
}

TEST(StrongAccesses, race_as_on_the_machine) {
  int races = 0;
  int pairs = 0;
  compare(of_a_block, races, pairs);
  EXPECT_GT(races, pairs / 4);
  EXPECT_LT(races, 3 * pairs / 4);
}

TEST(StrongAccesses, race_as_on_the_machine_between_blocks) {
  int races = 0;
  int pairs = 0;
  compare(of_two_blocks, races, pairs);
  EXPECT_GT(races, pairs / 4);
  EXPECT_LT(races, 9 * pairs / 10);
}

}  // namespace
}  // namespace bankproof::symbolic
