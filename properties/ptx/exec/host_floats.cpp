// A program's own modes of floating-point arithmetic, such as <cfenv> and `-ffast-math` set, do not
// change what its kernels compute.
#include <gtest/gtest.h>

#include <cfenv>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "small_kernel.hpp"

namespace bankproof::ptx {
namespace {

/// Divides by the thread's number, halves the smallest normal number, and adds less than half of
/// the last place to 1 and to -1.
Ran run_floats() {
  return run(
      kernel("cvt.rn.f32.u32 %r5, %r1;\nmov.b32 %r6, 0f3F800000;\ndiv.rn.f32 %r7, %r6, %r5;\n"
             "mul.f32 %r8, %r5, 0f00800000;\nmul.f32 %r8, %r8, 0f3F000000;\n"
             "add.f32 %r9, %r6, 0f30000000;\nadd.f32 %r10, %r6, 0fB0000000;\n"
             "xor.b32 %r7, %r7, %r8;\nxor.b32 %r9, %r9, %r10;\nmad.lo.u32 %r7, %r9, 7, %r7;\n"
             "st.global.u32 [%rd2], %r7;\nret;"),
      3, 40);
}

class HostFloats : public ::testing::Test {
 protected:
  void SetUp() override { std::fegetenv(&before_); }
  void TearDown() override { std::fesetenv(&before_); }
  const Ran usual_ = run_floats();

 private:
  std::fenv_t before_{};
};

TEST_F(HostFloats, that_round_otherwise_change_no_kernel) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    EXPECT_EQ(run_floats().out, usual_.out) << mode;
    EXPECT_EQ(std::fegetround(), mode);
  }
}

#ifdef __GLIBC__
TEST_F(HostFloats, that_trap_change_no_kernel) {
  ASSERT_NE(feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_UNDERFLOW), -1);
  const Ran ran = run_floats();
  const int traps = fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(ran.out, usual_.out);
  EXPECT_EQ(traps, FE_DIVBYZERO | FE_INVALID | FE_UNDERFLOW);
}
#endif

#ifdef __SSE2__
TEST_F(HostFloats, without_subnormal_numbers_change_no_kernel) {
  constexpr unsigned flush = 0x8040;  // FTZ and DAZ
  _mm_setcsr(_mm_getcsr() | flush);
  EXPECT_EQ(run_floats().out, usual_.out);
  EXPECT_EQ(_mm_getcsr() & flush, flush);
}
#endif

}  // namespace
}  // namespace bankproof::ptx
