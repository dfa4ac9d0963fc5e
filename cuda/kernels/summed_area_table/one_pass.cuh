// Kernels of 1R1W, one launch per diagonal of tiles. algorithms/summed_area_table/one_pass.hpp has
// the same programs for the machines.
#pragma once

#include "tiles.cuh"

namespace bankproof::cuda::kernels {

/// `bottom` holds the bottom rows of all tiles: for each row of tiles, a row as wide as the matrix.
/// `right` holds the rightmost columns of all tiles: for each column of tiles, a column as high as
/// the matrix.
template <class T>
struct Edges {
  T* bottom;
  T* right;
};

/// edge[0] ← the table's corner before an edge; then `present` words of the edge follow, beginning
/// at word `from`.
template <class T>
__device__ void load_edge(const T* edges, std::size_t from, std::size_t present, bool has_corner,
                          T* edge) {
  const std::uint32_t lane = threadIdx.x;
  if (lane < present) edge[lane + 1] = edges[from + lane];
  if (lane == 0 && present > 0) edge[0] = has_corner ? edges[from - 1] : T{};
}

/// Adds the differences between neighbors of an edge to the words word(0), word(1), … of the tile.
template <class Word, class T>
__device__ void add_differences(const T* edge, T* tile, std::size_t present, Word word) {
  const std::uint32_t lane = threadIdx.x;
  if (lane < present) {
    T* const value = tile + word(lane);
    *value = *value + (edge[lane + 1] - edge[lane]);
  }
}

/// Stores the bottom row and the rightmost column of a tile's table for later tiles.
template <class T>
__device__ void leave_edges(const T* tile, const Edges<T>& edges,
                            const EdgePlacesOf<std::size_t>& at) {
  const std::uint32_t lane = threadIdx.x;
  if (at.below && lane < at.columns) {
    edges.bottom[at.own_bottom + lane] = tile[SumTile::word(tile_side - 1, lane)];
  }
  if (at.right && lane < at.rows) {
    edges.right[at.own_right + lane] = tile[SumTile::word(lane, tile_side - 1)];
  }
}

/// One warp computes a tile's entries of the whole table and stores the tile's edges.
template <class T>
__device__ void sum_with_edges(T* tile, T* edge, const Edges<T>& edges,
                               const EdgePlacesOf<std::size_t>& at) {
  load_edge(edges.bottom, at.above_row, at.columns_above(), at.left, edge);
  __syncwarp();
  add_differences(edge, tile, at.columns_above(),
                  [](std::uint32_t j) { return SumTile::word(0, j); });
  __syncwarp();
  load_edge(edges.right, at.left_row, at.rows_left(), at.above, edge);
  __syncwarp();
  add_differences(edge, tile, at.rows_left(), [](std::uint32_t i) { return SumTile::word(i, 0); });
  // The sum at the corner, which is the first word of both edges.
  if (threadIdx.x < at.corners()) tile[0] = tile[0] + edge[0];
  __syncwarp();
  sum_tile(tile);
  __syncwarp();
  leave_edges(tile, edges, at);
}

/// One block per tile of a diagonal: load, sum, write back. `b` may be `a`.
template <class T>
__global__ void __launch_bounds__(table_threads, resident_tiles)
    sum_tile_diagonal(const T* a, T* b, Edges<T> edges, TilingOf<std::size_t> tiling,
                      DiagonalOf<std::size_t> diagonal) {
  __shared__ T tile[SumTile::words];
  __shared__ T edge[tile_side + 1];
  const Rectangular matrix(tiling.matrix);
  const std::size_t y = diagonal.row + blockIdx.x;
  const std::size_t x = diagonal.k - y;

  load_tile(a, matrix, y * tile_side, x * tile_side, tile);
  __syncthreads();

  if (sums_tiles()) sum_with_edges(tile, edge, edges, EdgePlacesOf<std::size_t>(tiling, y, x));
  __syncthreads();

  store_tile(tile, b, matrix, y * tile_side, x * tile_side);
}

}  // namespace bankproof::cuda::kernels
