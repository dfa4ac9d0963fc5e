// The kernel of the tiled matrix product (OPT V); algorithms/matrix_product.hpp has the same
// program for the machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../support/sweep.cuh"

namespace bankproof::cuda::kernels {

/// a has rows × inner elements, b has inner × columns, both in row-major order.
struct ProductSize {
  std::size_t rows;
  std::size_t inner;
  std::size_t columns;
};

/// c ← ab, or c ← c + ab if `onto` is set, for m × m tiles in shared memory.
template <class T>
__device__ void multiply(const T* a, const T* b, T* c, std::uint32_t m, bool onto) {
  sweep(m, m, [&](std::uint32_t i, std::uint32_t j) {
    T sum{};
    if (onto) sum = c[row_major(i, j, m)];
    for (std::uint32_t k = 0; k < m; ++k) {
      sum = sum + a[row_major(i, k, m)] * b[row_major(k, j, m)];
    }
    c[row_major(i, j, m)] = sum;
  });
}

/// c ← ab; each block takes every gridDim.x-th m × m tile of c. Dynamic shared memory holds a tile
/// of each matrix.
template <class T>
__global__ void multiply_tiles(const T* a, const T* b, T* c, const ProductSize size,
                               std::uint32_t m, std::size_t tiles) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const a_tile = reinterpret_cast<T*>(numbers);
  T* const b_tile = a_tile + m * m;
  T* const c_tile = b_tile + m * m;

  for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const CornerOf<std::size_t> corner(tile, size.columns, m);
    for (std::size_t k = 0; k < size.inner; k += m) {
      copy_window(a, Window{size.rows, size.inner, corner.top, k}, a_tile, m, m);
      copy_window(b, Window{size.inner, size.columns, k, corner.left}, b_tile, m, m);
      __syncthreads();
      multiply(a_tile, b_tile, c_tile, m, k > 0);
      if (k + m < size.inner || tile + gridDim.x < tiles) __syncthreads();
    }

    // Each thread copies back only what it computed, so no barrier is needed.
    copy_back(c_tile, c, Window{size.rows, size.columns, corner.top, corner.left}, m, m);
  }
}

}  // namespace bankproof::cuda::kernels
