// The tiles that go through the two passes of 2R1W, and the places of their sums. The tiles are all
// tiles of a matrix (THS 6.3), or a triangle of tiles at the matrix's first or last corner (THS
// 6.5).
//
// Example: of 4 × 4 tiles, those on the last two diagonals are (2,3), (3,2) and (3,3). Their box
// begins at tile (1, 1). The sums of all elements above tile (2,3) come from tile (1,3), and the
// sums of all elements to the left of tile (3,2) come from tile (3,1). The sum of all elements
// above and to the left of tile (3,3) comes from tile (2,2), and that of tile (2,3) from tile
// (1,2).
#pragma once

#include <cstdint>

#include "layout.hpp"

namespace bankproof {

/// The tiles of a tiling on its diagonals y + x = first … end − 1, in a box of `down` × `across`
/// tiles from tile (top, left) on. Rows, columns and diagonals are counted from that tile.
template <class N>
struct PartOf {
  TilingOf<N> tiling;
  N top;
  N left;
  N down;
  N across;
  N first;
  N end;

  /// Tiles on the tiling's diagonals from … to − 1; the box includes the tiles just before them.
  BANKPROOF_HOST_DEVICE constexpr PartOf(const TilingOf<N>& of, const N& from, const N& to)
      : tiling(of),
        top(minus_or_zero(from, tiling.across())),
        left(minus_or_zero(from, tiling.down())),
        down(smaller(to, tiling.down()) - top),
        across(smaller(to, tiling.across()) - left),
        first(from - top - left),
        end(to - top - left) {}
  BANKPROOF_HOST_DEVICE constexpr explicit PartOf(const TilingOf<N>& all)
      : tiling(all),
        top(N(0)),
        left(N(0)),
        down(all.down()),
        across(all.across()),
        first(N(0)),
        end(all.diagonals()) {}

  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> has(const N& y, const N& x) const {
    return y < down && x < across && y + x >= first && y + x < end;
  }
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> empty() const { return first == end; }
  /// Whether there are tiles after the part.
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> followed() const {
    return top + left + end < tiling.diagonals();
  }
  /// Whether the tile is on one of the part's last two diagonals, on which later tiles build.
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> is_last(const N& y, const N& x) const {
    return y + x + N(2) >= end;
  }
  /// The first of the two diagonals before the part. The sums of these diagonals stand for all
  /// tiles before the part.
  BANKPROOF_HOST_DEVICE constexpr N known() const { return minus_or_zero(first, N(2)); }

  /// In row y of the box, diagonals from … to − 1 have the tiles x = begin … begin + count − 1.
  struct RowOfTiles {
    N begin;
    N count;
  };
  BANKPROOF_HOST_DEVICE constexpr RowOfTiles row(const N& from, const N& to, const N& y) const {
    const N begin = minus_or_zero(from, y);
    return {begin, minus_or_zero(smaller(across, minus_or_zero(to, y)), begin)};
  }

  TileWindowOf<N> window(const N& y, const N& x) const { return tiling.window(top + y, left + x); }
  BANKPROOF_HOST_DEVICE constexpr EdgePlacesOf<N> edges(const N& y, const N& x) const {
    return {tiling, top + y, left + x};
  }
  /// The width and the height of the box in elements.
  BANKPROOF_HOST_DEVICE constexpr N width() const {
    return smaller(across * tiling.w, tiling.matrix.columns - left * tiling.w);
  }
  BANKPROOF_HOST_DEVICE constexpr N height() const {
    return smaller(down * tiling.w, tiling.matrix.rows - top * tiling.w);
  }

  /// The shapes of C, Rᵀ and M, which step 2 sums. columns() is C: the sums of the columns of
  /// tiles, one row for each row of tiles but the last. rows() is Rᵀ: the sums of the rows of
  /// tiles, transposed. corners() is M: the sums of tiles. Tile (y, x) reads row y − 1 of
  /// columns(), row x − 1 of rows() and element (y − 1, x − 1) of corners().
  BANKPROOF_HOST_DEVICE constexpr SummingOf<N> columns() const {
    return {down - N(1), width(), minus_or_zero(first, N(1)), end - N(1), tiling.w};
  }
  BANKPROOF_HOST_DEVICE constexpr SummingOf<N> rows() const {
    return {across - N(1), height(), minus_or_zero(first, N(1)), end - N(1), tiling.w};
  }
  BANKPROOF_HOST_DEVICE constexpr SummingOf<N> corners() const {
    return {down - N(1), across - N(1), known(), minus_or_zero(end, N(2))};
  }
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> has_corners() const {
    return down > N(1) && across > N(1);
  }
  /// Whether the table of tile sums is too large for a tile.
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> recursive() const {
    return has_corners() && (down > tiling.w + N(1) || across > tiling.w + N(1));
  }
  /// The tiles of tile sums.
  BANKPROOF_HOST_DEVICE constexpr TilingOf<N> inner_tiling() const { return {corners(), tiling.w}; }
  BANKPROOF_HOST_DEVICE constexpr PartOf inner() const { return PartOf(inner_tiling()); }
};
using Part = PartOf<std::uint64_t>;

/// The places where tile (y, x) leaves its sums, and the number of sums that later tiles need. The
/// tile below needs the sums in C, the tile to the right needs the sums in Rᵀ, and the tile below
/// and to the right needs the sum in M.
template <class N>
struct SumPlacesOf {
  N columns;
  N rows;
  N tiles;
  N in_columns;
  N in_rows;
  N in_tiles;

