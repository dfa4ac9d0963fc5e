// A summed area table in one launch and one pass: 1R1W with look-back. A block has a tile in its
// registers and looks back for three sums of the elements above and to the left of the tile:
//
//   left     for each row: the sum of all tiles to the left, over this row and the tile's rows
//            above it. Tiles publish their own sums (PARTIAL), then the sums that include all tiles
//            to the left (INCLUSIVE).
//   above    the same for each column
//   corner   the table's entry at the last corner of the tile above and to the left
//
// An entry of the table is the same entry of the tile's own table plus the sum to the left of its
// row, the sum above its column, and the corner. Blocks take tiles diagonal by diagonal, so that
// most of the tiles that a tile depends on are done when it begins.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/summed_area_table/layout.hpp"
#include "../prefix_sums/tile_status.cuh"
#include "../sum/sum.cuh"

namespace bankproof::cuda::kernels {

/// A tile in the registers of a block. Thread t has one packet in each of `rows` rows: its first
/// row is ⌊t / across⌋ · rows, and its packets have number t mod across in their rows.
template <class T>
struct RegisterTile {
  static constexpr std::uint32_t side = 64;
  static constexpr std::uint32_t threads = 256;
  static constexpr std::uint32_t columns = Packet<T>::size;  // columns of a thread
  static constexpr std::uint32_t across = side / columns;    // threads of a row, in one warp
  static constexpr std::uint32_t down = threads / across;    // groups of `across` threads
  static constexpr std::uint32_t rows = side / down;         // rows of a thread
  static constexpr std::uint32_t sections = side / 32;  // sections: 32 lines each, for one warp
};

/// What tiles publish for their lines, which are either their rows or their columns: a status for
/// each section of 32 lines, and two values for each line, a sum of the tile and a sum that
/// includes earlier tiles.
template <class T>
struct PublishedLines {
  std::uint32_t* status;
  T* sums;
  T* prefixes;

  /// Called by a whole warp; each lane has a line.
  __device__ void publish(T* values, std::size_t tile, std::uint32_t line, const T& value,
                          TileStatus now) const {
    values[word(tile, line)] = value;
    __syncwarp();
    if (line % 32 == 0) publish_status(status + section(tile, line), now);
  }

  /// Publishes the tile's own sum of a line, and returns the sum of the line over the `before`
  /// tiles before this tile. The numbers of neighboring tiles differ by `step`. Called by a whole
  /// warp.
  __device__ T look_back(std::size_t tile, std::size_t before, std::size_t step, std::uint32_t line,
                         const T& own) const {
    T sum{};
    if (before > 0) {
      publish(sums, tile, line, own, tile_partial);
      std::size_t other = tile;
      TileStatus known = tile_invalid;
      do {
        other -= step;
        known = wait_for_status(status + section(other, line));
        const T* const values = known == tile_inclusive ? prefixes : sums;
        sum = values[word(other, line)] + sum;
      } while (known != tile_inclusive);
    }
    publish(prefixes, tile, line, sum + own, tile_inclusive);
    return sum;
  }

 private:
  __device__ static std::size_t word(std::size_t tile, std::uint32_t line) {
    return tile * RegisterTile<T>::side + line;
  }
  __device__ static std::size_t section(std::size_t tile, std::uint32_t line) {
    return tile * RegisterTile<T>::sections + line / 32;
  }
};

template <class T>
struct TableLookBack {
  PublishedLines<T> rows;
  PublishedLines<T> columns;
  std::uint32_t* corner_status;
  T* corners;
  std::uint32_t* ticket;
};

/// The row and column of tile `number`. Tiles are numbered diagonal by diagonal, from the top of
/// each diagonal to its bottom.
struct PlaceOnDiagonals {
  std::size_t y;
  std::size_t x;

