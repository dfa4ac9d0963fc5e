// MTGP32 is not here: its parameters are large tables. A program that only names the type compiles;
// a call is an error that says so.
#pragma once
#pragma GCC system_header

#include "state.h"

struct curandStateMtgp32;
typedef struct curandStateMtgp32 curandStateMtgp32_t;
struct mtgp32_kernel_params;
typedef struct mtgp32_kernel_params mtgp32_kernel_params_t;

#define BANKPROOF_NO_MTGP32 \
  __attribute__((unavailable("bankproof's curand_kernel.h has no MTGP32; use another generator")))
BANKPROOF_RANDOM unsigned int curand(curandStateMtgp32_t*) BANKPROOF_NO_MTGP32;
BANKPROOF_RANDOM float curand_uniform(curandStateMtgp32_t*) BANKPROOF_NO_MTGP32;
BANKPROOF_RANDOM double curand_uniform_double(curandStateMtgp32_t*) BANKPROOF_NO_MTGP32;
BANKPROOF_RANDOM float curand_normal(curandStateMtgp32_t*) BANKPROOF_NO_MTGP32;
BANKPROOF_RANDOM double curand_normal_double(curandStateMtgp32_t*) BANKPROOF_NO_MTGP32;
BANKPROOF_RANDOM float curand_log_normal(curandStateMtgp32_t*, float, float) BANKPROOF_NO_MTGP32;
BANKPROOF_RANDOM unsigned int curand_poisson(curandStateMtgp32_t*, double) BANKPROOF_NO_MTGP32;
#undef BANKPROOF_NO_MTGP32