  BANKPROOF_HOST_DEVICE constexpr SumPlacesOf(const PartOf<N>& part, const N& y, const N& x)
      : columns(select(part.has(y + N(1), x),
                       smaller(part.tiling.w, part.width() - x * part.tiling.w), N(0))),
        rows(select(part.has(y, x + N(1)),
                    smaller(part.tiling.w, part.height() - y * part.tiling.w), N(0))),
        tiles(select(part.has(y + N(1), x + N(1)), N(1), N(0))),
        in_columns(y * part.width() + x * part.tiling.w),
        in_rows(x * part.height() + y * part.tiling.w),
        in_tiles(y * (part.across - N(1)) + x) {}
};
using SumPlaces = SumPlacesOf<std::uint64_t>;

/// The places of a tile's carry, and the numbers of its words: one word for each of the tile's
/// columns and rows within the matrix, and one for the corner. `columns` is 0 if nothing is above
/// the tile, `rows` is 0 if nothing is to its left, and `corners` is 0 in either case.
template <class N>
struct CarryPlaceOf {
  N columns;
  N rows;
  N corners;
  N above;
  N left;
  N corner;
};
using CarryPlace = CarryPlaceOf<std::uint64_t>;

/// The places in C, Rᵀ and M where step 2 leaves the carry of tile (y, x).
template <class N>
BANKPROOF_HOST_DEVICE constexpr CarryPlaceOf<N> carry_of_sums(const PartOf<N>& part, const N& y,
                                                              const N& x) {
  const N& w = part.tiling.w;
  const N y_before = minus_or_zero(y, N(1));
  const N x_before = minus_or_zero(x, N(1));
  return {.columns = select(y > N(0), smaller(w, part.width() - x * w), N(0)),
          .rows = select(x > N(0), smaller(w, part.height() - y * w), N(0)),
          .corners = select(y > N(0) && x > N(0), N(1), N(0)),
          .above = y_before * part.width() + x * w,
          .left = x_before * part.height() + y * w,
          .corner = y_before * (part.across - N(1)) + x_before};
}

/// The blocks of step 2's launch, in this order: blocks for the columns of C, blocks for the
/// columns of Rᵀ, and blocks for M. If M is recursive, each of its tiles has a block; otherwise one
/// block takes all of M.
template <class N>
struct SecondStepOf {
  N for_columns;
  N for_rows;
  N for_tiles;
  N for_all;

  BANKPROOF_HOST_DEVICE constexpr SecondStepOf(const PartOf<N>& part, const N& p)
      : for_columns(select(part.down > N(1), ceil_div(part.width(), p), N(0))),
        for_rows(select(part.across > N(1), ceil_div(part.height(), p), N(0))),
        for_tiles(select(part.recursive(),
                         part.inner_tiling().down() * part.inner_tiling().across(), N(0))),
        for_all(select(part.has_corners() && !part.recursive(), N(1), N(0))) {}
  BANKPROOF_HOST_DEVICE constexpr N blocks() const {
    return for_columns + for_rows + for_tiles + for_all;
  }
};
using SecondStep = SecondStepOf<std::uint64_t>;

/// The triangles of hybrid, and the diagonals t … last_begin − 1 between them. Each triangle has t
/// diagonals, or half of all diagonals if there are fewer. Without diagonals the triangles are
/// empty.
template <class N>
struct TrianglesOf {
  N t;
  N last_begin;
  PartOf<N> first;
  PartOf<N> last;

  BANKPROOF_HOST_DEVICE constexpr TrianglesOf(const TilingOf<N>& tiling, const N& wanted)
      : t(smaller(wanted, tiling.diagonals() / N(2))),
        last_begin(tiling.diagonals() - t),
        first(tiling, N(0), t),
        last(tiling, last_begin, tiling.diagonals()) {}
  /// Empty triangles, in a form in which proofs see that there is nothing to sum.
  BANKPROOF_HOST_DEVICE constexpr explicit TrianglesOf(const TilingOf<N>& tiling)
      : t(N(0)),
        last_begin(tiling.diagonals() - t),
        first(tiling, N(0), t),
        last(tiling, last_begin, tiling.diagonals()) {}
};

}  // namespace bankproof
