// Device functions that are called: recursion, a structure returned, a pointer to a function.
#ifdef __clang__
#include "clang.cuh"
#endif

struct Range {
  int first, last;
};

__device__ __noinline__ Range clamp(Range r, int n) { return {r.first, r.last < n ? r.last : n}; }
__device__ __noinline__ int descend(int n) { return n < 2 ? n : descend(n / 2) + descend(n / 3); }
__device__ __noinline__ int twice(int n) { return 2 * n; }
__device__ __noinline__ int half(int n) { return n / 2; }

__global__ void calls(int* out, int n) {
  int (*const change)(int) = n % 3 == 0 ? twice : half;
  const Range r = clamp({static_cast<int>(threadIdx.x), change(n)}, 100);
  out[threadIdx.x] = descend(r.last - r.first);
}
