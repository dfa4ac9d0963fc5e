// The kernel of the tiled convolution of images (OPT III); algorithms/image_convolution.hpp has the
// same program for the machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../support/sweep.cuh"

namespace bankproof::cuda::kernels {

/// tile ← window ⊗ b in shared memory: all terms of 32 × 32 pixels; v is the radius of b.
template <class T>
__device__ void convolve_window(const T* window, const T* b, T* tile, std::uint32_t v) {
  const std::uint32_t side = 2 * v + 1;
  const std::uint32_t pitch = warp_threads + 2 * v;
  sweep(warp_threads, warp_threads, [&](std::uint32_t i, std::uint32_t j) {
    T sum{};
    for (std::uint32_t s = 0; s < side; ++s) {
      for (std::uint32_t t = 0; t < side; ++t) {
        sum = sum + window[row_major(i + s, j + t, pitch)] * b[row_major(s, t, side)];
      }
    }
    tile[row_major<std::uint32_t, std::uint32_t, std::uint32_t>(i, j, warp_threads)] = sum;
  });
}

/// c ← a ⊗ b; each block takes every gridDim.x-th tile of 32 × 32 pixels. Dynamic shared memory
/// holds the (32 + 2v)² pixels of a that a tile needs, b, and the tile.
template <class T>
__global__ void convolve_tiles(const T* a, const T* b, T* c, std::size_t rows, std::size_t columns,
                               std::uint32_t v, std::size_t tiles) {
  extern __shared__ __align__(16) unsigned char numbers[];
  const std::uint32_t side = warp_threads + 2 * v;
  const std::uint32_t weights = (2 * v + 1) * (2 * v + 1);
  T* const window = reinterpret_cast<T*>(numbers);
  T* const kernel = window + side * side;
  T* const tile = kernel + weights;

  for (std::uint32_t k = threadIdx.x; k < weights; k += blockDim.x) kernel[k] = b[k];
  for (std::size_t number = blockIdx.x; number < tiles; number += gridDim.x) {
    const CornerOf<std::size_t> corner(number, columns, warp_threads);
    copy_window(a, Window{rows, columns, corner.top - v, corner.left - v}, window, side, side);
    __syncthreads();

    convolve_window(window, kernel, tile, v);

    // Each thread copies back only what it computed, so no barrier is needed.
    copy_back(tile, c, Window{rows, columns, corner.top, corner.left}, warp_threads, warp_threads);
    if (number + gridDim.x < tiles) __syncthreads();
  }
}

}  // namespace bankproof::cuda::kernels
