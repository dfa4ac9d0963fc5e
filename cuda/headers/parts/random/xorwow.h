// XORWOW: an xorshift generator of five words, to whose output a counter is added (Marsaglia,
// "Xorshift RNGs", Journal of Statistical Software 8, 2003, section 3.1).
//
// cuRAND begins a sequence from 64 bits of seed, whose words are changed and multiplied before they
// change Marsaglia's numbers. Subsequences are 2^67 numbers apart. A jump of 2^k steps is a
// polynomial in one step (xorwow_jumps.h): the sum of the words after those numbers of steps, below
// 160, whose coefficients are 1.
#pragma once
#pragma GCC system_header

// clang-format off: the table needs state.h
#include "state.h"
#include "xorwow_jumps.h"
// clang-format on

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

namespace bankproof_random {

/// What the counter grows by with each number.
constexpr unsigned int xorwow_stride = 362437U;

/// Replaces the words by those of the next step; the counter stays.
BANKPROOF_RANDOM void step(unsigned int* v) {
  const unsigned int t = v[0] ^ (v[0] >> 2);
  const unsigned int last = v[4] ^ (v[4] << 4) ^ t ^ (t << 1);
  for (int k = 0; k < 4; ++k) v[k] = v[k + 1];
  v[4] = last;
}

/// Makes the steps of one row of the table.
BANKPROOF_RANDOM void jump(unsigned int* v, int row) {
  unsigned int sum[5] = {0, 0, 0, 0, 0};
  for (int word = 0; word < 5; ++word) {
    unsigned int coefficients = xorwow_jumps[row][word];
#pragma unroll 1
    for (int bit = 0; bit < 32; ++bit) {
      const unsigned int mask = 0U - (coefficients & 1U);
      coefficients >>= 1;
      for (int k = 0; k < 5; ++k) sum[k] ^= v[k] & mask;
      step(v);
    }
  }
  for (int k = 0; k < 5; ++k) v[k] = sum[k];
}

/// Makes n times 2^first steps.
BANKPROOF_RANDOM void jump_far(unsigned int* v, unsigned long long n, int first) {
#pragma unroll 1
  for (int row = first; n != 0; n >>= 1, ++row) {
    if ((n & 1U) != 0) jump(v, row);
  }
}

}  // namespace bankproof_random

BANKPROOF_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
  bankproof_random::step(state->v);
  state->d += bankproof_random::xorwow_stride;
  return state->v[4] + state->d;
}

BANKPROOF_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  bankproof_random::jump_far(state->v, n, 0);
  state->d += bankproof_random::xorwow_stride * static_cast<unsigned int>(n);
}

/// The counter does not change, since 2^67 is a multiple of 2^32.
BANKPROOF_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  bankproof_random::jump_far(state->v, n, 67);
}

BANKPROOF_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573U * (static_cast<unsigned int>(seed) ^ 0xaad26b49U);
  const unsigned int high = 2591861531U * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddU);
  state->d = 6615241U + low + high;
  state->v[0] = 123456789U + low;
  state->v[1] = 362436069U ^ low;
  state->v[2] = 521288629U + high;
  state->v[3] = 88675123U ^ high;
  state->v[4] = 5783321U + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  bankproof_random::forget_pairs(state);
}
