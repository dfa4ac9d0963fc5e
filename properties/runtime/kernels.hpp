// Functions that launch the kernels for the tests of CUDA's runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace bankproof::cuda::tests {

/// Adds to each number, with one thread per number.
void add(int* numbers, int added, unsigned size, cudaStream_t stream = nullptr);

/// Each thread of a block prints its number.
void print_threads(unsigned threads);

// Kernels with the same name in two files, invisible outside of their files, and variables.
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
