// One kernel adds a number to each element of an array, another kernel prints.
#include <bankproof/algorithms/layout.hpp>
#include <cstdio>

#include "kernels.hpp"

// The target's definitions reach .cu files, and so do its include folders, in which the compiler
// found the header above.
#ifndef BANKPROOF_SOURCE
#error "bankproof_machine_sources() leaves out the target's definitions"
#endif

namespace bankproof::cuda::tests {

__global__ void add_to_each(int* numbers, int added, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) numbers[i] += added;
}

void add(int* numbers, int added, unsigned size, cudaStream_t stream) {
  add_to_each<<<(size + 63) / 64, 64, 0, stream>>>(numbers, added, size);
}

static __device__ int variable = 1;

__global__ void add_variable(int* to) { *to += variable; }

void add_variable_to(int* number, cudaStream_t stream) {
  add_variable<<<1, 1, 0, stream>>>(number);
}

const void* variable_of_kernels() { return &variable; }

void* kernel_of_add() { return reinterpret_cast<void*>(add_to_each); }

__global__ void count_down(int* number, cudaGraphConditionalHandle handle) {
  *number -= 1;
  cudaGraphSetConditional(handle, static_cast<unsigned>(*number));
}

void* kernel_of_countdown() { return reinterpret_cast<void*>(count_down); }

__global__ void print_each_thread() { printf("thread %u\n", threadIdx.x); }

void print_threads(unsigned threads) { print_each_thread<<<1, threads>>>(); }

}  // namespace bankproof::cuda::tests
