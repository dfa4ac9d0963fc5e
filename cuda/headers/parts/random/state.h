// What all generators of curand_kernel.h share. A program may define QUALIFIERS before it includes
// the header, to have the functions on the host, too.
#pragma once
#pragma GCC system_header

#include "../../cuda_runtime.h"

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif
// Without debug information, the inlined code has the line of the call.
#define BANKPROOF_RANDOM QUALIFIERS __attribute__((nodebug, unused))

// A table that each half of a .cu file has for itself.
#ifdef __CUDA_ARCH__
#define BANKPROOF_RANDOM_TABLE static __attribute__((constant)) const
#else
#define BANKPROOF_RANDOM_TABLE static const
#endif

/// What boxmuller_flag says of boxmuller_extra: it is the second number of a pair.
#define EXTRA_FLAG_NORMAL 0x00000001
#define EXTRA_FLAG_LOG_NORMAL 0x00000002

namespace bankproof_random {

template <class State>
BANKPROOF_RANDOM void forget_pairs(State* state) {
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
}

}  // namespace bankproof_random
