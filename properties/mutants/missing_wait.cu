// The planted bug: while the kernel uses one tile it copies the next tile (cp.async), but it waits
// for one group too few, as if it copied two tiles ahead. So the copy of the tile that it uses may
// still be in flight. To be reported: a race between the load from the tile and the copy.
#include <cuda_runtime.h>

constexpr int THREADS = 64;

__device__ void copy_async(float* to, const float* from) {
  const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from) : "memory");
}
__device__ void end_group() { asm volatile("cp.async.commit_group;" ::: "memory"); }
__device__ void wait_for_all_but_two_groups() {
  asm volatile("cp.async.wait_group 2;" ::: "memory");
}

// Each tile reversed.
__global__ void missing_wait(const float* in, float* out, int tiles) {
  __shared__ float buffers[3][THREADS];
  const int mine = threadIdx.x;
  const int other = THREADS - 1 - mine;
  const int first = blockIdx.x * tiles;
  copy_async(&buffers[0][mine], in + first * THREADS + mine);
  end_group();
  for (int tile = 0; tile < tiles; ++tile) {
    const int next = tile + 1;
    if (next < tiles) copy_async(&buffers[next % 3][mine], in + (first + next) * THREADS + mine);
    end_group();
    wait_for_all_but_two_groups();
    __syncthreads();
    out[(first + tile) * THREADS + mine] = buffers[tile % 3][other];
    __syncthreads();
  }
}

int main() {
  const int blocks = 4, tiles = 8, n = blocks * tiles * THREADS;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  missing_wait<<<blocks, THREADS>>>(in, out, tiles);
  return cudaDeviceSynchronize() != cudaSuccess;
}
