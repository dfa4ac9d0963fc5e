// Kernels for the tests of CUDA's runtime, as functions that launch them.
#pragma once

#include <cuda_runtime_api.h>

namespace bankproof::cuda::tests {

/// numbers[i] += added, by one thread each.
void add(int* numbers, int added, unsigned size, cudaStream_t stream = nullptr);

/// Each thread of a block prints its number.
void print_threads(unsigned threads);

// Kernels that have the same name in two files, which no other file sees, and variables.
namespace first {
void add(int* numbers, unsigned size);
cudaError_t set_added(int added);
cudaError_t get_launches(int* launches);
}  // namespace first
namespace second {
void add(int* numbers, unsigned size);
cudaError_t set_added(int added);
cudaError_t get_launches(int* launches);
}  // namespace second

}  // namespace bankproof::cuda::tests
