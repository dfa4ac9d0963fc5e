// Counts how often each byte occurs: every block counts in shared memory, then adds its counts to
// the counts in global memory. Both additions are atomic.
//
//   nvcc histogram.cu && ./a.out
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int BINS = 256;

__global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned counts[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&counts[data[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
    const unsigned count = counts[b];
    if (count != 0) atomicAdd(&bins[b], count);
  }
}

int main() {
  const int n = 1 << 20;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(BINS), result(BINS);
  unsigned state = 1;
  for (unsigned char& byte : data) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<unsigned char>(state >> 24);
    ++expected[byte];
  }
  unsigned char* device_data;
  unsigned* bins;
  cudaMalloc(&device_data, n);
  cudaMalloc(&bins, BINS * sizeof(unsigned));
  cudaMemcpy(device_data, data.data(), n, cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, BINS * sizeof(unsigned));
  histogram<<<32, 256>>>(device_data, bins, n);
  cudaMemcpy(result.data(), bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost);
  const bool right = cudaGetLastError() == cudaSuccess && result == expected;
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(device_data);
  cudaFree(bins);
  return !right;
}
