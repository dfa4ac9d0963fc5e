// A kernel that launches kernels. What a child writes, the kernel that launched it does not see:
// the sum belongs into a launch of the tail, which follows all other launches.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* numbers) { numbers[threadIdx.x] = threadIdx.x; }

__global__ void add(const int* numbers, int* sum) {
  for (int k = 0; k < 32; ++k) *sum += numbers[k];
}

__global__ void launches(int* numbers, int* sum) {
  *sum = 0;
  fill<<<1, 32>>>(numbers);
  for (int k = 0; k < 32; ++k) *sum += numbers[k];
  // add<<<1, 1, 0, cudaStreamTailLaunch>>>(numbers, sum);
}

int main() {
  int* numbers = nullptr;
  int sum = 0;
  cudaMalloc(&numbers, 33 * sizeof(int));
  cudaMemset(numbers, 0, 33 * sizeof(int));
  launches<<<1, 1>>>(numbers, numbers + 32);
  cudaMemcpy(&sum, numbers + 32, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  cudaFree(numbers);
}
