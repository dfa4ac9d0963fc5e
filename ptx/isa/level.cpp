// Asks the processor what it supports.
#include "level.hpp"

#if BANKPROOF_PTX_AVX2
#include <cpuid.h>
#endif

namespace bankproof::ptx {
namespace {

#if BANKPROOF_PTX_AVX2
/// Clang's __builtin_cpu_supports does not know F16C.
bool has_f16c() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

}  // namespace

Level best_level() {
#if BANKPROOF_PTX_AVX2
  static const bool has_all = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
                              has_f16c();
  if (has_all) return Level::avx2;
#endif
  return Level::portable;
}

}  // namespace bankproof::ptx
