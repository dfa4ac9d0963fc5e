// The steps of a block on one tile of a summed area table in shared memory.
// algorithms/summed_area_table/tiles.hpp has the same programs for the machines. All threads of a
// block copy a tile; the first warp of the block sums.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/summed_area_table/part_layout.hpp"
#include "../transpose/transpose.cuh"
#include "straight.cuh"

namespace bankproof::cuda::kernels {

/// A tile in shared memory: accesses to its rows and to its columns are conflict-free.
using SumTile = DiagonalTile;

/// The least number of resident blocks per multiprocessor, so that enough tiles are in flight. This
/// number limits the registers per thread; otherwise the registers would limit the number of
/// resident blocks.
enum : std::uint32_t { resident_tiles = 7 };

/// Whether the thread is in the warp that sums.
__device__ inline bool sums_tiles() { return threadIdx.x < tile_side; }

/// tile ← the elements of the matrix, beginning at (top, left); zeros outside. A barrier has to
/// follow.
template <class Matrix, class T>
__device__ void load_tile(const T* a, const Matrix& matrix, std::size_t top, std::size_t left,
                          T* tile) {
  const std::uint32_t j = threadIdx.x % tile_side;
#pragma unroll
  for (std::uint32_t turn = 0; turn < tile_side * tile_side / table_threads; ++turn) {
    const std::uint32_t i = (turn * table_threads + threadIdx.x) / tile_side;
    const std::size_t row = top + i;
    const std::size_t column = left + j;
    const bool inside =
        row < matrix.rows && matrix.begin(row) <= column && column < matrix.end(row);
    tile[SumTile::word(i, j)] = inside ? a[row_major(row, column, matrix.columns)] : T{};
  }
}

/// Stores the tile. A barrier has to precede the call.
template <class Matrix, class T>
__device__ void store_tile(const T* tile, T* b, const Matrix& matrix, std::size_t top,
                           std::size_t left) {
  const std::uint32_t j = threadIdx.x % tile_side;
#pragma unroll
  for (std::uint32_t turn = 0; turn < tile_side * tile_side / table_threads; ++turn) {
    const std::uint32_t i = (turn * table_threads + threadIdx.x) / tile_side;
    const std::size_t row = top + i;
    const std::size_t column = left + j;
    if (row < matrix.rows && matrix.begin(row) <= column && column < matrix.end(row)) {
      b[row_major(row, column, matrix.columns)] = tile[SumTile::word(i, j)];
    }
  }
}

/// Prefix sums of the words word(0), word(1), … of a tile, by one thread.
template <class Word, class T>
__device__ void sum_line(T* tile, Word word) {
  constexpr std::uint32_t loads = 8;
  T sum{};
#pragma unroll
  for (std::uint32_t first = 0; first < tile_side; first += loads) {
    T values[loads];
#pragma unroll
    for (std::uint32_t k = 0; k < loads; ++k) values[k] = tile[word(first + k)];
#pragma unroll
    for (std::uint32_t k = 0; k < loads; ++k) {
      sum = sum + values[k];
      tile[word(first + k)] = sum;
    }
  }
}

/// One warp makes the table of the tile, in place. A fence must order the writes of other lanes
/// before the call.
template <class T>
__device__ void sum_tile(T* tile) {
  const std::uint32_t lane = threadIdx.x;
  sum_line(tile, [lane](std::uint32_t i) { return SumTile::word(i, lane); });
  __syncwarp();
  sum_line(tile, [lane](std::uint32_t j) { return SumTile::word(lane, j); });
}

/// The sums of the elements outside a tile. C: the elements above each column of the tile. Rᵀ: the
/// elements to the left of each row. M: the elements above and to the left of the tile.
template <class T>
struct Sums {
  T* columns;
  T* rows;
  T* tiles;
};

/// One warp adds the carry to the top row, the leftmost column and the corner of the tile.
template <class T>
__device__ void add_carry(T* tile, const Sums<T>& carry, const CarryPlaceOf<std::size_t>& place) {
  const std::uint32_t lane = threadIdx.x;
  if (lane < place.columns) {
    T* const top = tile + SumTile::word(0, lane);
    *top = carry.columns[place.above + lane] + *top;
  }
  if (lane < place.rows) {
    T* const first = tile + SumTile::word(lane, 0);
    *first = carry.rows[place.left + lane] + *first;
  }
  if (lane < place.corners) tile[0] = carry.tiles[place.corner] + tile[0];
}

}  // namespace bankproof::cuda::kernels
