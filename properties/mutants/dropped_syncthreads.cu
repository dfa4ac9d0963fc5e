// The planted bug: no __syncthreads() between the stores to the tile and the loads from it, so that
// a warp may read words before another warp has written them. To be reported: races.
#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void dropped_syncthreads(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += 8) {
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  }
  const int to_x = blockIdx.y * TILE + threadIdx.x;
  const int to_y = blockIdx.x * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += 8) {
    out[(to_y + row) * n + to_x] = tile[threadIdx.x][threadIdx.y + row];
  }
}

int main() {
  const int n = 128;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemset(in, 0, n * n * sizeof(float));
  dropped_syncthreads<<<dim3(n / TILE, n / TILE), dim3(TILE, 8)>>>(in, out, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
