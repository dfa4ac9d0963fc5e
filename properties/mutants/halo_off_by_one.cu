// The planted bug: the halo's right element is loaded where its index equals the number of
// elements. To be reported: a load of the element after the end of `in`, by the last thread of the
// last block.
#include <cuda_runtime.h>

constexpr int THREADS = 128;

__global__ void halo_off_by_one(const float* in, float* out, int n) {
  __shared__ float tile[THREADS + 2];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  tile[threadIdx.x + 1] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == THREADS - 1) tile[THREADS + 1] = i + 1 <= n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3.0f;
}

int main() {
  const int n = 1024;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  halo_off_by_one<<<n / THREADS, THREADS>>>(in, out, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
