// A kernel and a variable in an unnamed namespace, and a static variable. Another file has the same
// name as this file.
#include "../../kernels.hpp"

static __device__ int launches;

namespace {

__constant__ int added = 1;

template <class Number>
__global__ void add_to_each(Number* numbers, unsigned size) {
  if (blockIdx.x == 0 && threadIdx.x == 0) ++launches;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) numbers[i] += 10 * added;
}

}  // namespace

namespace bankproof::cuda::tests::second {

void add(int* numbers, unsigned size) { add_to_each<<<(size + 63) / 64, 64>>>(numbers, size); }

cudaError_t set_added(int value) { return cudaMemcpyToSymbol(added, &value, sizeof value); }

cudaError_t get_launches(int* value) {
  return cudaMemcpyFromSymbol(value, launches, sizeof *value);
}

}  // namespace bankproof::cuda::tests::second
