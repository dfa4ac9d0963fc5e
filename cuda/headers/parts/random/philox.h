// Philox 4x32 with ten rounds: it enciphers a counter of 128 bits to four numbers (Salmon, Moraes,
// Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
//
// The seed is the key. The low 64 bits of the counter count fours of numbers, the high ones
// subsequences. STATE says how many of the four in `output` were taken.
#pragma once
#pragma GCC system_header

#include "state.h"

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/// The four numbers for a counter.
BANKPROOF_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long x = 0xd2511f53ULL * c.x;
    const unsigned long long z = 0xcd9e8d57ULL * c.z;
    c = uint4{static_cast<unsigned int>(z >> 32) ^ c.y ^ key.x, static_cast<unsigned int>(z),
              static_cast<unsigned int>(x >> 32) ^ c.w ^ key.y, static_cast<unsigned int>(x)};
    key.x += 0x9e3779b9U;  // from the golden ratio
    key.y += 0xbb67ae85U;  // from the root of 3
  }
  return c;
}

namespace bankproof_random {

/// Adds n to the number of `low` and `high`; returns whether it has begun again.
BANKPROOF_RANDOM bool add(unsigned int& low, unsigned int& high, unsigned long long n) {
  const unsigned long long sum = (static_cast<unsigned long long>(high) << 32 | low) + n;
  low = static_cast<unsigned int>(sum);
  high = static_cast<unsigned int>(sum >> 32);
  return sum < n;
}

BANKPROOF_RANDOM void encipher(curandStatePhilox4_32_10_t* state) {
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}

BANKPROOF_RANDOM void next_fours(curandStatePhilox4_32_10_t* state, unsigned long long n) {
  if (add(state->ctr.x, state->ctr.y, n)) add(state->ctr.z, state->ctr.w, 1);
  encipher(state);
}

BANKPROOF_RANDOM unsigned int number(const uint4& four, unsigned int at) {
  return at == 0 ? four.x : at == 1 ? four.y : at == 2 ? four.z : four.w;
}

}  // namespace bankproof_random

BANKPROOF_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int result = bankproof_random::number(state->output, state->STATE);
  if (++state->STATE == 4) {
    state->STATE = 0;
    bankproof_random::next_fours(state, 1);
  }
  return result;
}

/// The next four numbers.
BANKPROOF_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 old = state->output;
  bankproof_random::next_fours(state, 1);
  const unsigned int at = state->STATE;
  const auto take = [&](unsigned int k) {
    return k < 4 ? bankproof_random::number(old, k)
                 : bankproof_random::number(state->output, k - 4);
  };
  return uint4{take(at), take(at + 1), take(at + 2), take(at + 3)};
}

BANKPROOF_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int taken = state->STATE + static_cast<unsigned int>(n & 3U);
  state->STATE = taken & 3U;
  bankproof_random::next_fours(state, n / 4 + taken / 4);
}

BANKPROOF_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  bankproof_random::add(state->ctr.z, state->ctr.w, n);
  bankproof_random::encipher(state);
}

BANKPROOF_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = uint4{0, 0, 0, 0};
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  state->STATE = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  bankproof_random::forget_pairs(state);
}
