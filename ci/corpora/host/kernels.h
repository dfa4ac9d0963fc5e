// A program of CUDA for the host alone, as a sister of its own: g++ compiles its source with this
// header before it, once `kernel<<<grid, block>>>(…)` is rewritten as `launched(grid, block,
// kernel)(…)`. Threads run one after the other, so that it is right only for kernels whose threads
// never wait for each other.
#pragma once

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>
#include <utility>

static uint3 blockIdx, threadIdx;
static dim3 gridDim, blockDim;

namespace host {

template <class T>
cudaError_t allocate(T** place, std::size_t bytes) {
  *place = static_cast<T*>(std::malloc(bytes));
  return cudaSuccess;
}

inline cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

inline cudaError_t set(void* to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}

inline cudaError_t release(void* place) {
  std::free(place);
  return cudaSuccess;
}

template <class Kernel>
auto launched(dim3 grid, dim3 block, Kernel kernel) {
  return [=](auto... arguments) {
    gridDim = grid, blockDim = block;
    for (unsigned at = 0; at < grid.x * grid.y * grid.z; ++at)
      for (unsigned thread = 0; thread < block.x * block.y * block.z; ++thread) {
        blockIdx = {at % grid.x, at / grid.x % grid.y, at / grid.x / grid.y};
        threadIdx = {thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
        kernel(arguments...);
      }
  };
}

}  // namespace host

using host::launched;

#define cudaMalloc host::allocate
#define cudaMemcpy host::copy
#define cudaMemset host::set
#define cudaFree host::release
#define cudaDeviceSynchronize() cudaSuccess
#define cudaGetLastError() cudaSuccess
#define cudaGetErrorString(error) "none"
