// The planted bug: the tile has no column of padding, so each of its columns lies in one bank. The
// result is right; to be reported: 32 wavefronts of shared memory where 1 is ideal, at the load.
#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void unpadded_tile(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += 8) {
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  }
  __syncthreads();
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
  unpadded_tile<<<dim3(n / TILE, n / TILE), dim3(TILE, 8)>>>(in, out, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
