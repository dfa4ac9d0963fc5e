// Poisson numbers with the mean lambda.
//
// Pseudorandom generators multiply uniform numbers for means below 64 (Knuth, The Art of Computer
// Programming, volume 2, 3.4.1), and round normal numbers for means above 4000. Between, they
// reject: the envelope's distribution function is 1 / (1 + exp(t))², where t is linear in the
// number; how t depends on the mean was fitted by NVIDIA, and the numbers here make the same
// sequences. Sobol's numbers go through the inverse of the distribution function, or of the normal
// one from 1000 on.
#pragma once
#pragma GCC system_header

#include "normal.h"

namespace bankproof_random {

#ifdef __CUDA_ARCH__
#define BANKPROOF_FAST(name, code, on_host)                      \
  BANKPROOF_RANDOM float name(float x) {                         \
    float result;                                                \
    asm(code ".approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x)); \
    return result;                                               \
  }
#else
#define BANKPROOF_FAST(name, code, on_host) \
  BANKPROOF_RANDOM float name(float x) { return on_host; }
#endif
BANKPROOF_FAST(fast_rsqrt, "rsqrt", 1.0f / sqrtf(x))
BANKPROOF_FAST(fast_exp2, "ex2", exp2f(x))
BANKPROOF_FAST(fast_log2, "lg2", log2f(x))
BANKPROOF_FAST(fast_reciprocal, "rcp", 1.0f / x)
#undef BANKPROOF_FAST
BANKPROOF_RANDOM float fast_exp(float x) {
  return fast_exp2(static_cast<float>(x * 1.4426950408889634074));
}
BANKPROOF_RANDOM float fast_log(float x) {
  return static_cast<float>(fast_log2(x) * 0.69314718055994530942);
}

/// t is slope·(mean - x) - shift.
struct Envelope {
  float mean, slope, shift;
};
BANKPROOF_RANDOM Envelope envelope(float mean) {
  return {mean,
          1.43248035075540910f * fast_rsqrt(mean - 0.12400979329415655f) + 0.00025361074907033f,
          0.21096734870196546f * fast_rsqrt(mean - 1.97381164089999420f) + 0.94201734077887530f};
}
BANKPROOF_RANDOM float distribution(const Envelope& e, float x) {
  const float t = 1.0f + fast_exp(e.slope * (e.mean - x) - e.shift);
  return fast_reciprocal(t * t);
}
BANKPROOF_RANDOM float inverse(const Envelope& e, float y) {
  const float t = e.shift + fast_log(fast_rsqrt(y) - 1.0f);
  return -t * fast_reciprocal(e.slope) + e.mean;
}

/// The logarithm of (n - 1)!, by Stirling's series from n = 9 on.
BANKPROOF_RANDOM double log_of_factorial(int n) {
  double product = 1.0;
  if (n < 9) {
    for (int k = 2; k < n; ++k) product *= k;
    return log(product);
  }
  const double x = n, s = 1.0 / (x * x);
  const double series =
      (((((s / 1188 - 1.0 / 1680) * s + 1.0 / 1260) * s - 1.0 / 360) * s) + 1.0 / 12) / x;
  return (x - 0.5) * log(x) - x + 0.91893853320467274178 + series;
}

template <class State>
BANKPROOF_RANDOM unsigned int poisson_by_products(State* state, float lambda) {
  unsigned int count = 0;
  for (float product = expf(lambda);; ++count) {
    product *= curand_uniform(state);
    if (!(product > 1.0f)) return count;
  }
}

template <class State>
BANKPROOF_RANDOM unsigned int poisson_by_rejection(State* state, float lambda) {
  const Envelope e = envelope(lambda);
  const float log_lambda = fast_log(lambda);
  for (;;) {
    const float x = floorf(inverse(e, curand_uniform(state)));
    const float height = (distribution(e, x + 1.0f) - distribution(e, x)) * 1.3f;
    const float drawn = curand_uniform(state) * height;
    const float factorial = static_cast<float>(log_of_factorial(static_cast<int>(1.0f + x)));
    const float wanted = fast_exp(-lambda + x * log_lambda - factorial);
    if (drawn < wanted && height >= 1e-20) return static_cast<unsigned int>(x);
  }
}

BANKPROOF_RANDOM unsigned int poisson_of_normal(double normal, double lambda) {
  return static_cast<unsigned int>(sqrt(lambda) * normal + lambda + 0.5);
}

/// The smallest number at which the distribution function reaches the uniform number of x. Factors
/// of exp(-lambda) come 500 at a time, so that they do not vanish.
template <class Word>
BANKPROOF_RANDOM unsigned int poisson_of_uniform(Word x, double lambda) {
  const double u = sizeof(Word) == 4
                       ? static_cast<unsigned int>(x) * 0x1p-32 + 0x1p-33
                       : (static_cast<unsigned long long>(x) >> 11) * 0x1p-53 + 0x1p-55;
  double term = 1.0, sum = 1.0;
  unsigned int count = 0;
  int done = 0;
  do {
    const double factor = exp(lambda > done + 500.0 ? -500.0 : done - lambda);
    term *= factor;
    sum *= factor;
    done += 500;
    while (u > sum) {
      ++count;
      term *= lambda / count;
      sum += term;
    }
  } while (done < lambda);
  return count;
}

template <class State>
BANKPROOF_RANDOM unsigned int poisson(State* state, double lambda) {
  if (lambda < 64) return poisson_by_products(state, static_cast<float>(lambda));
  if (lambda > 4000) return poisson_of_normal(curand_normal_double(state), lambda);
  return poisson_by_rejection(state, static_cast<float>(lambda));
}
template <class State>
BANKPROOF_RANDOM unsigned int quasi_poisson(State* state, double lambda) {
  const auto x = curand(state);
  return lambda < 1000 ? poisson_of_uniform(x, lambda)
                       : poisson_of_normal(from_normal_double(x), lambda);
}

}  // namespace bankproof_random

#define BANKPROOF_POISSON(State, name)                                            \
  BANKPROOF_RANDOM unsigned int curand_poisson(State##_t* state, double lambda) { \
    return bankproof_random::name(state, lambda);                                 \
  }
BANKPROOF_POISSON(curandStateXORWOW, poisson)
BANKPROOF_POISSON(curandStatePhilox4_32_10, poisson)
BANKPROOF_POISSON(curandStateMRG32k3a, poisson)
BANKPROOF_POISSON(curandStateSobol32, quasi_poisson)
BANKPROOF_POISSON(curandStateScrambledSobol32, quasi_poisson)
BANKPROOF_POISSON(curandStateSobol64, quasi_poisson)
BANKPROOF_POISSON(curandStateScrambledSobol64, quasi_poisson)
#undef BANKPROOF_POISSON

BANKPROOF_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  using namespace bankproof_random;
  unsigned int result[4];
  if (lambda > 4000) {
    const double4 v = curand_normal4_double(state);
    return uint4{poisson_of_normal(v.x, lambda), poisson_of_normal(v.y, lambda),
                 poisson_of_normal(v.z, lambda), poisson_of_normal(v.w, lambda)};
  }
  for (unsigned int& one : result) one = poisson(state, lambda);
  return uint4{result[0], result[1], result[2], result[3]};
}