  __device__ PlaceOnDiagonals(std::size_t number, std::size_t down, std::size_t across) {
    const std::size_t longest = smaller(down, across);
    const std::size_t triangle = longest * (longest - 1) / 2;  // tiles before the longest ones
    const std::size_t all = down * across;
    DiagonalOf<std::size_t> diagonal{};
    std::size_t row = 0;
    if (number < triangle) {
      const std::size_t k = of_triangle(number);
      diagonal = DiagonalOf<std::size_t>::of(k, down, across);
      row = number - k * (k + 1) / 2;
    } else if (number < all - triangle) {
      const std::size_t k = (number - triangle) / longest;
      diagonal = DiagonalOf<std::size_t>::of(longest - 1 + k, down, across);
      row = (number - triangle) % longest;
    } else {
      const std::size_t from_last = all - 1 - number;
      const std::size_t k = of_triangle(from_last);
      diagonal = DiagonalOf<std::size_t>::of(down + across - 2 - k, down, across);
      row = diagonal.count - 1 - (from_last - k * (k + 1) / 2);
    }
    y = diagonal.row + row;
    x = diagonal.k - y;
  }

 private:
  /// The k for which k(k + 1)/2 ≤ number < (k + 1)(k + 2)/2. The root is precise enough for numbers
  /// below 2^49.
  __device__ static std::size_t of_triangle(std::size_t number) {
    return static_cast<std::size_t>((sqrt(8.0 * static_cast<double>(number) + 1.0) - 1.0) / 2.0);
  }
};

/// A packet of the array that begins at element `first`. Its first `present` elements are in the
/// row; the other elements are zeros.
template <bool aligned, class T>
__device__ Packet<T> load_packet(const T* array, std::size_t first, std::uint32_t present) {
  Packet<T> packet{};
  if (aligned) {
    if (present > 0) packet = reinterpret_cast<const Packet<T>*>(array)[first / Packet<T>::size];
  } else {
#pragma unroll
    for (std::uint32_t k = 0; k < Packet<T>::size; ++k) {
      if (k < present) packet.elements[k] = array[first + k];
    }
  }
  return packet;
}
template <bool aligned, class T>
__device__ void store_packet(T* array, std::size_t first, std::uint32_t present,
                             const Packet<T>& packet) {
  if (aligned) {
    if (present > 0) reinterpret_cast<Packet<T>*>(array)[first / Packet<T>::size] = packet;
  } else {
#pragma unroll
    for (std::uint32_t k = 0; k < Packet<T>::size; ++k) {
      if (k < present) array[first + k] = packet.elements[k];
    }
  }
}

/// Sums a tile. Each thread has a part of the tile and gets the same part of its table.
template <class T>
__device__ void sum_registers(Packet<T> (&own)[RegisterTile<T>::rows]) {
  using Tile = RegisterTile<T>;
  __shared__ Packet<T> totals[Tile::down][Tile::across];
  const std::uint32_t column = threadIdx.x % Tile::across;
  const std::uint32_t group = threadIdx.x / Tile::across;

  // Down: within each thread, then over the groups above.
#pragma unroll
  for (std::uint32_t i = 1; i < Tile::rows; ++i) {
#pragma unroll
    for (std::uint32_t j = 0; j < Tile::columns; ++j) {
      own[i].elements[j] = own[i - 1].elements[j] + own[i].elements[j];
    }
  }
  totals[group][column] = own[Tile::rows - 1];
  __syncthreads();
  Packet<T> above{};
  for (std::uint32_t other = 0; other < group; ++other) {
#pragma unroll
    for (std::uint32_t j = 0; j < Tile::columns; ++j) {
      above.elements[j] = above.elements[j] + totals[other][column].elements[j];
    }
  }

  // Along: within each thread, then over the threads to the left.
#pragma unroll
  for (std::uint32_t i = 0; i < Tile::rows; ++i) {
#pragma unroll
    for (std::uint32_t j = 0; j < Tile::columns; ++j) {
      own[i].elements[j] = above.elements[j] + own[i].elements[j];
      if (j > 0) own[i].elements[j] = own[i].elements[j - 1] + own[i].elements[j];
    }
    T upto = own[i].elements[Tile::columns - 1];
#pragma unroll
    for (std::uint32_t distance = 1; distance < Tile::across; distance *= 2) {
      const T other = __shfl_up_sync(0xffffffff, upto, distance, Tile::across);
      if (column >= distance) upto = other + upto;
    }
    const T left = __shfl_up_sync(0xffffffff, upto, 1, Tile::across);
#pragma unroll
    for (std::uint32_t j = 0; j < Tile::columns; ++j) {
      if (column > 0) own[i].elements[j] = left + own[i].elements[j];
    }
  }
}

/// One block per tile. `aligned`: rows begin at multiples of 16 bytes. `b` may be `a`.
template <bool aligned, class T>
__global__ void __launch_bounds__(RegisterTile<T>::threads)
    sum_tiles_with_look_back(const T* a, T* b, std::size_t rows, std::size_t columns,
                             TableLookBack<T> state) {
  using Tile = RegisterTile<T>;
  __shared__ T along[Tile::side];  // the tile's last column, then the sums to the left of it
  __shared__ T down[Tile::side];   // the tile's last row, then the sums above it
  __shared__ T corner;
  __shared__ std::size_t drawn;

  // Draw a tile.
  if (threadIdx.x == 0) drawn = atomicAdd(state.ticket, 1U);
  __syncthreads();
  const std::size_t tiles_across = ceil_div(columns, Tile::side);
  const PlaceOnDiagonals place(drawn, ceil_div(rows, Tile::side), tiles_across);
  const std::size_t tile = row_major(place.y, place.x, tiles_across);

  // Load.
  const std::uint32_t i = threadIdx.x / Tile::across * Tile::rows;
  const std::uint32_t j = threadIdx.x % Tile::across * Tile::columns;
  const std::size_t top = place.y * Tile::side + i;
  const std::size_t left = place.x * Tile::side + j;
  const auto present =
      static_cast<std::uint32_t>(smaller<std::size_t>(minus_or_zero(columns, left), Tile::columns));
  Packet<T> own[Tile::rows];
#pragma unroll
  for (std::uint32_t k = 0; k < Tile::rows; ++k) {
    own[k] =
        load_packet<aligned>(a, row_major(top + k, left, columns), top + k < rows ? present : 0);
  }

  // Sum.
  sum_registers<T>(own);
  if (j + Tile::columns == Tile::side) {
#pragma unroll
    for (std::uint32_t k = 0; k < Tile::rows; ++k) {
      along[i + k] = own[k].elements[Tile::columns - 1];
    }
  }
  if (i + Tile::rows == Tile::side) {
#pragma unroll
    for (std::uint32_t k = 0; k < Tile::columns; ++k) {
      down[j + k] = own[Tile::rows - 1].elements[k];
    }
  }
  __syncthreads();

  // Look back: one warp per section of rows and of columns, and one thread for the corner.
  const std::uint32_t section = threadIdx.x / 32;
  if (section < Tile::sections) {
    const std::uint32_t line = threadIdx.x;
    along[line] = state.rows.look_back(tile, place.x, 1, line, along[line]);
  } else if (section < 2 * Tile::sections) {
    const std::uint32_t line = threadIdx.x - Tile::side;
    down[line] = state.columns.look_back(tile, place.y, tiles_across, line, down[line]);
  } else if (threadIdx.x == 2 * Tile::side) {
    const bool has_corner = place.y > 0 && place.x > 0;
    const std::size_t before = tile - tiles_across - 1;
    if (has_corner) wait_for_status(state.corner_status + before);
    corner = has_corner ? state.corners[before] : T{};
  }
  __syncthreads();

  // Add.
#pragma unroll
  for (std::uint32_t k = 0; k < Tile::rows; ++k) {
#pragma unroll
    for (std::uint32_t l = 0; l < Tile::columns; ++l) {
      own[k].elements[l] = own[k].elements[l] + along[i + k] + (down[j + l] + corner);
    }
  }
  if (threadIdx.x == Tile::threads - 1) {
    state.corners[tile] = own[Tile::rows - 1].elements[Tile::columns - 1];
    publish_status(state.corner_status + tile, tile_inclusive);
  }

  // Write back.
#pragma unroll
  for (std::uint32_t k = 0; k < Tile::rows; ++k) {
    store_packet<aligned>(b, row_major(top + k, left, columns), top + k < rows ? present : 0,
                          own[k]);
  }
}

}  // namespace bankproof::cuda::kernels
