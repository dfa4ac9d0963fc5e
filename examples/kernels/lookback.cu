// The inclusive sums of an array in one pass: a decoupled look-back (Merrill and Garland, 2016).
//
// A block scans its tile, publishes the tile's total (PARTIAL), and walks back over the tiles
// before it. It adds totals until it meets a tile that has published its prefix sum (INCLUSIVE),
// and waits at tiles that have published nothing yet (INVALID). The writer stores the value, then
// fences, then stores the flag; the reader loads the flag, then fences, then loads the value.
// Blocks draw their tiles from a counter, so all earlier tiles have begun.
//
//   nvcc lookback.cu && ./a.out
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int THREADS = 256;

enum Flag { INVALID = 0, PARTIAL = 1, INCLUSIVE = 2 };

/// The state that a block publishes for later blocks; all zero before the launch.
struct State {
  int flag;
  unsigned total;
  unsigned prefix;
};

/// The sum over the block's threads up to and including this thread.
__device__ unsigned inclusive_in_block(unsigned value) {
  __shared__ unsigned totals[THREADS / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int delta = 1; delta < 32; delta *= 2) {
    const unsigned before = __shfl_up_sync(0xffffffffu, value, delta);
    if (lane >= delta) value += before;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  for (int i = 0; i < warp; ++i) value += totals[i];
  return value;
}

__device__ void publish(volatile State* state, unsigned value, Flag flag) {
  if (flag == PARTIAL) {
    state->total = value;
  } else {
    state->prefix = value;
  }
  __threadfence();
  state->flag = flag;
}

/// The sum of all tiles before this one.
__device__ unsigned look_back(volatile State* states, int tile) {
  unsigned sum = 0;
  for (int i = tile - 1; i >= 0; --i) {
    int flag;
    do {
      flag = states[i].flag;
    } while (flag == INVALID);
    __threadfence();
    if (flag == INCLUSIVE) return sum + states[i].prefix;
    sum += states[i].total;
  }
  return sum;
}

__global__ void prefix_sums(const unsigned* in, unsigned* out, State* states, int* next, int n) {
  __shared__ int shared_tile;
  __shared__ unsigned shared_before;
  if (threadIdx.x == 0) shared_tile = atomicAdd(next, 1);
  __syncthreads();
  const int tile = shared_tile;
  const int i = tile * THREADS + threadIdx.x;
  const unsigned sum = inclusive_in_block(i < n ? in[i] : 0u);
  if (threadIdx.x == THREADS - 1) {
    if (tile > 0) publish(&states[tile], sum, PARTIAL);
    const unsigned before = look_back(states, tile);
    publish(&states[tile], before + sum, INCLUSIVE);
    shared_before = before;
  }
  __syncthreads();
  if (i < n) out[i] = shared_before + sum;
}

int main() {
  const int n = 1000000;
  const int tiles = (n + THREADS - 1) / THREADS;
  std::vector<unsigned> numbers(n), result(n);
  for (int i = 0; i < n; ++i) numbers[i] = i % 13;
  unsigned *in, *out;
  State* states;
  int* next;
  cudaMalloc(&in, n * sizeof(unsigned));
  cudaMalloc(&out, n * sizeof(unsigned));
  cudaMalloc(&states, tiles * sizeof(State));
  cudaMalloc(&next, sizeof(int));
  cudaMemcpy(in, numbers.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemset(states, 0, tiles * sizeof(State));
  cudaMemset(next, 0, sizeof(int));
  prefix_sums<<<tiles, THREADS>>>(in, out, states, next, n);
  cudaMemcpy(result.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() != cudaSuccess;
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += numbers[i];
    wrong += result[i] != sum;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
  cudaFree(states);
  cudaFree(next);
  return wrong != 0;
}
