// The planted bug: a barrier in each arm of a branch on the thread's index, so that the threads of
// a block wait at different ones. To be reported: a divergent barrier, with both lines.
#include <cuda_runtime.h>

constexpr int THREADS = 64;

__global__ void divergent_barrier(const int* in, int* out) {
  __shared__ int values[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  values[threadIdx.x] = in[i];
  int value;
  if (threadIdx.x < 48) {
    __syncthreads();
    value = values[threadIdx.x + 1];
  } else {
    values[threadIdx.x] += 1;
    __syncthreads();
    value = 2 * values[THREADS - 1 - threadIdx.x];
  }
  out[i] = value;
}

int main() {
  const int n = 256;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  divergent_barrier<<<n / THREADS, THREADS>>>(in, out);
  return cudaDeviceSynchronize() != cudaSuccess;
}
