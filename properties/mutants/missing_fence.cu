// The planted bug: a look-back without the fence between a block's sum and its flag, so that a
// later block may see the flag and not the sum. To be reported: a race between blocks, at the sums.
#include <cuda_runtime.h>

constexpr int THREADS = 32;

__global__ void missing_fence(const unsigned* in, unsigned* out, unsigned* sums,
                              volatile int* flags, int* next) {
  int block = 0;
  if (threadIdx.x == 0) block = atomicAdd(next, 1);
  block = __shfl_sync(0xffffffffu, block, 0);
  const int i = block * THREADS + threadIdx.x;
  unsigned sum = in[i];
  for (int delta = 1; delta < 32; delta *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, sum, delta);
    if (threadIdx.x >= delta) sum += before;
  }
  unsigned before = 0;
  if (threadIdx.x == THREADS - 1) {
    if (block > 0) {
      while (flags[block - 1] == 0) {
      }
      __threadfence();
      before = sums[block - 1];
    }
    sums[block] = before + sum;
    flags[block] = 1;
  }
  before = __shfl_sync(0xffffffffu, before, THREADS - 1);
  out[i] = before + sum;
}

int main() {
  const int blocks = 16, n = blocks * THREADS;
  unsigned *in, *out, *sums;
  int *flags, *next;
  cudaMalloc(&in, n * sizeof(unsigned));
  cudaMalloc(&out, n * sizeof(unsigned));
  cudaMalloc(&sums, blocks * sizeof(unsigned));
  cudaMalloc(&flags, blocks * sizeof(int));
  cudaMalloc(&next, sizeof(int));
  cudaMemset(in, 0, n * sizeof(unsigned));
  cudaMemset(flags, 0, blocks * sizeof(int));
  cudaMemset(next, 0, sizeof(int));
  missing_fence<<<blocks, THREADS>>>(in, out, sums, flags, next);
  return cudaDeviceSynchronize() != cudaSuccess;
}
