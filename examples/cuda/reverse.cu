// Each block reverses its numbers in shared memory.
#include "reverse.hpp"

namespace {

constexpr unsigned threads = 128;

__global__ void reverse_block(const int* in, int* out) {
  __shared__ int tile[threads];
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threads - 1 - threadIdx.x];
}

}  // namespace

void reverse_blocks(const int* in, int* out, unsigned blocks, cudaStream_t stream) {
  reverse_block<<<blocks, threads, 0, stream>>>(in, out);
}
