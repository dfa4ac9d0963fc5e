// Functions that launch the kernels for the tests of CUDA's runtime.
#pragma once

#include <cuda_runtime_api.h>

namespace bankproof::cuda::tests {

/// Adds a number to each element, with one thread per element.
void add(int* numbers, int added, unsigned size, cudaStream_t stream = nullptr);

/// The kernel of add(), for calls that take one.
void* kernel_of_add();
/// A kernel that counts down: it adds −1 to *number, and sets the condition to what is left.
void* kernel_of_countdown();

/// A variable of the device, for calls that take one.
const void* variable_of_kernels();
/// Adds the variable to a number.
void add_variable_to(int* number, cudaStream_t stream);

/// Each thread of a block prints its number.
void print_threads(unsigned threads);

// Two files each define a kernel and variables. The kernels have the same name; all names are local
// to their file.
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
