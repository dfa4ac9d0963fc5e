// Arrays in local memory, of sizes on both sides of those from which on the memories of the lanes
// lie apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

/// A kernel with an array of so many bytes. `body` finds the array's address in %rd3.
std::string with_array(std::uint32_t bytes, const std::string& body) {
  return kernel(".local .align 16 .b8 array[" + std::to_string(bytes) +
                "];\nmov.u64 %rd3, array;\n" + body + "st.global.u32 [%rd2], %r6;\nret;");
}

std::string at(std::uint32_t offset) { return "[%rd3+" + std::to_string(offset) + "]"; }

class LocalArrays : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(LocalArrays, each_thread_has_one_of_its_own) {
  const std::uint32_t last = GetParam() - 4;
  const Ran ran = run(
      with_array(GetParam(), "mov.u32 %r6, 7;\nst.local.u32 " + at(0) + ", %r6;\nst.local.u32 " +
                                 at(last) + ", %r2;\nld.local.u32 %r6, " + at(last) +
                                 ";\nld.local.u32 %r7, " + at(0) + ";\nadd.u32 %r6, %r6, %r7;\n"),
      2, 64);
  EXPECT_THAT(ran.faults, IsEmpty());
  for (std::uint32_t thread = 0; thread < 128; ++thread) EXPECT_EQ(ran.out[thread], thread + 7);
}

TEST_P(LocalArrays, a_read_of_a_place_that_only_other_threads_have_written_is_reported) {
  const std::uint32_t last = GetParam() - 4;
  const Ran ran =
      run(with_array(GetParam(), "setp.ne.u32 %p1, %r1, 3;\n@%p1 st.local.u32 " + at(last) +
                                     ", %r1;\nld.local.u32 %r6, " + at(last) + ";\n"),
          1, 32);
  ASSERT_THAT(ran.faults, ElementsAre(FaultKind::uninitialized));
  EXPECT_THAT(ran.result.faults.all().begin()->second.message,
              EndsWith("at byte " + std::to_string(last) + " of local memory"));
}

TEST_P(LocalArrays, a_read_behind_the_end_is_out_of_bounds) {
  const Ran ran = run(with_array(GetParam(), "ld.local.u32 %r6, " + at(GetParam()) + ";\n"), 1, 32);
  EXPECT_THAT(ran.faults, ElementsAre(FaultKind::out_of_bounds));
}

INSTANTIATE_TEST_SUITE_P(Sizes, LocalArrays,
                         ::testing::Values(32U, 992U, 1024U, 1056U, 2048U, 4096U, 4608U, 32768U,
                                           524288U));

}  // namespace
}  // namespace bankproof::ptx
