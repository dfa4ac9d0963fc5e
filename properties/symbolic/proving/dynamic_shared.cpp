// Dynamic shared memory, of a size that a formula states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "kernels.hpp"

namespace bankproof::symbolic {
namespace {

using ::testing::Contains;

/// Each thread writes a word of `words`.
constexpr const char* own_words = R"(
.version 7.8
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 words[];
.visible .entry own_words(.param .u32 n)
{
.reg .b32 %r<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r2, words;
mad.lo.s32 %r3, %r1, 4, %r2;
st.shared.u32 [%r3], %r1;
ret;
}
)";

KernelProof bounds_with(const std::string& shared) {
  Request request = request_for(own_words);
  request.claims = {Claim::bounds};
  request.shared = shared;
  request.where = {"arg0 % 4 == 0"};
  return prove(request);
}

TEST(DynamicSharedMemory, may_have_a_size_that_depends_on_the_launch) {
  EXPECT_EQ(bounds_with("").decisions.front().verdict, Verdict::unknown);
  const KernelProof proof = bounds_with("4 * blockDim.x");
  EXPECT_EQ(proof.decisions.front().verdict, Verdict::proved);
  EXPECT_THAT(proof.assumptions, Contains("--shared 4 * blockDim.x is from 0 to 232448 bytes"));
  EXPECT_EQ(bounds_with("4096").decisions.front().verdict, Verdict::proved);
}

TEST(DynamicSharedMemory, that_is_too_small_is_found_by_a_launch_of_that_size) {
  for (const char* const size : {"4 * blockDim.x - 4", "2 * blockDim.x", "arg0", "4092"}) {
    const KernelProof proof = bounds_with(size);
    EXPECT_EQ(proof.decisions.front().verdict, Verdict::refuted) << size;
  }
}

TEST(DynamicSharedMemory, that_no_launch_has_is_refused) {
  for (const char* const size : {"232449", "-4", "m", "4 *", "4 / 0", "1 << 40"}) {
    EXPECT_THROW(bounds_with(size), PremiseError) << size;
  }
}

}  // namespace
}  // namespace bankproof::symbolic
