// Convolution of an image with a kernel on a device: of int32, uint32, int64, float and double.
//
//     const std::vector<float> b = {1, 2, 1, 2, 4, 2, 1, 2, 1};
//     image_convolution(a.span(), b, c.data(), rows, columns, GhostCells::nearest, stream);
//
// c(i, j) = Σ a(i + s, j + t)·b(v + s, v + t) over −v ≤ s, t ≤ v, for a kernel b of (2v + 1)²
// numbers. Images are in row-major order; c and a do not overlap.
// All throw std::invalid_argument and CudaError. image_convolution() is in blocked_convolution.cu.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../algorithms/layout.hpp"
#include "../support/device.hpp"

namespace bankproof::cuda {

/// How the blocks of image_convolution_by_tiles() are launched.
struct ImageBlocks {
  std::uint32_t threads = 256;  // of each
  std::uint32_t blocks = 0;     // that share the tiles; 0 is a block for each
};

/// Tiles of 32 × 32 pixels in shared memory (OPT III), zeros beyond the edge: the counterpart of
/// `image-convolution CONV-HMM`. A tile, what it needs of a, and b take at most 48 KiB. `threads`
/// are those of a block.
template <class T>
void image_convolution_by_tiles(std::span<const T> a, std::span<const T> b, T* c, std::size_t rows,
                                std::size_t columns, const ImageBlocks& blocks = {},
                                cudaStream_t stream = nullptr);

/// The same with the pixels of each thread in registers, 4 × 4 of them, or 4 × 2 of 8 bytes. b is
/// the host's: it goes with the launch. Up to 7 × 7 numbers take one launch; of more, each 4 × 8
/// take one, which adds to c. It reads and writes 16 bytes at a time where all rows begin at a
/// multiple of 16.
template <class T>
void image_convolution(std::span<const T> a, const std::vector<T>& b, T* c, std::size_t rows,
                       std::size_t columns, GhostCells ghosts = GhostCells::zero,
                       cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
