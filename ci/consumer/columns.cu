// The transpose of a tile through shared memory, where a row takes `width` words: at 32 its columns
// conflict, at 33 they do not. The include folder and a macro come from the test's options. The
// macro INSTALLED is in the headers for clang that were installed, and not in those of the sources.
#include <cuda.h>

#include <rows.hpp>

#ifndef INSTALLED
#error "these are not the headers that were installed"
#endif

template <class T, int width>
__global__ void columns(const T* in, T* out) {
  __shared__ T tile[rows][width];
  tile[threadIdx.y][threadIdx.x] = in[rows * threadIdx.y + threadIdx.x];
  __syncthreads();
  out[rows * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

template __global__ void columns<float, 32>(const float*, float*);
template __global__ void columns<float, 33>(const float*, float*);
