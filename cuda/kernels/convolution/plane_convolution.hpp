// Two-dimensional convolution of images with channels on a device (CONV 7.6), with ghost cells, for
// int32, uint32, int64, float and double.
//
//     plane_convolution<float>(n.span(), m.span(), p.data(), {.rows = 480, .columns = 640});
//
// p(i, j, c) = Σ n(i − v + s, j − v + u, c)·m(s, u) over 0 ≤ s, u ≤ 2v, for a mask of (2v + 1)²
// numbers. For images of one channel image_convolution() is faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../../../algorithms/layout.hpp"
#include "../support/device.hpp"

namespace bankproof::cuda {

/// The variants `2d-…` of `tiled-convolution`. basic: all arrays are in global memory.
/// constant_mask: the mask is in constant memory. tiled: in addition, a tile and its halo are in
/// shared memory.
enum class PlaneVariant : std::uint8_t { basic, constant_mask, tiled };

struct PlaneShape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t channels = 1;  // adjacent in a pixel
  std::size_t pitch = 0;     // elements from one row to the next; 0: columns · channels
  GhostCells ghosts = GhostCells::zero;
  std::uint32_t tile = 16;      // side of a block's tile
  std::uint32_t threads = 256;  // of a block
};

/// p ← n with the mask m. p has the layout of n and does not overlap it; elements in the gaps
/// between rows stay unchanged. All variants but `basic` first copy m, of at most 16 KiB, to
/// constant memory: calls that run at the same time on two streams need the same mask. A tile and
/// its halo, with all channels, take at most 48 KiB. Throws std::invalid_argument and CudaError.
template <class T>
void plane_convolution(std::span<const T> n, std::span<const T> m, T* p, const PlaneShape& shape,
                       PlaneVariant variant = PlaneVariant::tiled, cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
