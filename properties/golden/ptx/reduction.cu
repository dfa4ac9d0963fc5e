// A sum by shuffles within the warp, then one atomic addition a block.
#ifdef __clang__
#include "clang.cuh"
#endif

__device__ int warps_done = 0;

__device__ float sum_of_warp(float value) {
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffU, value, delta);
  return value;
}

__global__ void __launch_bounds__(256, 2) reduction(const float* in, float* out, int n) {
  __shared__ float partial[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = sum_of_warp(i < n ? in[i] : 0.0F);
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = sum;
    atomicAdd(&warps_done, 1);
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    const float total = sum_of_warp(threadIdx.x < 8 ? partial[threadIdx.x] : 0.0F);
    if (threadIdx.x == 0) out[blockIdx.x] = total;
  }
}
