// A histogram with atomics in shared and global memory; the block's shared memory is of the launch.
#ifdef __clang__
#include "clang.cuh"
#endif

__constant__ int shifts[4] = {0, 8, 16, -24};
extern __shared__ int counts[];

template <class Key>
__global__ void histogram(const Key* keys, int* out, int n, int digit) {
  for (int b = threadIdx.x; b < 256; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&counts[(keys[i] >> shifts[digit]) & 255], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    if (counts[b] != 0) atomicAdd(&out[b], counts[b]);
  }
}
template __global__ void histogram(const unsigned*, int*, int, int);
template __global__ void histogram(const unsigned long long*, int*, int, int);
