// The tiles that go through the two passes of 2R1W: all of a matrix (THS 6.3), or a triangle at its
// first or last corner (THS 6.5).
//
// Example: of 4 × 4 tiles, those on the last two diagonals are (2,3), (3,2) and (3,3). Their box
// begins at tile (1, 1), for what lies above (2,3) is known from tile (1,3), and to the left of
// (3,2) from tile (3,1); what lies above and to the left of (3,3), from (2,2), of (2,3) from (1,2).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "one_pass.hpp"

namespace bankproof {

/// A tile's row and column in a box of tiles.
using TilePlace = std::pair<std::uint64_t, std::uint64_t>;

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
  PartOf(const TilingOf<N>& of, const N& from, const N& to)
      : tiling(of),
        top(minus_or_zero(from, tiling.across())),
        left(minus_or_zero(from, tiling.down())),
        down(smaller(to, tiling.down()) - top),
        across(smaller(to, tiling.across()) - left),
        first(from - top - left),
        end(to - top - left) {}
  explicit PartOf(const TilingOf<N>& all)
      : tiling(all),
        top(N(0)),
        left(N(0)),
        down(all.down()),
        across(all.across()),
        first(N(0)),
        end(all.diagonals()) {}

  TruthOf<N> has(const N& y, const N& x) const {
    return y < down && x < across && y + x >= first && y + x < end;
  }
  TruthOf<N> empty() const { return first == end; }
  /// Whether there are tiles after it.
  TruthOf<N> followed() const { return top + left + end < tiling.diagonals(); }
  /// Whether the tile is on one of the last two diagonals, on which those that follow build.
  TruthOf<N> is_last(const N& y, const N& x) const { return y + x + N(2) >= end; }
  /// The first of the two diagonals before it, whose sums stand for all before it.
  N known() const { return minus_or_zero(first, N(2)); }

  /// In row y of the box, the tiles x of diagonals from … to − 1 are begin … begin + count − 1.
  struct RowOfTiles {
    N begin;
    N count;
  };
  RowOfTiles row(const N& from, const N& to, const N& y) const {
    const N begin = minus_or_zero(from, y);
    return {begin, minus_or_zero(smaller(across, minus_or_zero(to, y)), begin)};
  }

  TileWindowOf<N> window(const N& y, const N& x) const { return tiling.window(top + y, left + x); }
  EdgePlacesOf<N> edges(const N& y, const N& x) const { return {tiling, top + y, left + x}; }
  /// Elements of the box.
  N width() const { return smaller(across * tiling.w, tiling.matrix.columns - left * tiling.w); }
  N height() const { return smaller(down * tiling.w, tiling.matrix.rows - top * tiling.w); }

  /// What is summed: the sums of columns, a row of them for each row of tiles but the last; of
  /// rows, transposed; and of tiles. Tile (y, x) takes what is in row y − 1, or x − 1, or both.
  SummingOf<N> columns() const {
    return {down - N(1), width(), minus_or_zero(first, N(1)), end - N(1), tiling.w};
  }
  SummingOf<N> rows() const {
    return {across - N(1), height(), minus_or_zero(first, N(1)), end - N(1), tiling.w};
  }
  SummingOf<N> corners() const {
    return {down - N(1), across - N(1), known(), minus_or_zero(end, N(2))};
  }
  TruthOf<N> has_corners() const { return down > N(1) && across > N(1); }
  /// Whether the table of tile sums does not fit in a tile.
  TruthOf<N> recursive() const {
    return has_corners() && (down > tiling.w + N(1) || across > tiling.w + N(1));
  }
  /// The tiles of tile sums.
  TilingOf<N> inner_tiling() const { return {corners(), tiling.w}; }
  PartOf inner() const { return PartOf(inner_tiling()); }
};
using Part = PartOf<std::uint64_t>;

/// The tiles of a part's box on diagonals from … to − 1, row by row: of(sink, y, x).
template <class Launch, class N, class Of>
void over_tiles(Launch& launch, const PartOf<N>& part, const N& from, const N& to, Of of) {
  launch.times(part.down, [&](Launch& some, const N& y) {
    const auto row = part.row(from, to, y);
    some.times(row.count, [&](Launch& one, const N& k) { of(one, y, row.begin + k); });
  });
}

/// A list of tiles, as over_tiles() goes through them.
class TilePlaces : public InOrder<TilePlaces> {
 public:
  void add(const Part& part, std::uint64_t from, std::uint64_t to) {
    over_tiles(*this, part, from, to, [](TilePlaces& all, std::uint64_t y, std::uint64_t x) {
      all.places_.emplace_back(y, x);
    });
  }
  std::uint64_t count() const { return places_.size(); }
  const TilePlace& operator[](std::uint64_t k) const { return places_[k]; }

 private:
  std::vector<TilePlace> places_;
};

/// The matrices C, Rᵀ and M of a part.
template <class T>
struct SumArrays {
  Array<T> columns;
  Array<T> rows;
  Array<T> tiles;

  SumArrays(Memory& memory, const Part& part)
      : columns(memory, part.columns().rows * part.columns().columns, "C"),
        rows(memory, part.rows().rows * part.rows().columns, "R"),
        tiles(memory, part.corners().rows * part.corners().columns, "M") {}
  Carry<T> carry() { return {columns, rows, tiles}; }
};

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

  SumPlacesOf(const PartOf<N>& part, const N& y, const N& x)
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

}  // namespace bankproof
