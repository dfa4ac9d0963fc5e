// See planted.hpp.
#include "planted.hpp"

namespace bankproof::cuda::tests {

namespace planted {

__constant__ int added;

__global__ void copy_beyond_the_end(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + added;
}

__global__ void reverse_without_a_barrier(const int* in, int* out) {
  __shared__ int numbers[64];
  numbers[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = numbers[63 - threadIdx.x];
}

}  // namespace planted

cudaError_t set_added(int value) {
  return cudaMemcpyToSymbol(planted::added, &value, sizeof value);
}

void copy_in_blocks_of_32(const int* in, int* out, unsigned blocks) {
  planted::copy_beyond_the_end<<<blocks, 32>>>(in, out);
}

void reverse_64(const int* in, int* out) { planted::reverse_without_a_barrier<<<1, 64>>>(in, out); }

}  // namespace bankproof::cuda::tests
