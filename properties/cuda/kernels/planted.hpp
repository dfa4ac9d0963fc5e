// Kernels with planted bugs, which checkers must report.
#pragma once

#include <cuda_runtime_api.h>

namespace bankproof::cuda::tests {

/// Adds a constant, which the host sets, to each number. Whole blocks of 32 threads do so without
/// checking how many numbers there are.
cudaError_t set_added(int value);
void copy_in_blocks_of_32(const int* in, int* out, unsigned blocks);

/// Writes 64 numbers in reverse order, through shared memory without a barrier: two warps race.
void reverse_64(const int* in, int* out);

}  // namespace bankproof::cuda::tests
