// Normal numbers. Pseudorandom generators make them in pairs (Box and Muller, "A note on the
// generation of random normal deviates", 1958): the state keeps the second of a pair for the next
// call. Numbers of Sobol's sequences go through the inverse of the distribution function.
//
// The results have the order of operations that cuRAND's have. log, sqrt, sincospi and erfcinv may
// differ from CUDA's in the last bits, within CUDA's bounds.
#pragma once
#pragma GCC system_header

#include "uniform.h"

namespace bankproof_random {

BANKPROOF_RANDOM float2 on_circle(float radius, float angle) {
  float2 result;
#ifdef __CUDA_ARCH__
  __sincosf(angle, &result.x, &result.y);
#else
  result = {sinf(angle), cosf(angle)};
#endif
  result.x *= radius;
  result.y *= radius;
  return result;
}
/// The angle is in units of pi.
BANKPROOF_RANDOM double2 on_circle(double radius, double angle) {
  double2 result;
#ifdef __CUDA_ARCH__
  sincospi(angle, &result.x, &result.y);
#else
  result = {sin(angle * 3.1415926535897932), cos(angle * 3.1415926535897932)};
#endif
  result.x *= radius;
  result.y *= radius;
  return result;
}
BANKPROOF_RANDOM float radius(float u) { return sqrtf(-2.0f * logf(u)); }
BANKPROOF_RANDOM double radius(double u) { return sqrt(-2.0 * log(u)); }

constexpr float angle_step = 0x1p-32f * 6.2831855f;

BANKPROOF_RANDOM float2 pair_of(unsigned int x, unsigned int y) {
  const float r = radius(uniform(x));
  return on_circle(r, y * angle_step + angle_step / 2);
}
BANKPROOF_RANDOM double2 pair_of(unsigned int x0, unsigned int x1, unsigned int y0,
                                 unsigned int y1) {
  return on_circle(radius(uniform_double(x0, x1)), 2.0 * uniform_double(y0, y1));
}

template <class State>
BANKPROOF_RANDOM float2 pair(State* state) {
  const unsigned int x = curand(state);
  return pair_of(x, curand(state));
}
BANKPROOF_RANDOM float2 pair(curandStateMRG32k3a_t* state) {
  const float x = curand_uniform(state);
  const float y = curand_uniform(state) * 6.2831855f;
  return on_circle(radius(x), y);
}

BANKPROOF_RANDOM double2 double_pair(curandStateXORWOW_t* state) {
  unsigned int x[4];
  for (unsigned int& word : x) word = curand(state);
  return pair_of(x[0], x[1], x[2], x[3]);
}
BANKPROOF_RANDOM double2 double_pair(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return pair_of(x.x, x.y, x.z, x.w);
}
BANKPROOF_RANDOM double2 double_pair(curandStateMRG32k3a_t* state) {
  const double x = curand_uniform_double(state);
  const double y = curand_uniform_double(state) * 2.0;
  return on_circle(radius(x), y);
}

// The lower half of the distribution is computed, and mirrored.
BANKPROOF_RANDOM float from_normal(unsigned int x) {
  const bool upper = x > 0x80000000U;
  const float p = uniform(upper ? 0xffffffffU - x : x);
  return (upper ? 1.4142135f : -1.4142135f) * erfcinvf(2.0f * p);
}
BANKPROOF_RANDOM float from_normal(unsigned long long x) {
  return from_normal(static_cast<unsigned int>(x >> 32));
}
BANKPROOF_RANDOM double from_normal_double(unsigned int x) {
  const bool upper = x > 0x80000000U;
  const double p = (upper ? 0xffffffffU - x : x) * 0x1p-32 + 0x1p-33;
  return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}
BANKPROOF_RANDOM double from_normal_double(unsigned long long word) {
  const unsigned long long x = word >> 11;
  const bool upper = x > 0x10000000000000ULL;
  const double p = (upper ? 0x1fffffffffffffULL - x : x) * 0x1p-53 + 0x1p-54;
  return (upper ? 1.4142135623730951 : -1.4142135623730951) * erfcinv(2.0 * p);
}

}  // namespace bankproof_random

#define BANKPROOF_NORMAL(State)                                                                  \
  BANKPROOF_RANDOM float curand_normal(State* state) {                                           \
    const bool is_kept = state->boxmuller_flag == EXTRA_FLAG_NORMAL;                             \
    state->boxmuller_flag = is_kept ? 0 : EXTRA_FLAG_NORMAL;                                     \
    if (is_kept) return state->boxmuller_extra;                                                  \
    const float2 v = bankproof_random::pair(state);                                              \
    state->boxmuller_extra = v.y;                                                                \
    return v.x;                                                                                  \
  }                                                                                              \
  BANKPROOF_RANDOM float2 curand_normal2(State* state) { return bankproof_random::pair(state); } \
  BANKPROOF_RANDOM double curand_normal_double(State* state) {                                   \
    const bool is_kept = state->boxmuller_flag_double == EXTRA_FLAG_NORMAL;                      \
    state->boxmuller_flag_double = is_kept ? 0 : EXTRA_FLAG_NORMAL;                              \
    if (is_kept) return state->boxmuller_extra_double;                                           \
    const double2 v = bankproof_random::double_pair(state);                                      \
    state->boxmuller_extra_double = v.y;                                                         \
    return v.x;                                                                                  \
  }                                                                                              \
  BANKPROOF_RANDOM double2 curand_normal2_double(State* state) {                                 \
    return bankproof_random::double_pair(state);                                                 \
  }
BANKPROOF_NORMAL(curandStateXORWOW_t)
BANKPROOF_NORMAL(curandStatePhilox4_32_10_t)
BANKPROOF_NORMAL(curandStateMRG32k3a_t)
#undef BANKPROOF_NORMAL

BANKPROOF_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 first = bankproof_random::pair_of(x.x, x.y);
  const float2 second = bankproof_random::pair_of(x.z, x.w);
  return float4{first.x, first.y, second.x, second.y};
}
BANKPROOF_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = bankproof_random::double_pair(state);
  const double2 second = bankproof_random::double_pair(state);
  return double4{first.x, first.y, second.x, second.y};
}

#define BANKPROOF_NORMAL(State)                                 \
  BANKPROOF_RANDOM float curand_normal(State* state) {          \
    return bankproof_random::from_normal(curand(state));        \
  }                                                             \
  BANKPROOF_RANDOM double curand_normal_double(State* state) {  \
    return bankproof_random::from_normal_double(curand(state)); \
  }
BANKPROOF_NORMAL(curandStateSobol32_t)
BANKPROOF_NORMAL(curandStateScrambledSobol32_t)
BANKPROOF_NORMAL(curandStateSobol64_t)
BANKPROOF_NORMAL(curandStateScrambledSobol64_t)
#undef BANKPROOF_NORMAL
