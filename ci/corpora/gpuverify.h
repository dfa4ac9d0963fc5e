// What the kernels of GPUVerify's test suite use besides CUDA; each is compiled with this header.
// Threads for which a stated condition does not hold end at once, so nothing is claimed of them.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cassert>
#include <cstdint>

typedef unsigned int uint;

__device__ inline void gpuverify_end() { asm volatile("exit;"); }

#define __requires(...) ((__VA_ARGS__) ? (void)0 : gpuverify_end())
#define __assume(...) ((__VA_ARGS__) ? (void)0 : gpuverify_end())
#define __assert(...) ((__VA_ARGS__) ? (void)0 : __trap())

// Statements about all threads, and what helps GPUVerify with its proof.
#define __global_requires(...) ((void)0)
#define __global_assert(...) ((void)0)
#define __invariant(...) true
#define __global_invariant(...) true
#define __candidate_invariant(...) true
#define __ensures(...) ((void)0)
#define __global_ensures(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)
#define __axiom(...)
#define __implies(a, b) (!(a) || (b))
#define __enabled() true
#define __all(...) (__VA_ARGS__)
#define __no_read(...) true
#define __uniform_bool(...) true
#define __distinct_int(...) true
#define __return_val_int() 0

namespace cooperative_groups {
// Its name in CUDA 9.
template <class Group>
__device__ inline void synchronize(const Group& group) {
  group.sync();
}
}  // namespace cooperative_groups
