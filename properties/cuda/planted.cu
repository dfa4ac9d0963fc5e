// A kernel with a planted bug, which the differential tests must tell, and one that reads a
// variable that the host sets.
#include "planted.hpp"

namespace bankproof::cuda::tests {

namespace planted {

__constant__ int added;

__global__ void copy_beyond_the_end(const int* in, int* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + added;
}

}  // namespace planted

cudaError_t set_added(int value) {
  return cudaMemcpyToSymbol(planted::added, &value, sizeof value);
}

void copy_in_blocks_of_32(const int* in, int* out, unsigned blocks) {
  planted::copy_beyond_the_end<<<blocks, 32>>>(in, out);
}

}  // namespace bankproof::cuda::tests
