// A kernel that adds a number to each.
#include "kernels.hpp"

namespace bankproof::cuda::tests {

__global__ void add_to_each(int* numbers, int added, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) numbers[i] += added;
}

void add(int* numbers, int added, unsigned size, cudaStream_t stream) {
  add_to_each<<<(size + 63) / 64, 64, 0, stream>>>(numbers, added, size);
}

}  // namespace bankproof::cuda::tests
