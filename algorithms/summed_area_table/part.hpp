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
struct Part {
  Tiling tiling;
  std::uint64_t top;
  std::uint64_t left;
  std::uint64_t down;
  std::uint64_t across;
  std::uint64_t first;
  std::uint64_t end;

  /// With the rows and columns of tiles just before it. Diagonals are the tiling's.
  Part(const Tiling& of, std::uint64_t from, std::uint64_t to)
      : tiling(of),
        top(minus_or_zero(from, tiling.across())),
        left(minus_or_zero(from, tiling.down())),
        down(smaller(to, tiling.down()) - top),
        across(smaller(to, tiling.across()) - left),
        first(from - top - left),
        end(to - top - left) {}
  explicit Part(const Tiling& all) : Part(all, 0, all.diagonals()) {}

  bool has(std::uint64_t y, std::uint64_t x) const {
    return y < down && x < across && y + x >= first && y + x < end;
  }
  bool empty() const { return first == end; }
  /// Whether there are tiles after it.
  bool followed() const { return top + left + end < tiling.diagonals(); }
  /// Whether the tile is on one of the last two diagonals, on which those that follow build.
  bool is_last(std::uint64_t y, std::uint64_t x) const { return y + x + 2 >= end; }
  /// Its tiles, row by row.
  std::vector<TilePlace> tiles() const { return places(first, end); }
  /// After those, the ones before it whose sums are wanted: on the two diagonals before it.
  std::vector<TilePlace> summed_tiles() const {
    std::vector<TilePlace> all = tiles();
    for (const auto& [y, x] : places(minus_or_zero<std::uint64_t>(first, 2), first)) {
      if (has(y + 1, x) || has(y, x + 1) || has(y + 1, x + 1)) all.emplace_back(y, x);
    }
    return all;
  }

  TileWindow window(std::uint64_t y, std::uint64_t x) const {
    return tiling.window(top + y, left + x);
  }
  EdgePlaces edges(std::uint64_t y, std::uint64_t x) const {
    return EdgePlaces(tiling, top + y, left + x);
  }
  /// Elements of the box.
  std::uint64_t width() const {
    return smaller(across * tiling.w, tiling.matrix.columns - left * tiling.w);
  }
  std::uint64_t height() const {
    return smaller(down * tiling.w, tiling.matrix.rows - top * tiling.w);
  }

  /// What is summed: the sums of columns, a row of them for each row of tiles but the last; of
  /// rows, transposed; and of tiles. Tile (y, x) takes what is in row y − 1, or x − 1, or both.
  Summing columns() const {
    return {down - 1, width(), minus_or_zero<std::uint64_t>(first, 1), end - 1, tiling.w};
  }
  Summing rows() const {
    return {across - 1, height(), minus_or_zero<std::uint64_t>(first, 1), end - 1, tiling.w};
  }
  Summing corners() const {
    return {down - 1, across - 1, minus_or_zero<std::uint64_t>(first, 2),
            minus_or_zero<std::uint64_t>(end, 2)};
  }
  bool has_corners() const { return down > 1 && across > 1; }
  /// Whether the table of tile sums does not fit in a tile.
  bool recursive() const { return has_corners() && (down - 1 > tiling.w || across - 1 > tiling.w); }
  /// The tiles of tile sums.
  Part inner() const { return Part(Tiling{corners(), tiling.w}); }

 private:
  /// The tiles of the box on diagonals from … to − 1, row by row.
  std::vector<TilePlace> places(std::uint64_t from, std::uint64_t to) const {
    std::vector<TilePlace> found;
    for (std::uint64_t y = 0; y < down; ++y) {
      const std::uint64_t stop = smaller(across, minus_or_zero(to, y));
      for (std::uint64_t x = minus_or_zero(from, y); x < stop; ++x) found.emplace_back(y, x);
    }
    return found;
  }
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
struct SumPlaces {
  std::uint64_t columns;
  std::uint64_t rows;
  std::uint64_t tiles;
  Address in_columns;
  Address in_rows;
  Address in_tiles;

  SumPlaces(const Part& part, std::uint64_t y, std::uint64_t x)
      : columns(part.has(y + 1, x)
                    ? smaller(part.tiling.w, part.columns().columns - x * part.tiling.w)
                    : 0),
        rows(part.has(y, x + 1) ? smaller(part.tiling.w, part.rows().columns - y * part.tiling.w)
                                : 0),
        tiles(part.has(y + 1, x + 1) ? 1 : 0),
        in_columns(y * part.columns().columns + x * part.tiling.w),
        in_rows(x * part.rows().columns + y * part.tiling.w),
        in_tiles(y * part.corners().columns + x) {}
};

}  // namespace bankproof
