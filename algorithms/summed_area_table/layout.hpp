// The layout of the data of summed area tables: matrices and tiles, the edges that tiles leave for
// other tiles, and the corners of a rectangle. The device's kernels use the same templates.
//
// Example: 9 × 9 elements with w = 4 are 3 × 3 tiles on 5 diagonals; tile (1, 2) has one column and
// leaves no right edge.
#pragma once

#include <cstdint>

#include "../layout.hpp"

namespace bankproof {

/// A matrix to sum, or a staircase in it. Row i has the columns j = begin(i) … end(i) − 1, which
/// are the columns with first ≤ i + ⌊j/tread⌋ < last. Elements beside the staircase count as zero;
/// they are neither read nor written.
template <class N>
struct SummingOf {
  N rows;
  N columns;
  N first = N(0);
  N last = rows + columns;
  N tread = N(1);

  BANKPROOF_HOST_DEVICE constexpr N begin(const N& i) const {
    return smaller(tread * minus_or_zero(first, i), columns);
  }
  BANKPROOF_HOST_DEVICE constexpr N end(const N& i) const {
    return smaller(tread * minus_or_zero(last, i), columns);
  }
};
using Summing = SummingOf<std::uint64_t>;

/// The elements with i + j = k: rows from `row` on, `count` of them.
template <class N>
struct DiagonalOf {
  N k;
  N row;
  N count;

  BANKPROOF_HOST_DEVICE static constexpr DiagonalOf of(const N& k, const N& rows,
                                                       const N& columns) {
    const N first = minus_or_zero(k + N(1), columns);
    return {k, first, smaller(k + N(1), rows) - first};
  }
};
using Diagonal = DiagonalOf<std::uint64_t>;

/// The part of a matrix that a tile covers; see tiles.hpp.
template <class N>
struct TileWindowOf;

/// The tiles of a matrix: down() × across() tiles of w × w elements.
template <class N>
struct TilingOf {
  SummingOf<N> matrix;
  N w;

  BANKPROOF_HOST_DEVICE constexpr N down() const { return ceil_div(matrix.rows, w); }
  BANKPROOF_HOST_DEVICE constexpr N across() const { return ceil_div(matrix.columns, w); }
  /// The number of diagonals y + x = 0, 1, … of tiles.
  BANKPROOF_HOST_DEVICE constexpr N diagonals() const { return down() + across() - N(1); }

  TileWindowOf<N> window(const N& y, const N& x) const { return {matrix, y * w, x * w}; }
};
using Tiling = TilingOf<std::uint64_t>;

/// The places of the edges of tile (y, x).
template <class N>
struct EdgePlacesOf {
  N columns;  ///< of the tile, within the matrix
  N rows;
  TruthOf<N> above;  ///< whether there is a tile above it
  TruthOf<N> left;
  TruthOf<N> below;
  TruthOf<N> right;
  N above_row;  ///< the word above the tile, in the bottom row of the tile above
  N left_row;
  N own_bottom;
  N own_right;

  BANKPROOF_HOST_DEVICE constexpr EdgePlacesOf(const TilingOf<N>& tiling, const N& y, const N& x)
      : columns(smaller(tiling.w, tiling.matrix.columns - x * tiling.w)),
        rows(smaller(tiling.w, tiling.matrix.rows - y * tiling.w)),
        above(y > N(0)),
        left(x > N(0)),
        below(y + N(1) < tiling.down()),
        right(x + N(1) < tiling.across()),
        above_row(minus_or_zero(y, N(1)) * tiling.matrix.columns + x * tiling.w),
        left_row(minus_or_zero(x, N(1)) * tiling.matrix.rows + y * tiling.w),
        own_bottom(y * tiling.matrix.columns + x * tiling.w),
        own_right(x * tiling.matrix.rows + y * tiling.w) {}

  /// The number of words of the edges around the tile.
  BANKPROOF_HOST_DEVICE constexpr N columns_above() const { return select(above, columns, N(0)); }
  BANKPROOF_HOST_DEVICE constexpr N rows_left() const { return select(left, rows, N(0)); }
  BANKPROOF_HOST_DEVICE constexpr N corners() const { return select(above && left, N(1), N(0)); }
};
using EdgePlaces = EdgePlacesOf<std::uint64_t>;

/// The sum of a[top … bottom][left … right] from four corners of its table (THS 6, with the signs
/// corrected). corner(i, j) is the sum of the elements above row i and to the left of column j.
template <class N, class Corner>
BANKPROOF_HOST_DEVICE constexpr auto rectangle_from_corners(Corner corner, const N& top,
                                                            const N& left, const N& bottom,
                                                            const N& right) {
  const N below = bottom + N(1);
  const N beyond = right + N(1);
  return corner(below, beyond) - corner(top, beyond) - corner(below, left) + corner(top, left);
}

}  // namespace bankproof
