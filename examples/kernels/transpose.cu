// Transposes a matrix in tiles of 32 × 32 through shared memory, in three ways: with a plain tile,
// whose columns all lie in one bank; with a column of padding; and with each row's elements
// swizzled.
//
//   nvcc transpose.cu && ./a.out
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 32;
constexpr int ROWS = 8;  // of threads; each thread moves TILE / ROWS elements

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

__global__ void transpose_plain(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS) {
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * TILE + threadIdx.x;
  const int to_y = blockIdx.x * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS) {
    out[(to_y + row) * n + to_x] = tile[threadIdx.x][threadIdx.y + row];
  }
}

__global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE + 1];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS) {
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * TILE + threadIdx.x;
  const int to_y = blockIdx.x * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS) {
    out[(to_y + row) * n + to_x] = tile[threadIdx.x][threadIdx.y + row];
  }
}

__global__ void transpose_swizzled(const float* in, float* out, int n) {
  __shared__ float tile[TILE][TILE];
  const int x = blockIdx.x * TILE + threadIdx.x;
  const int y = blockIdx.y * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS) {
    const int j = threadIdx.y + row;
    tile[j][threadIdx.x ^ j] = in[(y + row) * n + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * TILE + threadIdx.x;
  const int to_y = blockIdx.x * TILE + threadIdx.y;
  for (int row = 0; row < TILE; row += ROWS) {
    const int j = threadIdx.y + row;
    out[(to_y + row) * n + to_x] = tile[threadIdx.x][j ^ threadIdx.x];
  }
}

using Transpose = void (*)(const float*, float*, int);

// Runs one of the kernels and counts the elements that are wrong.
static int wrong(const char* name, Transpose kernel, const float* in, float* out, int n) {
  const dim3 grid(n / TILE, n / TILE), block(TILE, ROWS);
  kernel<<<grid, block>>>(in, out, n);
  CHECK(cudaGetLastError());
  std::vector<float> result(static_cast<std::size_t>(n) * n);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) count += result[i * n + j] != static_cast<float>(j * n + i);
  }
  std::printf("%s: %d wrong\n", name, count);
  return count;
}

int main() {
  const int n = 1024;
  std::vector<float> matrix(static_cast<std::size_t>(n) * n);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<float>(i);
  float *in, *out;
  CHECK(cudaMalloc(&in, matrix.size() * sizeof(float)));
  CHECK(cudaMalloc(&out, matrix.size() * sizeof(float)));
  CHECK(cudaMemcpy(in, matrix.data(), matrix.size() * sizeof(float), cudaMemcpyHostToDevice));
  const int count = wrong("plain", transpose_plain, in, out, n) +
                    wrong("padded", transpose_padded, in, out, n) +
                    wrong("swizzled", transpose_swizzled, in, out, n);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  return count != 0;
}
