// Kernels of transposes; algorithms/transpose.hpp has the same programs for the machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"
#include "../support/packet.cuh"

namespace bankproof::cuda::kernels {

/// The side of a tile, a warp's length. An enumerator, not a variable: address maps take
/// references, and a host variable has no address on the device.
enum : std::uint32_t { tile_side = 32 };

// ---- Where a tile stores word (i, j).

/// Rows and columns without conflicts, in no more words than the tile has (THS 5.3).
struct DiagonalTile {
  static constexpr std::uint32_t words = tile_side * tile_side;
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return diagonal<std::uint32_t>(i, j, tile_side);
  }
};
/// Rows and columns without conflicts, by one idle word per row.
struct PaddedTile {
  static constexpr std::uint32_t words = tile_side * (tile_side + 1);
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return row_major(i, j, tile_side + 1);
  }
};
/// Rows and columns without conflicts, by exclusive or.
struct SwizzledTile {
  static constexpr std::uint32_t words = tile_side * tile_side;
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return swizzled<std::uint32_t>(i, j, 5);
  }
};
/// All words of a column are in one bank (THS 6.1).
struct RowMajorTile {
  static constexpr std::uint32_t words = tile_side * tile_side;
  __host__ __device__ static constexpr std::uint32_t word(std::uint32_t i, std::uint32_t j) {
    return row_major<std::uint32_t, std::uint32_t, std::uint32_t>(i, j, tile_side);
  }
};

/// A block has tile_threads_down rows of 32 threads; each thread has tile_turns rows of a tile.
enum : std::uint32_t { tile_threads_down = 8, tile_turns = tile_side / tile_threads_down };

/// b ← aᵀ, one block per tile.
template <class Tile, class T>
__global__ void transpose_tiles(const T* a, T* b, std::size_t rows, std::size_t columns) {
  __shared__ T tile[Tile::words];
  const CornerOf<std::size_t> corner(blockIdx.x, columns, tile_side);
  const std::uint32_t j = threadIdx.x;

  // Read the tile by rows. All loads of a thread are in flight before the first store.
  T loaded[tile_turns];
#pragma unroll
  for (std::uint32_t turn = 0; turn < tile_turns; ++turn) {
    const std::uint32_t i = row_major(turn, threadIdx.y, tile_threads_down);
    const bool inside = corner.top + i < rows && corner.left + j < columns;
    loaded[turn] = inside ? a[row_major(corner.top + i, corner.left + j, columns)] : T{};
  }
#pragma unroll
  for (std::uint32_t turn = 0; turn < tile_turns; ++turn) {
    tile[Tile::word(row_major(turn, threadIdx.y, tile_threads_down), j)] = loaded[turn];
  }
  __syncthreads();

  // Write the tile's columns as rows.
#pragma unroll
  for (std::uint32_t turn = 0; turn < tile_turns; ++turn) {
    const std::uint32_t i = row_major(turn, threadIdx.y, tile_threads_down);
    if (corner.left + i < columns && corner.top + j < rows) {
      b[row_major(corner.left + i, corner.top + j, rows)] = tile[Tile::word(j, i)];
    }
  }
}

/// b ← aᵀ by packets, one packet per thread, for elements of 4 bytes: rows of a and b have to
/// consist of whole packets. A warp reads 128 bytes of each of four rows of a tile, and writes four
/// columns as rows of 128 bytes. The words that a warp accesses together are four columns apart.
/// The two lowest bits of the swizzle distinguish the four rows, and the other bits distinguish the
/// eight packets of a row, so all words are in different banks.
template <class T>
__global__ void transpose_packets(const T* a, T* b, std::size_t rows, std::size_t columns) {
  constexpr std::uint32_t each = Packet<T>::size;
  constexpr std::uint32_t packets = tile_side / each;  // packets of a row of the tile
  static_assert(packets == tile_threads_down, "a packet a thread");
  __shared__ T tile[SwizzledTile::words];
  const CornerOf<std::size_t> corner(blockIdx.x, columns, tile_side);
  const std::uint32_t thread = row_major(threadIdx.y, threadIdx.x, tile_side);
  const std::uint32_t line = thread / packets;
  const std::uint32_t first = thread % packets * each;

  // Read a packet of row `line`.
  if (corner.top + line < rows && corner.left + first < columns) {
    const auto* const from = reinterpret_cast<const Packet<T>*>(a);
    const Packet<T> packet =
        from[row_major(corner.top + line, (corner.left + first) / each, columns / each)];
#pragma unroll
    for (std::uint32_t e = 0; e < each; ++e) {
      tile[SwizzledTile::word(line, first + e)] = packet.elements[e];
    }
  }
  __syncthreads();

  // Write a packet of column `line`.
  if (corner.left + line < columns && corner.top + first < rows) {
    Packet<T> packet;
#pragma unroll
    for (std::uint32_t e = 0; e < each; ++e) {
      packet.elements[e] = tile[SwizzledTile::word(first + e, line)];
    }
    auto* const to = reinterpret_cast<Packet<T>*>(b);
    to[row_major(corner.left + line, (corner.top + first) / each, rows / each)] = packet;
  }
}

/// b ← aᵀ without shared memory: reads are coalesced, writes are not.
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
