// Sobol's sequences of 32 and 64 bits, in the order of the Gray code (Antonov and Saleev, "An
// economic method of computing LPτ-sequences", 1979): each number differs from the one before by
// one direction vector, that of the lowest zero of the count. Scrambled sequences begin at another
// number.
#pragma once
#pragma GCC system_header

#include "state.h"
#include "types.h"

#define BANKPROOF_SOBOL_STATE(name, Word, bits) \
  struct curandState##name {                    \
    Word i, x, c;                               \
    Word direction_vectors[bits];               \
  };                                            \
  typedef struct curandState##name curandState##name##_t;
BANKPROOF_SOBOL_STATE(Sobol32, unsigned int, 32)
BANKPROOF_SOBOL_STATE(ScrambledSobol32, unsigned int, 32)
BANKPROOF_SOBOL_STATE(Sobol64, unsigned long long, 64)
BANKPROOF_SOBOL_STATE(ScrambledSobol64, unsigned long long, 64)
#undef BANKPROOF_SOBOL_STATE

namespace bankproof_random {

/// Where the lowest zero is; the last place if there is none.
BANKPROOF_RANDOM int lowest_zero(unsigned int x) { return ~x == 0 ? 31 : __builtin_ctz(~x); }
BANKPROOF_RANDOM int lowest_zero(unsigned long long x) {
  return ~x == 0 ? 63 : __builtin_ctzll(~x);
}

template <class State, class Word>
BANKPROOF_RANDOM void begin(State* state, const Word* vectors, Word first) {
  constexpr int bits = 8 * sizeof(Word);
  state->i = 0;
  state->c = first;
  for (int k = 0; k < bits; ++k) state->direction_vectors[k] = vectors[k];
}

}  // namespace bankproof_random

#define BANKPROOF_SOBOL(name, Word)                                                \
  BANKPROOF_RANDOM Word curand(curandState##name##_t* state) {                     \
    const Word result = state->x;                                                  \
    state->x ^= state->direction_vectors[bankproof_random::lowest_zero(state->i)]; \
    ++state->i;                                                                    \
    return result;                                                                 \
  }                                                                                \
  BANKPROOF_RANDOM void skipahead(Word n, curandState##name##_t* state) {          \
    state->i += n;                                                                 \
    state->x = state->c;                                                           \
    const Word gray = state->i ^ (state->i >> 1);                                  \
    for (int k = 0; k < int(8 * sizeof(Word)); ++k) {                              \
      if ((gray >> k & 1U) != 0) state->x ^= state->direction_vectors[k];          \
    }                                                                              \
  }
#define BANKPROOF_PLAIN_SOBOL(name, Word, Vectors)                                                \
  BANKPROOF_SOBOL(name, Word)                                                                     \
  BANKPROOF_RANDOM void curand_init(Vectors vectors, Word offset, curandState##name##_t* state) { \
    bankproof_random::begin(state, vectors, static_cast<Word>(0));                                             \
    skipahead(offset, state);                                                                     \
  }
#define BANKPROOF_SCRAMBLED_SOBOL(name, Word, Vectors)                           \
  BANKPROOF_SOBOL(name, Word)                                                    \
  BANKPROOF_RANDOM void curand_init(Vectors vectors, Word scramble, Word offset, \
                                    curandState##name##_t* state) {              \
    bankproof_random::begin(state, vectors, scramble);                           \
    skipahead(offset, state);                                                    \
  }
BANKPROOF_PLAIN_SOBOL(Sobol32, unsigned int, curandDirectionVectors32_t)
BANKPROOF_PLAIN_SOBOL(Sobol64, unsigned long long, curandDirectionVectors64_t)
BANKPROOF_SCRAMBLED_SOBOL(ScrambledSobol32, unsigned int, curandDirectionVectors32_t)
BANKPROOF_SCRAMBLED_SOBOL(ScrambledSobol64, unsigned long long, curandDirectionVectors64_t)
#undef BANKPROOF_SCRAMBLED_SOBOL
#undef BANKPROOF_PLAIN_SOBOL
#undef BANKPROOF_SOBOL
