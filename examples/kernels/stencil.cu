// A 5-point stencil: each element becomes a weighted sum of itself and its four neighbours. A block
// stages its tile and a halo of one element around it in shared memory; outside the image is 0.
//
//   nvcc stencil.cu && ./a.out
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int WIDTH = 32;
constexpr int HEIGHT = 8;

__constant__ float weights[5];

__global__ void stencil(const float* in, float* out, int columns, int rows) {
  __shared__ float tile[HEIGHT + 2][WIDTH + 2];
  const int left = blockIdx.x * WIDTH - 1;
  const int top = blockIdx.y * HEIGHT - 1;
  for (int k = threadIdx.y * WIDTH + threadIdx.x; k < (HEIGHT + 2) * (WIDTH + 2);
       k += WIDTH * HEIGHT) {
    const int x = left + k % (WIDTH + 2);
    const int y = top + k / (WIDTH + 2);
    const bool inside = x >= 0 && x < columns && y >= 0 && y < rows;
    tile[k / (WIDTH + 2)][k % (WIDTH + 2)] = inside ? in[y * columns + x] : 0.0f;
  }
  __syncthreads();
  const int x = blockIdx.x * WIDTH + threadIdx.x;
  const int y = blockIdx.y * HEIGHT + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const int i = threadIdx.y + 1;
  const int j = threadIdx.x + 1;
  float sum = weights[0] * tile[i][j];
  sum += weights[1] * tile[i - 1][j];
  sum += weights[2] * tile[i + 1][j];
  sum += weights[3] * tile[i][j - 1];
  sum += weights[4] * tile[i][j + 1];
  out[y * columns + x] = sum;
}

int main() {
  const int columns = 1000, rows = 333;
  const float w[5] = {0.5f, 0.125f, 0.125f, 0.0625f, 0.1875f};
  std::vector<float> image(columns * rows), result(columns * rows);
  for (int i = 0; i < columns * rows; ++i) image[i] = static_cast<float>(i * 7 % 101);
  float *in, *out;
  cudaMalloc(&in, image.size() * sizeof(float));
  cudaMalloc(&out, image.size() * sizeof(float));
  cudaMemcpy(in, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, w, sizeof w);
  const dim3 block(WIDTH, HEIGHT);
  const dim3 grid((columns + WIDTH - 1) / WIDTH, (rows + HEIGHT - 1) / HEIGHT);
  stencil<<<grid, block>>>(in, out, columns, rows);
  cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
  const auto at = [&](int y, int x) {
    return x < 0 || x >= columns || y < 0 || y >= rows ? 0.0f : image[y * columns + x];
  };
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      const float expected = w[0] * at(y, x) + w[1] * at(y - 1, x) + w[2] * at(y + 1, x) +
                             w[3] * at(y, x - 1) + w[4] * at(y, x + 1);
      wrong += std::fabs(result[y * columns + x] - expected) > 1e-4f;
    }
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  return wrong != 0;
}
