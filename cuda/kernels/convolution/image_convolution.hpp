// Convolution of an image with a kernel on a device, for int32, uint32, int64, float and double.
//
//     const std::vector<float> b = {1, 2, 1, 2, 4, 2, 1, 2, 1};
//     image_convolution(a.span(), b, c.data(), rows, columns, GhostCells::nearest, stream);
//
// c(i, j) = Σ a(i + s, j + t)·b(v + s, v + t) over −v ≤ s, t ≤ v, for a kernel b of (2v + 1)²
// numbers. Images are in row-major order. c does not overlap a. image_convolution() is in
// blocked_convolution.cu. All throw std::invalid_argument and CudaError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../algorithms/layout.hpp"
#include "../support/device.hpp"

namespace bankproof::cuda {

/// The launch configuration of image_convolution_by_tiles().
struct ImageBlocks {
  std::uint32_t threads = 256;  // of each block
  std::uint32_t blocks = 0;     // number of blocks; 0: one block per tile
};

/// Convolution in tiles of 32 × 32 pixels in shared memory (OPT III), with zeros beyond the edge:
/// the counterpart of `image-convolution CONV-HMM`. A tile, the part of a that it needs, and b take
/// at most 48 KiB.
template <class T>
void image_convolution_by_tiles(std::span<const T> a, std::span<const T> b, T* c, std::size_t rows,
                                std::size_t columns, const ImageBlocks& blocks = {},
                                cudaStream_t stream = nullptr);

/// Convolution with the pixels of each thread in registers: 4 × 4 pixels, or 4 × 2 pixels if a
/// pixel has 8 bytes. b is in host memory and becomes a launch parameter. A b of up to 7 × 7
/// numbers takes one launch; a larger b takes one launch for each 4 × 8 of its numbers, and each
/// launch adds to c. Each access moves 16 bytes if all rows begin at multiples of 16 bytes.
template <class T>
void image_convolution(std::span<const T> a, const std::vector<T>& b, T* c, std::size_t rows,
                       std::size_t columns, GhostCells ghosts = GhostCells::zero,
                       cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
