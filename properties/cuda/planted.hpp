// Adds a constant to each number, in whole blocks of 32 threads without a look at the number of
// numbers: the bug is planted.
#pragma once

#include <cuda_runtime_api.h>

namespace bankproof::cuda::tests {

cudaError_t set_added(int value);
void copy_in_blocks_of_32(const int* in, int* out, unsigned blocks);

}  // namespace bankproof::cuda::tests
