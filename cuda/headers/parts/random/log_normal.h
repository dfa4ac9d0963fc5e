// Numbers whose logarithm is normal, with a mean and a standard deviation. The state keeps the
// second of a pair, and not for curand_normal.
#pragma once
#pragma GCC system_header

#include "normal.h"

namespace bankproof_random {
BANKPROOF_RANDOM float exponential(float x, float mean, float deviation) {
  return expf(mean + deviation * x);
}
BANKPROOF_RANDOM double exponential(double x, double mean, double deviation) {
  return exp(mean + deviation * x);
}
}  // namespace bankproof_random

#define BANKPROOF_LOG_NORMAL(State, Number, suffix, Pair, pair)                                 \
  BANKPROOF_RANDOM Number curand_log_normal##suffix(State* state, Number mean, Number stddev) { \
    const bool is_kept = state->boxmuller_flag##suffix == EXTRA_FLAG_LOG_NORMAL;                \
    state->boxmuller_flag##suffix = is_kept ? 0 : EXTRA_FLAG_LOG_NORMAL;                        \
    if (is_kept) return state->boxmuller_extra##suffix;                                         \
    const Pair v = bankproof_random::pair(state);                                               \
    state->boxmuller_extra##suffix = bankproof_random::exponential(v.y, mean, stddev);          \
    return bankproof_random::exponential(v.x, mean, stddev);                                    \
  }                                                                                             \
  BANKPROOF_RANDOM Pair curand_log_normal2##suffix(State* state, Number mean, Number stddev) {  \
    const Pair v = bankproof_random::pair(state);                                               \
    return Pair{bankproof_random::exponential(v.x, mean, stddev),                               \
                bankproof_random::exponential(v.y, mean, stddev)};                              \
  }
#define BANKPROOF_LOG_NORMALS(State)                 \
  BANKPROOF_LOG_NORMAL(State, float, , float2, pair) \
  BANKPROOF_LOG_NORMAL(State, double, _double, double2, double_pair)
BANKPROOF_LOG_NORMALS(curandStateXORWOW_t)
BANKPROOF_LOG_NORMALS(curandStatePhilox4_32_10_t)
BANKPROOF_LOG_NORMALS(curandStateMRG32k3a_t)
#undef BANKPROOF_LOG_NORMALS
#undef BANKPROOF_LOG_NORMAL

BANKPROOF_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean,
                                           float stddev) {
  using bankproof_random::exponential;
  const float4 v = curand_normal4(state);
  return float4{exponential(v.x, mean, stddev), exponential(v.y, mean, stddev),
                exponential(v.z, mean, stddev), exponential(v.w, mean, stddev)};
}
BANKPROOF_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                                   double stddev) {
  using bankproof_random::exponential;
  const double4 v = curand_normal4_double(state);
  return double4{exponential(v.x, mean, stddev), exponential(v.y, mean, stddev),
                 exponential(v.z, mean, stddev), exponential(v.w, mean, stddev)};
}

#define BANKPROOF_LOG_NORMAL(State)                                                            \
  BANKPROOF_RANDOM float curand_log_normal(State* state, float mean, float stddev) {           \
    return bankproof_random::exponential(curand_normal(state), mean, stddev);                  \
  }                                                                                            \
  BANKPROOF_RANDOM double curand_log_normal_double(State* state, double mean, double stddev) { \
    return bankproof_random::exponential(curand_normal_double(state), mean, stddev);           \
  }
BANKPROOF_LOG_NORMAL(curandStateSobol32_t)
BANKPROOF_LOG_NORMAL(curandStateScrambledSobol32_t)
BANKPROOF_LOG_NORMAL(curandStateSobol64_t)
BANKPROOF_LOG_NORMAL(curandStateScrambledSobol64_t)
#undef BANKPROOF_LOG_NORMAL
