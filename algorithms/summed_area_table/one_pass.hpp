// 1R1W (THS 6.4): each tile is read and written once. Each diagonal y + x = k of tiles is a launch;
// the launches run one after another. A tile takes the sums of the elements above and to the left
// of it from the tables of its neighbors. For example, the sums of the columns above the tile are
// differences along the bottom row of the tile above.
//
// A tile stores its bottom row and its rightmost column also in two arrays beside the table, both
// as rows. So all accesses of global memory are coalesced.
//
// Example (THS figure 6.8): the bottom row of the tile above ends in (22, 33, 42), and the bottom
// row of the tile above and to the left ends in 13. The sums of columns are (22 − 13, 33 − 22, 42 −
// 33) = (9, 11, 9).
#pragma once

#include <cstdint>

#include "tiles.hpp"

namespace bankproof {

/// The bottom rows of tiles: for each row of tiles, a row as wide as the matrix. The rightmost
/// columns of tiles: for each column of tiles, a row as long as the matrix is high.
template <class T>
struct Edges {
  Array<T> bottom;
  Array<T> right;

  Edges(Memory& memory, const Tiling& tiling)
      : bottom(memory, (tiling.down() - 1) * tiling.matrix.columns, "bottom"),
        right(memory, (tiling.across() - 1) * tiling.matrix.rows, "right") {}
};

/// edge[0 … w] ← the table's corner before an edge, then `present` words of the edge.
template <class T>
Program load_edge(Warp& warp, Array<T>& edges, Address from, Address present, bool has_corner,
                  Address corner, Array<T>& edge) {
  for (auto k : warp.each(warp.width())) {
    const auto within = warp.only(k < present);
    const Lanes<T> values = co_await edges.read(from + k);
    co_await edge.write(k + 1, values);
  }
  const auto first = warp.only(warp.thread() < (present > 0 ? 1 : 0));
  Lanes<T> before = warp.all(T{});
  {
    const auto within = warp.only(warp.thread() < (has_corner ? 1 : 0));
    before = co_await edges.read(warp.same(corner));
  }
  co_await edge.write(warp.same(0), before);
}
template <class Rounds, class N>
void load_edge_rounds(Rounds& rounds, const N& from, const N& present,
                      const TruthOf<N>& has_corner) {
  rounds.each(rounds.machine().w, [&](Rounds& some, const N& start, const N& count) {
    const N words = smaller(count, minus_or_zero(present, start));
    some.global_run({from + start, words});
    some.tile_row(words);
  });
  rounds.global_word(select(has_corner, smaller(present, N(1)), N(0)));
  rounds.tile_row(smaller(present, N(1)));
}

/// Adds the differences along an edge to the top row of the tile, or to its leftmost column.
template <class T>
Program add_differences(Warp& warp, Array<T>& edge, Array<T>& tile, Address present, bool to_top) {
  for (auto k : warp.each(warp.width())) {
    const auto within = warp.only(k < present);
    const Lanes<T> upto = co_await edge.read(k + 1);
    const Lanes<T> before = co_await edge.read(k);
    const Lanes<Address> place = to_top ? diagonal_row(warp, 0, k) : diagonal_column(warp, 0, k);
    const Lanes<T> value = co_await tile.read(place);
    co_await tile.write(place, value + (upto - before));
  }
}
template <class Rounds, class N>
void add_differences_rounds(Rounds& rounds, const N& present) {
  rounds.each(rounds.machine().w, [&](Rounds& some, const N& start, const N& count) {
    const N words = smaller(count, minus_or_zero(present, start));
    for (int k = 0; k < 4; ++k) some.tile_row(words);
  });
}

/// Leaves the bottom row and the rightmost column of a tile's table to later tiles.
template <class T>
Program leave_edges(Warp& warp, Array<T>& tile, Edges<T>& edges, const EdgePlaces at, bool wanted) {
  const Address w = warp.width();
  for (auto j : warp.each(w)) {
    const auto within = warp.only(j < (wanted && at.below ? at.columns : 0));
    const Lanes<T> values = co_await tile.read(diagonal_row(warp, w - 1, j));
    co_await edges.bottom.write(at.own_bottom + j, values);
  }
  for (auto i : warp.each(w)) {
    const auto within = warp.only(i < (wanted && at.right ? at.rows : 0));
    const Lanes<T> values = co_await tile.read(diagonal_column(warp, w - 1, i));
    co_await edges.right.write(at.own_right + i, values);
  }
}
template <class Rounds, class N>
void leave_edges_rounds(Rounds& rounds, const EdgePlacesOf<N>& at, const TruthOf<N>& wanted) {
  const auto leave = [&](const N& to, const N& present) {
    rounds.each(rounds.machine().w, [&](Rounds& some, const N& start, const N& count) {
      const N words = smaller(count, minus_or_zero(present, start));
      some.tile_row(words);
      some.global_run({to + start, words});
    });
  };
  leave(at.own_bottom, select(wanted && at.below, at.columns, N(0)));
  leave(at.own_right, select(wanted && at.right, at.rows, N(0)));
}

/// The table of a tile, including what lies above and to the left of it. The tile leaves its edges.
template <class T>
Program sum_with_edges(Warp& warp, Array<T>& tile, Array<T>& edge, Edges<T>& edges,
                       const EdgePlaces at) {
  const Address columns = at.columns_above();
  co_await load_edge(warp, edges.bottom, at.above_row, columns, at.left, at.above_row - 1, edge);
  co_await add_differences(warp, edge, tile, columns, true);
  const Address rows = at.rows_left();
  co_await load_edge(warp, edges.right, at.left_row, rows, at.above, at.left_row - 1, edge);
  co_await add_differences(warp, edge, tile, rows, false);
  {
    // The corner itself: both edges begin with it.
    const auto first = warp.only(warp.thread() < at.corners());
    const Lanes<T> corner = co_await edge.read(warp.same(0));
    const Lanes<T> value = co_await tile.read(warp.same(0));
    co_await tile.write(warp.same(0), value + corner);
  }
  co_await sum_tile(warp, tile);
  co_await leave_edges(warp, tile, edges, at, true);
}

/// A block for each tile of the diagonal.
template <class T>
Program sum_tile_diagonal(Warp& warp, Array<T>& a, Array<T>& b, Edges<T>& edges,
                          const Tiling tiling, const Diagonal diagonal) {
  const Address w = warp.width();
  const Address y = diagonal.row + warp.block();
  const Address x = diagonal.k - y;
  const EdgePlaces at(tiling, y, x);
  auto& tile = warp.shared<T>(w * w, "tile");
  auto& edge = warp.shared<T>(w + 1, "edge");
  co_await load_tile(warp, a, tiling.window(y, x), tile);
  co_await barrier();
  if (sums_tiles(warp)) co_await sum_with_edges(warp, tile, edge, edges, at);
  co_await barrier();
  co_await store_tile(warp, tile, b, tiling.window(y, x));
}

template <class Rounds, class N>
void tile_diagonal_rounds(Rounds& rounds, const TilingOf<N>& tiling, const N& y, const N& x) {
  const EdgePlacesOf<N> at(tiling, y, x);
  rounds.copy(tiling.window(y, x), true);
  load_edge_rounds(rounds, at.above_row, at.columns_above(), at.left);
  add_differences_rounds(rounds, at.columns_above());
  load_edge_rounds(rounds, at.left_row, at.rows_left(), at.above);
  add_differences_rounds(rounds, at.rows_left());
  for (int k = 0; k < 3; ++k) rounds.tile_row(at.corners());
  sum_tile_rounds(rounds);
  leave_edges_rounds(rounds, at, N(0) == N(0));
  rounds.copy(tiling.window(y, x), false);
}

/// Computes the table on the diagonals first … end − 1 of tiles; earlier diagonals are done.
template <class T, class Machine>
Time sum_tile_diagonals(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b,
                        Edges<T>& edges, const Tiling& tiling, std::uint64_t first,
                        std::uint64_t end) {
  Time time = 0;
  for (std::uint64_t k = first; k < end; ++k) {
    const Diagonal diagonal = Diagonal::of(k, tiling.down(), tiling.across());
    Launch stage = launch;
    stage.blocks = diagonal.count;
    time += machine.launch(stage, sum_tile_diagonal<T>, a, b, edges, tiling, diagonal);
  }
  return time;
}

template <class Launches, class N>
void tile_diagonals_rounds(Launches& launches, const TilingOf<N>& tiling, const N& first,
                           const N& end) {
  launches.times(end - first, [&](Launches& some, const N& stage) {
    const auto diagonal = DiagonalOf<N>::of(first + stage, tiling.down(), tiling.across());
    some.launch([&](auto& launch) {
      launch.times(diagonal.count, [&](auto& one, const N& k) {
        const N y = diagonal.row + k;
        one.block([&](auto& rounds) { tile_diagonal_rounds(rounds, tiling, y, diagonal.k - y); });
      });
    });
  });
}

}  // namespace bankproof
