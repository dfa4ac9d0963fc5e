// A whole program with two streams. The second stream scales what the first stream has filled, but
// does not wait for it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* a, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) a[i] = i;
}

__global__ void scale(float* a, float factor, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) a[i] *= factor;
}

int main() {
  constexpr int size = 1000;
  float* a = nullptr;
  cudaStream_t first;
  cudaStream_t second;
  cudaEvent_t filled;
  cudaMalloc(&a, size * sizeof(float));
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&filled);
  fill<<<8, 128, 0, first>>>(a, size);
  cudaEventRecord(filled, first);
  // cudaStreamWaitEvent(second, filled, 0);
  scale<<<8, 128, 0, second>>>(a, 2.0F, size);
  float last = 0;
  cudaMemcpy(&last, a + size - 1, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%.0f\n", last);
  cudaFree(a);
}
