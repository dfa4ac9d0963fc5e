// What blocks do with one w × w tile of a summed area table in shared memory, in diagonal
// arrangement (THS 6.1 and 6.3): bring it in, add what lies above and to the left, sum down and
// along, and take it back. All threads copy; the first w, which are one warp or part of one, sum.
//
// Each step of a program stands beside the rounds it takes.
#pragma once

#include <cstdint>

#include "../launch_rounds.hpp"
#include "../transpose.hpp"
#include "straight.hpp"

namespace bankproof {

/// The part of a matrix that a tile has, from element (top, left) on.
struct TileWindow {
  Summing matrix;
  std::uint64_t top;
  std::uint64_t left;

  /// The threads for which (top + i, left + j) lies in the matrix.
  Mask inside(Address i, const Progression& j) const {
    const Address row = top + i;
    return between(left + j, matrix.begin(row), row < matrix.rows ? matrix.end(row) : 0);
  }
  Progression words(Address i, const Progression& j) const {
    return (top + i) * matrix.columns + (left + j);
  }
  /// The round in which a turn's threads access their elements, as far as the matrix has them.
  Rounds<std::uint64_t> round(MemoryKind kind, const SweepTurn<std::uint64_t>& turn,
                              std::uint64_t w) const {
    const std::uint64_t first = top + turn.row;
    const std::uint64_t column = left + turn.column;
    Rounds<std::uint64_t> sum =
        sum_over(smaller(turn.rows, minus_or_zero(matrix.rows, first)), [&](std::uint64_t k) {
          const std::uint64_t row = first + k;
          const std::uint64_t begin = larger(matrix.begin(row), column);
          const std::uint64_t end = smaller(matrix.end(row), column + turn.columns);
          const Run<std::uint64_t> run{row * matrix.columns + begin, minus_or_zero(end, begin),
                                       begin - column};
          return round_of(kind, run, w);
        });
    return one_round(sum.stages, sum.requests);
  }
};

/// Tiles of a matrix: `down` × `across` of w × w elements.
struct Tiling {
  Summing matrix;
  std::uint64_t w;

  std::uint64_t down() const { return ceil_div(matrix.rows, w); }
  std::uint64_t across() const { return ceil_div(matrix.columns, w); }
  /// Of tiles, y + x = 0, 1, …
  std::uint64_t diagonals() const { return down() + across() - 1; }

  TileWindow window(std::uint64_t y, std::uint64_t x) const { return {matrix, y * w, x * w}; }
};

/// Whether the warp has threads that sum: the first w of the block are in its first warp. The
/// others wait for them at the next barrier.
inline bool sums_tiles(const Warp& warp) { return warp.index() == 0; }

/// tile ← window, zeros beyond the edge. A barrier has to follow.
template <class T>
Program load_tile(Warp& warp, Array<T>& a, const TileWindow window, Array<T>& tile) {
  for (auto [i, j] : sweep(warp, warp.width(), warp.width())) {
    Lanes<T> values = warp.all(T{});
    {
      const auto within = warp.only(window.inside(i, j));
      values = co_await a.read(window.words(i, j));
    }
    co_await tile.write(diagonal_row(warp, i, j), values);
  }
}

/// window ← tile, after a barrier.
template <class T>
Program store_tile(Warp& warp, Array<T>& tile, Array<T>& b, const TileWindow window) {
  for (auto [i, j] : sweep(warp, warp.width(), warp.width())) {
    const Lanes<T> values = co_await tile.read(diagonal_row(warp, i, j));
    const auto within = warp.only(window.inside(i, j));
    co_await b.write(window.words(i, j), values);
  }
}

/// The table of the tile, in place.
template <class T>
Program sum_tile(Warp& warp, Array<T>& tile) {
  const Address w = warp.width();
  for (auto j : warp.each(w)) {
    Lanes<T> sum = warp.all(T{});
    for (Address i = 0; i < w; ++i) {
      const Lanes<T> value = co_await tile.read(diagonal_row(warp, i, j));
      sum = sum + value;
      co_await tile.write(diagonal_row(warp, i, j), sum);
    }
  }
  for (auto i : warp.each(w)) {
    Lanes<T> sum = warp.all(T{});
    for (Address j = 0; j < w; ++j) {
      const Lanes<T> value = co_await tile.read(diagonal_column(warp, j, i));
      sum = sum + value;
      co_await tile.write(diagonal_column(warp, j, i), sum);
    }
  }
}
inline void sum_tile_rounds(BlockRounds& rounds) {
  const std::uint64_t w = rounds.machine().w;
  for (int way = 0; way < 2; ++way) {
    rounds.each(w, [&](std::uint64_t, std::uint64_t count) {
      for (std::uint64_t k = 0; k < 2 * w; ++k) rounds.tile_row(count);
    });
  }
}

/// Sums of everything above each column of a tile, to the left of each row, and above and to the
/// left of the tile (C, R and M of THS 6.3): words `above` … of array C, and so on.
template <class T>
struct Carry {
  Array<T>& above;
  Array<T>& left;
  Array<T>& corner;
};

/// Where a tile's carry is, and how much of it.
struct CarryPlace {
  bool has_above;
  bool has_left;
  Address above;
  Address left;
  Address corner;
  std::uint64_t columns;  ///< of the tile, those in the matrix
  std::uint64_t rows;
};

/// Adds the carry to the top row, the leftmost column and the corner of the tile.
template <class T>
Program add_carry(Warp& warp, Array<T>& tile, Carry<T> carry, const CarryPlace place) {
  for (auto j : warp.each(warp.width())) {
    const auto columns = warp.only(j < (place.has_above ? place.columns : 0));
    const Lanes<T> above = co_await carry.above.read(place.above + j);
    const Lanes<T> top = co_await tile.read(diagonal_row(warp, 0, j));
    co_await tile.write(diagonal_row(warp, 0, j), above + top);
  }
  for (auto i : warp.each(warp.width())) {
    const auto rows = warp.only(i < (place.has_left ? place.rows : 0));
    const Lanes<T> left = co_await carry.left.read(place.left + i);
    const Lanes<T> first = co_await tile.read(diagonal_column(warp, 0, i));
    co_await tile.write(diagonal_column(warp, 0, i), left + first);
  }
  const auto first = warp.only(warp.thread() < (place.has_above && place.has_left ? 1 : 0));
  const Lanes<T> before = co_await carry.corner.read(warp.same(place.corner));
  const Lanes<T> value = co_await tile.read(warp.same(0));
  co_await tile.write(warp.same(0), before + value);
}
inline void add_carry_rounds(BlockRounds& rounds, const CarryPlace& place) {
  const auto edge = [&](Address address, std::uint64_t words) {
    rounds.each(rounds.machine().w, [&](std::uint64_t start, std::uint64_t count) {
      const std::uint64_t present = std::min(start + count, words) - std::min(start, words);
      rounds.global_run({address + start, present});
      rounds.tile_row(present);
      rounds.tile_row(present);
    });
  };
  edge(place.above, place.has_above ? place.columns : 0);
  edge(place.left, place.has_left ? place.rows : 0);
  const std::uint64_t corner = place.has_above && place.has_left ? 1 : 0;
  rounds.global_run({place.corner, corner});
  rounds.tile_row(corner);
  rounds.tile_row(corner);
}

}  // namespace bankproof
