// A whole program that halves an array three times, and the last time 20 elements too many.
#include <cuda_runtime.h>

__global__ void set(float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) a[i] = 1;
}

__global__ void halve(float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) {
    a[i] *= 0.5F;
  }
}

int main() {
  constexpr int size = 1000;
  float* a = nullptr;
  cudaMalloc(&a, size * sizeof(float));
  set<<<4, 256>>>(a, size);
  for (const int some : {size / 2, size, size + 20}) halve<<<4, 256>>>(a, some);
  cudaFree(a);
}
