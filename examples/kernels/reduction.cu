// The sum of an array. Each thread adds up elements that lie a grid apart. Shuffles add up a warp's
// lanes, shared memory a block's warps, and an atomic addition each block's sum.
//
//   nvcc reduction.cu && ./a.out
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <class T>
__device__ T sum_of_warp(T value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;
}

template <class T>
__global__ void reduction(const T* in, T* sum, int n) {
  __shared__ T sums[32];
  T value = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    value += in[i];
  }
  value = sum_of_warp(value);
  const int lane = threadIdx.x % warpSize;
  const int warp = threadIdx.x / warpSize;
  if (lane == 0) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < blockDim.x / warpSize ? sums[lane] : T(0);
    value = sum_of_warp(value);
    if (lane == 0) atomicAdd(sum, value);
  }
}

template __global__ void reduction(const int*, int*, int);
template __global__ void reduction(const float*, float*, int);

int main() {
  const int n = 1000003;
  std::vector<int> numbers(n);
  int expected = 0;
  for (int i = 0; i < n; ++i) {
    numbers[i] = i % 17 - 8;
    expected += numbers[i];
  }
  int *in, *sum, result = 0;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(int));
  reduction<int><<<64, 256>>>(in, sum, n);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  if (const cudaError_t error = cudaGetLastError()) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::printf("%d, expected %d\n", result, expected);
  cudaFree(in);
  cudaFree(sum);
  return result != expected;
}
