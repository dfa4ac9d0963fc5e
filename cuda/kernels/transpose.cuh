// Kernels of transposes; algorithms/transpose.hpp has the same programs for the machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../algorithms/layout.hpp"

namespace bankproof::cuda::kernels {

/// The sides of a tile, which are a warp long. Not a variable: address maps take references, and
/// the host's variables have no address on the device.
enum : std::uint32_t { tile_side = 32 };

// ---- Where the word (i, j) of a tile is.

/// Rows and columns without conflicts, in as many words as the tile has (THS 5.3).
struct DiagonalTile {
  static constexpr std::uint32_t words = tile_side * tile_side;
  static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return diagonal<std::uint32_t>(i, j, tile_side);
  }
};
/// Likewise, by one idle word a row.
struct PaddedTile {
  static constexpr std::uint32_t words = tile_side * (tile_side + 1);
  static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return row_major(i, j, tile_side + 1);
  }
};
/// Likewise, by exclusive or.
struct SwizzledTile {
  static constexpr std::uint32_t words = tile_side * tile_side;
  static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return swizzled<std::uint32_t>(i, j, 5);
  }
};
/// All words of a column in one bank (THS 6.1).
struct RowMajorTile {
  static constexpr std::uint32_t words = tile_side * tile_side;
  static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return row_major<std::uint32_t, std::uint32_t, std::uint32_t>(i, j, tile_side);
  }
};

/// b ← aᵀ with a block for each tile, of 32 × h threads.
template <class Tile, class T>
__global__ void transpose_tiles(const T* a, T* b, std::size_t rows, std::size_t columns) {
  __shared__ T tile[Tile::words];
  const CornerOf<std::size_t> corner(blockIdx.x, columns, tile_side);
  const std::uint32_t j = threadIdx.x;

  // Read the tile by rows.
  for (std::uint32_t i = threadIdx.y; i < tile_side; i += blockDim.y) {
    if (corner.top + i < rows && corner.left + j < columns) {
      tile[Tile::word(i, j)] = a[row_major(corner.top + i, corner.left + j, columns)];
    }
  }
  __syncthreads();

  // Write its columns as rows.
  for (std::uint32_t i = threadIdx.y; i < tile_side; i += blockDim.y) {
    if (corner.left + i < columns && corner.top + j < rows) {
      b[row_major(corner.left + i, corner.top + j, rows)] = tile[Tile::word(j, i)];
    }
  }
}

/// Without shared memory: reads are coalesced, writes are not.
template <class T>
__global__ void transpose_direct(const T* a, T* b, std::size_t rows, std::size_t columns) {
  const CornerOf<std::size_t> corner(blockIdx.x, columns, tile_side);
  const std::size_t j = corner.left + threadIdx.x;
  for (std::uint32_t k = threadIdx.y; k < tile_side; k += blockDim.y) {
    const std::size_t i = corner.top + k;
    if (i < rows && j < columns) b[row_major(j, i, rows)] = a[row_major(i, j, columns)];
  }
}

}  // namespace bankproof::cuda::kernels
