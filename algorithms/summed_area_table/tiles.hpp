// The steps of a block for one w × w tile of a summed area table in shared memory, in diagonal
// arrangement (THS 6.1 and 6.3): the block loads the tile, adds the sums from above and from the
// left, sums down and along, and stores it. All threads copy the tile; only the first w threads,
// which are one warp or a part of it, sum.
//
// In this file, each step of a program is followed by the rounds of the step.
#pragma once

#include <cstdint>

#include "../transpose.hpp"
#include "part_layout.hpp"
#include "straight.hpp"

namespace bankproof {

/// The part of a matrix that a tile covers, from element (top, left) on.
template <class N>
struct TileWindowOf {
  SummingOf<N> matrix;
  N top;
  N left;

  /// The word of the window's element (i, j); j may be the columns of a warp's threads.
  template <class J>
  J word(const N& i, const J& j) const {
    return row_major(top + i, left + j, matrix.columns);
  }

  /// The round in which a turn's threads access their elements, as far as these elements lie in the
  /// matrix.
  Rounds<N> round(MemoryKind kind, const SweepTurn<N>& turn, const N& w) const {
    const N first = top + turn.row;
    const N column = left + turn.column;
    const Rounds<N> sum =
        sum_over(smaller(turn.rows, minus_or_zero(matrix.rows, first)), [&](const N& k) {
          const N row = first + k;
          const N begin = larger(matrix.begin(row), column);
          const N end = smaller(matrix.end(row), column + turn.columns);
          const Run<N> run{row * matrix.columns + begin, minus_or_zero(end, begin), begin - column};
          return round_of(kind, run, w);
        });
    return one_round(sum.stages, sum.requests);
  }
};
using TileWindow = TileWindowOf<std::uint64_t>;

/// The threads whose element (top + i, left + j) of a window lies in its matrix.
inline Mask inside(const TileWindow& window, Address i, const Progression& j) {
  const Summing& matrix = window.matrix;
  const Address row = window.top + i;
  return between(window.left + j, matrix.begin(row), row < matrix.rows ? matrix.end(row) : 0);
}
inline Progression words_of(const TileWindow& window, Address i, const Progression& j) {
  return window.word(i, j);
}

/// Whether the warp has threads that sum: the first w threads of the block are its first warp. The
/// other warps wait at the next barrier.
inline bool sums_tiles(const Warp& warp) { return warp.index() == 0; }

/// tile ← window, with zeros beyond the edge. A barrier has to follow.
template <class T>
Program load_tile(Warp& warp, Array<T>& a, const TileWindow window, Array<T>& tile) {
  for (auto [i, j] : sweep(warp, warp.width(), warp.width())) {
    Lanes<T> values = warp.all(T{});
    {
      const auto within = warp.only(inside(window, i, j));
      values = co_await a.read(words_of(window, i, j));
    }
    co_await tile.write(diagonal_row(warp, i, j), values);
  }
}

/// window ← tile, after a barrier.
template <class T>
Program store_tile(Warp& warp, Array<T>& tile, Array<T>& b, const TileWindow window) {
  for (auto [i, j] : sweep(warp, warp.width(), warp.width())) {
    const Lanes<T> values = co_await tile.read(diagonal_row(warp, i, j));
    const auto within = warp.only(inside(window, i, j));
    co_await b.write(words_of(window, i, j), values);
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
template <class Rounds>
void sum_tile_rounds(Rounds& rounds) {
  using N = typename Rounds::Number;
  const N w = rounds.machine().w;
  for (int direction = 0; direction < 2; ++direction) {
    rounds.each(w, [&](Rounds& some, const N&, const N& count) {
      some.times(N(2) * w, [&](Rounds& one, const N&) { one.tile_row(count); });
    });
  }
}

/// The sums of the elements before a tile: `above` each of its columns, to the `left` of each of
/// its rows, and, for the `corner`, of all elements above and to the left of the tile (C, R and M
/// of THS 6.3).
template <class T>
struct Carry {
  Array<T>& above;
  Array<T>& left;
  Array<T>& corner;
};

/// Adds the carry to the top row, the leftmost column and the corner of the tile.
template <class T>
Program add_carry(Warp& warp, Array<T>& tile, Carry<T> carry, const CarryPlace place) {
  for (auto j : warp.each(warp.width())) {
    const auto columns = warp.only(j < place.columns);
    const Lanes<T> above = co_await carry.above.read(place.above + j);
    const Lanes<T> top = co_await tile.read(diagonal_row(warp, 0, j));
    co_await tile.write(diagonal_row(warp, 0, j), above + top);
  }
  for (auto i : warp.each(warp.width())) {
    const auto rows = warp.only(i < place.rows);
    const Lanes<T> left = co_await carry.left.read(place.left + i);
    const Lanes<T> first = co_await tile.read(diagonal_column(warp, 0, i));
    co_await tile.write(diagonal_column(warp, 0, i), left + first);
  }
  const auto first = warp.only(warp.thread() < place.corners);
  const Lanes<T> before = co_await carry.corner.read(warp.same(place.corner));
  const Lanes<T> value = co_await tile.read(warp.same(0));
  co_await tile.write(warp.same(0), before + value);
}
template <class Rounds, class N>
void add_carry_rounds(Rounds& rounds, const CarryPlaceOf<N>& place) {
  const auto edge = [&](const N& address, const N& words) {
    rounds.each(rounds.machine().w, [&](Rounds& some, const N& start, const N& count) {
      const N present = smaller(count, minus_or_zero(words, start));
      some.global_run({address + start, present});
      some.tile_row(present);
      some.tile_row(present);
    });
  };
  edge(place.above, place.columns);
  edge(place.left, place.rows);
  rounds.global_word(place.corners);
  rounds.tile_row(place.corners);
  rounds.tile_row(place.corners);
}

}  // namespace bankproof
