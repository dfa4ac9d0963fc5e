// Kernels of two-dimensional convolution of images with channels (CONV 7.6 and exercises 8 to 10),
// one block per t × t tile. algorithms/tiled_convolution/plane.hpp has the same programs for the
// machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../support/sweep.cuh"

namespace bankproof::cuda::kernels {

/// An image and its ghost cells. The channels of a pixel are adjacent, and rows are `pitch`
/// elements apart. Indices below 0 wrap to huge ones.
template <class T>
struct Plane {
  const T* elements;
  std::size_t rows;
  std::size_t columns;
  std::size_t channels;
  std::size_t pitch;
  GhostCells ghosts;

  __device__ bool present(std::size_t y, std::size_t x) const {
    return ghosts == GhostCells::nearest || (y < rows && x < columns);
  }
  __device__ std::size_t word(std::size_t y, std::size_t x, std::size_t channel) const {
    return row_major(y, row_major(x, channel, channels), pitch);
  }
  __device__ T at(std::size_t y, std::size_t x, std::size_t channel) const {
    return elements[word(nearest_cell(y, rows), nearest_cell(x, columns), channel)];
  }
};

/// Reads N from global memory, and M from global or constant memory; v is the mask's radius.
template <class T, class Mask>
__global__ void convolve_plane(const Plane<T> n, const Mask m, T* p, std::uint32_t v,
                               std::uint32_t t) {
  const CornerOf<std::size_t> corner(blockIdx.x, n.columns, t);
  for (std::size_t channel = 0; channel < n.channels; ++channel) {
    sweep(t, t, [&](std::uint32_t i, std::uint32_t j) {
      const std::size_t y = corner.top + i;
      const std::size_t x = corner.left + j;
      if (y >= n.rows || x >= n.columns) return;
      T sum{};
      for (std::uint32_t s = 0; s <= 2 * v; ++s) {
        for (std::uint32_t u = 0; u <= 2 * v; ++u) {
          if (!n.present(y + s - v, x + u - v)) continue;
          sum = sum + n.at(y + s - v, x + u - v, channel) * m[row_major(s, u, 2 * v + 1)];
        }
      }
      p[n.word(y, x, channel)] = sum;
    });
  }
}

/// Keeps the tile and its halo in dynamic shared memory, channels · (t + 2v)² elements.
template <class T, class Mask>
__global__ void convolve_plane_tiled(const Plane<T> n, const Mask m, T* p, std::uint32_t v,
                                     std::uint32_t t) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const pixels = reinterpret_cast<T*>(numbers);
  const CornerOf<std::size_t> corner(blockIdx.x, n.columns, t);
  const std::uint32_t side = t + 2 * v;
  const auto channels = static_cast<std::uint32_t>(n.channels);
  const auto word = [side](std::uint32_t channel, std::uint32_t i, std::uint32_t j) {
    return row_major(row_major(channel, i, side), j, side);
  };

  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    sweep(side, side, [&](std::uint32_t i, std::uint32_t j) {
      const std::size_t y = corner.top + i - v;
      const std::size_t x = corner.left + j - v;
      pixels[word(channel, i, j)] = n.present(y, x) ? n.at(y, x, channel) : T{};
    });
  }
  __syncthreads();

  for (std::uint32_t channel = 0; channel < channels; ++channel) {
    sweep(t, t, [&](std::uint32_t i, std::uint32_t j) {
      T sum{};
      for (std::uint32_t s = 0; s <= 2 * v; ++s) {
        for (std::uint32_t u = 0; u <= 2 * v; ++u) {
          sum = sum + pixels[word(channel, i + s, j + u)] * m[row_major(s, u, 2 * v + 1)];
        }
      }
      const std::size_t y = corner.top + i;
      const std::size_t x = corner.left + j;
      if (y < n.rows && x < n.columns) p[n.word(y, x, channel)] = sum;
    });
  }
}

}  // namespace bankproof::cuda::kernels
