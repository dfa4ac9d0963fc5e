// The tiles that go through the two passes of 2R1W: all of a matrix (THS 6.3), or a triangle at its
// first or last corner (THS 6.5); and where their sums are kept.
//
// Example: of 4 × 4 tiles, those on the last two diagonals are (2,3), (3,2) and (3,3). Their box
// begins at tile (1, 1), for what lies above (2,3) is known from tile (1,3), and to the left of
// (3,2) from tile (3,1); what lies above and to the left of (3,3), from (2,2), of (2,3) from (1,2).
#pragma once

#include <cstdint>

#include "layout.hpp"

namespace bankproof {

/// Those of a tiling's tiles on its diagonals y + x = first … end − 1, in a box of `down` ×
/// `across` tiles from tile (top, left) on. Rows, columns and diagonals are counted from there.
template <class N>
struct PartOf {
  TilingOf<N> tiling;
  N top;
  N left;
  N down;
  N across;
  N first;
  N end;

  /// With the rows and columns of tiles just before it. Diagonals are the tiling's.
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
  /// Whether there are tiles after it.
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> followed() const {
    return top + left + end < tiling.diagonals();
  }
  /// Whether the tile is on one of the last two diagonals, on which those that follow build.
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> is_last(const N& y, const N& x) const {
    return y + x + N(2) >= end;
  }
  /// The first of the two diagonals before it, whose sums stand for all before it.
  BANKPROOF_HOST_DEVICE constexpr N known() const { return minus_or_zero(first, N(2)); }

  /// In row y of the box, the tiles x of diagonals from … to − 1 are begin … begin + count − 1.
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
  /// Elements of the box.
  BANKPROOF_HOST_DEVICE constexpr N width() const {
    return smaller(across * tiling.w, tiling.matrix.columns - left * tiling.w);
  }
  BANKPROOF_HOST_DEVICE constexpr N height() const {
    return smaller(down * tiling.w, tiling.matrix.rows - top * tiling.w);
  }

  /// What is summed: the sums of columns, a row of them for each row of tiles but the last; of
  /// rows, transposed; and of tiles. Tile (y, x) takes what is in row y − 1, or x − 1, or both.
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
  /// Whether the table of tile sums does not fit in a tile.
  BANKPROOF_HOST_DEVICE constexpr TruthOf<N> recursive() const {
    return has_corners() && (down > tiling.w + N(1) || across > tiling.w + N(1));
  }
  /// The tiles of tile sums.
  BANKPROOF_HOST_DEVICE constexpr TilingOf<N> inner_tiling() const { return {corners(), tiling.w}; }
  BANKPROOF_HOST_DEVICE constexpr PartOf inner() const { return PartOf(inner_tiling()); }
};
using Part = PartOf<std::uint64_t>;

/// Where tile (y, x) leaves its sums, and how many are wanted: in C by the tile below it, in Rᵀ by
/// the one to the right, in M by the one beyond both.
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

/// Where a tile's carry is, and how much of it: of its columns and rows those in the matrix, and
/// one corner; none where nothing is above it, to its left, or both.
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

/// Where the carry of tile (y, x) is in C, Rᵀ and M after step 2.
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

/// The blocks of the launch of step 2, in this order: for the columns of C and of Rᵀ; and for M one
/// for each of its tiles where it is recursive, else one for all of it.
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

/// The triangles of hybrid, of t diagonals each where there are as many, and the diagonals t …
/// last_begin − 1 between them. Without diagonals the triangles are empty.
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
  /// Empty ones, of which proofs see that there is nothing to sum.
  BANKPROOF_HOST_DEVICE constexpr explicit TrianglesOf(const TilingOf<N>& tiling)
      : t(N(0)),
        last_begin(tiling.diagonals() - t),
        first(tiling, N(0), t),
        last(tiling, last_begin, tiling.diagonals()) {}
};

}  // namespace bankproof
