// The planted bug: the store to the transposed matrix has its row and its column swapped, so that a
// warp writes a column of the matrix. The result is right; to be reported: uncoalesced stores, a
// line of global memory for each lane.
#include <cuda_runtime.h>

constexpr int TILE = 32;

__global__ void swapped_index(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += 8) {
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  }
  __syncthreads();
  for (int row = 0; row < TILE; row += 8) {
    out[x * n + y + row] = tile[threadIdx.y + row][threadIdx.x];
  }
}

int main() {
  const int n = 128;
  float *in, *out;
  cudaMalloc(&in, n * n * sizeof(float));
  cudaMalloc(&out, n * n * sizeof(float));
  cudaMemset(in, 0, n * n * sizeof(float));
  swapped_index<<<dim3(n / TILE, n / TILE), dim3(TILE, 8)>>>(in, out, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
