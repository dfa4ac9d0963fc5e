// Kernels of 2R1W and of the triangles of (1+r)R1W: three launches, and two more for each level of
// recursion. algorithms/summed_area_table/{two_passes,hybrid}.hpp have the same programs for the
// machines.
#pragma once

#include <type_traits>

#include "../sum/sum.cuh"
#include "one_pass.cuh"

namespace bankproof::cuda::kernels {

/// Step 1 of the tile that begins at (top, left): the sums of its columns, the sums of its rows,
/// and the sum of all its elements. Called by all threads of the block.
template <class Matrix, class T>
__device__ void sum_edges(const T* a, const Matrix& matrix, std::size_t top, std::size_t left,
                          const Sums<T>& sums, const SumPlacesOf<std::size_t>& to) {
  __shared__ T tile[SumTile::words];
  __shared__ T edge[tile_side];
  load_tile(a, matrix, top, left, tile);
  __syncthreads();

  if (!sums_tiles()) return;
  const std::uint32_t lane = threadIdx.x;
  T sum{};
#pragma unroll
  for (std::uint32_t i = 0; i < tile_side; ++i) sum = sum + tile[SumTile::word(i, lane)];
  edge[lane] = sum;
  if (lane < to.columns) sums.columns[to.in_columns + lane] = sum;
  if (lane < to.rows) {
    sum = T{};
#pragma unroll
    for (std::uint32_t j = 0; j < tile_side; ++j) sum = sum + tile[SumTile::word(lane, j)];
    sums.rows[to.in_rows + lane] = sum;
  }
  __syncwarp();
  add_pairwise(edge, tile_side);
  if (lane < to.tiles) sums.tiles[to.in_tiles] = edge[0];
}

/// sums[0 … wanted − 1] ← differences between neighbors of an edge of the table, beginning at word
/// `from`.
template <class T>
__device__ void take_differences(const T* edges, std::size_t from, bool has_corner, T* sums,
                                 std::size_t wanted) {
  const std::uint32_t lane = threadIdx.x;
  if (lane >= wanted) return;
  const T before = lane > 0 || has_corner ? edges[from + lane - 1] : T{};
  sums[lane] = edges[from + lane] - before;
}

/// Step 1 of a finished tile (y, x) on one of the two diagonals before the part. In M, the farther
/// diagonal stores corners of the table, and the nearer diagonal stores its own corners minus the
/// neighboring corners of the farther diagonal.
template <class T>
__device__ void take_edges(const Edges<T>& edges, const Sums<T>& sums,
                           const PartOf<std::size_t>& part, std::size_t y, std::size_t x) {
  if (!sums_tiles()) return;
  const EdgePlacesOf<std::size_t> at = part.edges(y, x);
  const SumPlacesOf<std::size_t> to(part, y, x);
  take_differences(edges.bottom, at.own_bottom, at.left, sums.columns + to.in_columns, to.columns);
  take_differences(edges.right, at.own_right, at.above, sums.rows + to.in_rows, to.rows);
  if (threadIdx.x < to.tiles) {
    const bool nearest = y + x + 1 == part.first;  // subtract the corners of the tiles before it
    const T* const corner = edges.bottom + at.own_bottom + tile_side - 1;
    T sum = *corner;
    if (nearest && at.above)
      sum = sum - corner[-static_cast<std::ptrdiff_t>(part.tiling.matrix.columns)];
    if (nearest && at.left) sum = sum - edges.bottom[at.own_bottom - 1];
    sums.tiles[to.in_tiles] = sum;
  }
}

/// Step 1, one block per tile of the part's box. Blocks work for the tiles of the part, and for the
/// tiles of the two diagonals before the part, which have stored their edges.
template <class T>
__global__ void sum_or_take_edges(const T* a, Edges<T> edges, Sums<T> sums,
                                  PartOf<std::size_t> part) {
  const std::size_t y = blockIdx.x / part.across;
  const std::size_t x = blockIdx.x % part.across;
  if (part.has(y, x)) {
    sum_edges(a, Rectangular(part.tiling.matrix), (part.top + y) * tile_side,
              (part.left + x) * tile_side, sums, SumPlacesOf<std::size_t>(part, y, x));
  } else if (y + x < part.first && y + x >= part.known()) {
    take_edges(edges, sums, part, y, x);
  }
}

/// Step 2: sums down C and Rᵀ. Also computes the table of M or, if M is larger than a tile, does
/// step 1 for the table of M; then `inner` gets the sums of M's tiles.
template <class T>
__global__ void sum_sums(Sums<T> sums, Sums<T> inner, PartOf<std::size_t> part,
                         SecondStepOf<std::size_t> step) {
  constexpr std::uint32_t loads = 8;
  const std::size_t block = blockIdx.x;
  if (block < step.for_columns) {
    sum_down_column<loads>(sums.columns, sums.columns, part.columns(),
                           block * table_threads + threadIdx.x);
  } else if (block < step.for_columns + step.for_rows) {
    sum_down_column<loads>(sums.rows, sums.rows, part.rows(),
                           (block - step.for_columns) * table_threads + threadIdx.x);
  } else if (step.for_tiles > 0) {
    const PartOf<std::size_t> of_sums = part.inner();
    const std::size_t tile = block - step.for_columns - step.for_rows;
    const std::size_t y = tile / of_sums.across;
    const std::size_t x = tile % of_sums.across;
    sum_edges(sums.tiles, of_sums.tiling.matrix, y * tile_side, x * tile_side, inner,
              SumPlacesOf<std::size_t>(of_sums, y, x));
  } else {
    __shared__ T tile[SumTile::words];
    const Stairs corners = part.corners();
    load_tile(sums.tiles, corners, 0, 0, tile);
    __syncthreads();
    if (sums_tiles()) sum_tile(tile);
    __syncthreads();
    store_tile(tile, sums.tiles, corners, 0, 0);
  }
}

/// Step 3, one block per tile of the part's box; b may be a. If tiles follow the part, its last
/// tiles store their edges. In M, no tiles follow.
template <class Matrix, class T>
__global__ void __launch_bounds__(table_threads, resident_tiles)
    finish_tiles(const T* a, T* b, Sums<T> sums, Edges<T> edges, PartOf<std::size_t> part) {
  __shared__ T tile[SumTile::words];
  const std::size_t y = blockIdx.x / part.across;
  const std::size_t x = blockIdx.x % part.across;
  if (!part.has(y, x)) return;
  const Matrix matrix(part.tiling.matrix);
  const std::size_t top = (part.top + y) * tile_side;
  const std::size_t left = (part.left + x) * tile_side;

  load_tile(a, matrix, top, left, tile);
  __syncthreads();

  if (sums_tiles()) {
    add_carry(tile, sums, carry_of_sums(part, y, x));
    __syncwarp();
    sum_tile(tile);
    if constexpr (std::is_same_v<Matrix, Rectangular>) {
      if (part.followed() && part.is_last(y, x)) {
        __syncwarp();
        leave_edges(tile, edges, part.edges(y, x));
      }
    }
  }
  __syncthreads();

  store_tile(tile, b, matrix, top, left);
}

}  // namespace bankproof::cuda::kernels
