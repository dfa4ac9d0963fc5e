// Uniform numbers in (0, 1]: an integer of 32 or 53 bits is scaled, and half a step is added. For
// doubles, integers of 32 bits get a whole step (cuRAND's documentation tells the range; the steps
// were measured).
#pragma once
#pragma GCC system_header

#include "mrg32k3a.h"
#include "philox.h"
#include "sobol.h"
#include "xorwow.h"

namespace bankproof_random {

BANKPROOF_RANDOM float uniform(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
BANKPROOF_RANDOM float uniform(unsigned long long x) {
  return uniform(static_cast<unsigned int>(x >> 32));
}
BANKPROOF_RANDOM double uniform_double(unsigned int x) { return x * 0x1p-32 + 0x1p-32; }
BANKPROOF_RANDOM double uniform_double(unsigned long long x) {
  return (x >> 11) * 0x1p-53 + 0x1p-54;
}
/// Of 53 bits from two words.
BANKPROOF_RANDOM double uniform_double(unsigned int x, unsigned int y) {
  const unsigned long long z = x ^ (static_cast<unsigned long long>(y) << 21);
  return z * 0x1p-53 + 0x1p-54;
}

/// Numbers of MRG32k3a are scaled by this, which is about 1 / (m1 + 1).
constexpr double mrg32k3a_scale = 2.3283065498378288e-10;

}  // namespace bankproof_random

#define BANKPROOF_UNIFORM(State)                            \
  BANKPROOF_RANDOM float curand_uniform(State##_t* state) { \
    return bankproof_random::uniform(curand(state));        \
  }
#define BANKPROOF_UNIFORM_DOUBLE(State)                             \
  BANKPROOF_RANDOM double curand_uniform_double(State##_t* state) { \
    return bankproof_random::uniform_double(curand(state));         \
  }
BANKPROOF_UNIFORM(curandStateXORWOW)
BANKPROOF_UNIFORM(curandStatePhilox4_32_10)
BANKPROOF_UNIFORM(curandStateSobol32)
BANKPROOF_UNIFORM(curandStateScrambledSobol32)
BANKPROOF_UNIFORM(curandStateSobol64)
BANKPROOF_UNIFORM(curandStateScrambledSobol64)
BANKPROOF_UNIFORM_DOUBLE(curandStatePhilox4_32_10)
BANKPROOF_UNIFORM_DOUBLE(curandStateSobol32)
BANKPROOF_UNIFORM_DOUBLE(curandStateScrambledSobol32)
BANKPROOF_UNIFORM_DOUBLE(curandStateSobol64)
BANKPROOF_UNIFORM_DOUBLE(curandStateScrambledSobol64)
#undef BANKPROOF_UNIFORM_DOUBLE
#undef BANKPROOF_UNIFORM

BANKPROOF_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(curand_MRG32k3a(state) * bankproof_random::mrg32k3a_scale);
}
BANKPROOF_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return curand_MRG32k3a(state) * bankproof_random::mrg32k3a_scale;
}
BANKPROOF_RANDOM double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int x = curand(state);
  return bankproof_random::uniform_double(x, curand(state));
}

BANKPROOF_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using namespace bankproof_random;
  const uint4 x = curand4(state);
  return float4{uniform(x.x), uniform(x.y), uniform(x.z), uniform(x.w)};
}
BANKPROOF_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return double2{bankproof_random::uniform_double(x.x, x.y),
                 bankproof_random::uniform_double(x.z, x.w)};
}
BANKPROOF_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_uniform2_double(state);
  const double2 second = curand_uniform2_double(state);
  return double4{first.x, first.y, second.x, second.y};
}
