// The transpose of a tile through shared memory, with rows of `width` words: the columns conflict
// at 32 and do not at 33. The include folder and a macro come from the test's options. Only the
// installed headers for clang define the macro INSTALLED; those in the source tree do not.
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
