// MRG32k3a: the difference of two recurrences of three numbers each, modulo m1 and m2 (L'Ecuyer,
// "Good parameters and implementations for combined multiple recursive random number generators",
// Operations Research 47, 1999).
//
// n steps are the n-th power of a 3 by 3 matrix. Subsequences are 2^76 numbers apart, and sequences
// 2^127; the compiler computes the matrices of these jumps.
#pragma once
#pragma GCC system_header

#include "state.h"

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

namespace bankproof_random {

constexpr unsigned int m1 = 4294967087U, m2 = 4294944443U;

struct Matrix {
  unsigned int at[3][3];
};

BANKPROOF_BOTH constexpr unsigned int multiplied(unsigned int x, unsigned int y, unsigned int m) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y % m);
}

BANKPROOF_BOTH constexpr Matrix squared(const Matrix& a, unsigned int m) {
  Matrix square = {};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      unsigned long long sum = 0;
      for (int k = 0; k < 3; ++k) sum += multiplied(a.at[i][k], a.at[k][j], m);
      square.at[i][j] = static_cast<unsigned int>(sum % m);
    }
  }
  return square;
}

/// The matrix of 2^doublings steps.
BANKPROOF_BOTH constexpr Matrix doubled(Matrix a, unsigned int m, int doublings) {
  for (int k = 0; k < doublings; ++k) a = squared(a, m);
  return a;
}

// One step: the numbers move up, and the last becomes 1403580·s[1] - 810728·s[0] modulo m1, or
// 527612·s[2] - 1370589·s[0] modulo m2.
constexpr Matrix one_step_1 = {{{0, 1, 0}, {0, 0, 1}, {m1 - 810728U, 1403580U, 0}}};
constexpr Matrix one_step_2 = {{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589U, 0, 527612U}}};

BANKPROOF_RANDOM void apply(const Matrix& a, unsigned int* s, unsigned int m) {
  unsigned int result[3];
  for (int i = 0; i < 3; ++i) {
    unsigned long long sum = 0;
    for (int k = 0; k < 3; ++k) sum += multiplied(a.at[i][k], s[k], m);
    result[i] = static_cast<unsigned int>(sum % m);
  }
  for (int i = 0; i < 3; ++i) s[i] = result[i];
}

BANKPROOF_RANDOM void apply_power(Matrix a, unsigned long long n, unsigned int* s, unsigned int m) {
#pragma unroll 1
  for (; n != 0; n >>= 1) {
    if ((n & 1U) != 0) apply(a, s, m);
    a = squared(a, m);
  }
}

template <int doublings>
BANKPROOF_RANDOM void jump(unsigned long long n, curandStateMRG32k3a_t* state) {
  constexpr Matrix first = doubled(one_step_1, m1, doublings);
  constexpr Matrix second = doubled(one_step_2, m2, doublings);
  apply_power(first, n, state->s1, m1);
  apply_power(second, n, state->s2, m2);
}

BANKPROOF_RANDOM unsigned int next(unsigned int* s, unsigned long long sum, unsigned int m) {
  s[0] = s[1];
  s[1] = s[2];
  return s[2] = static_cast<unsigned int>(sum % m);
}

}  // namespace bankproof_random

/// The next number, from 1 to m1.
BANKPROOF_RANDOM double curand_MRG32k3a(curandStateMRG32k3a_t* state) {
  using namespace bankproof_random;
  unsigned int *s1 = state->s1, *s2 = state->s2;
  const unsigned int first = next(s1, 1403580ULL * s1[1] + 810728ULL * (m1 - s1[0]), m1);
  const unsigned int second = next(s2, 527612ULL * s2[2] + 1370589ULL * (m2 - s2[0]), m2);
  return first > second ? first - second : first - second + m1;
}

/// Spreads the numbers over 32 bits.
BANKPROOF_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(curand_MRG32k3a(state) * 1.000000048662);
}

BANKPROOF_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  bankproof_random::jump<0>(n, state);
}
BANKPROOF_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  bankproof_random::jump<76>(n, state);
}
BANKPROOF_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  bankproof_random::jump<127>(n, state);
}

/// The halves of a seed multiply L'Ecuyer's numbers in turn; the seed 0 changes nothing.
BANKPROOF_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStateMRG32k3a_t* state) {
  using namespace bankproof_random;
  const unsigned int low = seed == 0 ? 1U : static_cast<unsigned int>(seed) ^ 0x55555555U;
  const unsigned int high = seed == 0 ? 1U : static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaaU;
  for (int k = 0; k < 3; ++k) {
    state->s1[k] = multiplied(k % 2 == 0 ? low : high, 12345U, m1);
    state->s2[k] = multiplied(k % 2 == 0 ? high : low, 12345U, m2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  forget_pairs(state);
}
