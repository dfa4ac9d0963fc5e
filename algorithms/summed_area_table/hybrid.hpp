// (1+r)R1W (THS 6.5): the tiles on the first t and on the last t diagonals are computed in two
// passes, as in 2R1W, and the tiles on the diagonals between them in one pass, as in 1R1W. In these
// triangles the diagonals are short, and a launch for each diagonal would mostly wait for the
// latency. Two passes read the tiles of a triangle twice. With t = √r·(tiles a side), the triangles
// of a square have r·n elements.
//
// The first triangle is a table of its own. For the last triangle, the tiles on the two diagonals
// just before it stand for all elements above them and to their left. From these tiles, step 1
// leaves differences of the table, which step 2 sums:
//
//   C    along their bottom rows, Rᵀ along their rightmost columns, as in 1R1W
//   M    differences between corners, so that the table of M has the corners themselves
//
// Example: 4 × 4 tiles, t = 2: tiles (0,0), (0,1), (1,0) in two passes, three diagonals of 3, 4 and
// 3 tiles in one pass each, and (2,3), (3,2), (3,3) in two passes.
#pragma once

#include <cstdint>

#include "two_passes.hpp"

namespace bankproof {

/// sums[to …] ← differences along an edge of the table; the edge starts at word `from`.
template <class T>
Program take_differences(Warp& warp, Array<T>& edges, Address from, bool has_corner, Array<T>& sums,
                         Address to, Address wanted) {
  for (auto k : warp.each(warp.width())) {
    const auto within = warp.only(k < wanted);
    const Lanes<T> upto = co_await edges.read(from + k);
    Lanes<T> before = warp.all(T{});
    {
      const auto not_first = warp.only(k >= (has_corner ? 0 : 1));
      before = co_await edges.read(from + k - 1);
    }
    co_await sums.write(to + k, upto - before);
  }
}
template <class Rounds, class N>
void take_differences_rounds(Rounds& rounds, const N& from, const TruthOf<N>& has_corner,
                             const N& to, const N& wanted) {
  rounds.each(rounds.machine().w, [&](Rounds& some, const N& start, const N& count) {
    const N words = smaller(count, minus_or_zero(wanted, start));
    const N not_first = select(start == N(0) && !has_corner, N(1), N(0));
    some.global_run({from + start, words});
    some.global_run({from + start + not_first - N(1), minus_or_zero(words, not_first), not_first});
    some.global_run({to + start, words});
  });
}

/// Step 1 of tile (y, x), whose table is done, on one of the two diagonals before the part. In M, a
/// tile of the farther diagonal leaves a corner of the table. A tile of the nearer diagonal leaves
/// its corner minus the neighboring corners of the farther diagonal.
template <class T>
Program take_edges(Warp& warp, Edges<T>& edges, SumArrays<T>& sums, const Part part, Address y,
                   Address x) {
  if (!sums_tiles(warp)) co_return;
  const EdgePlaces at = part.edges(y, x);
  const SumPlaces to(part, y, x);
  co_await take_differences(warp, edges.bottom, at.own_bottom, at.left, sums.columns, to.in_columns,
                            to.columns);
  co_await take_differences(warp, edges.right, at.own_right, at.above, sums.rows, to.in_rows,
                            to.rows);
  const bool nearest = y + x + 1 == part.first;  // subtracts the corners before it
  const Address corner = at.own_bottom + part.tiling.w - 1;
  const auto first = warp.only(warp.thread() < to.tiles);
  Lanes<T> sum = co_await edges.bottom.read(warp.same(corner));
  {
    const auto has_above = warp.only(warp.thread() < (nearest && at.above ? 1 : 0));
    sum -= co_await edges.bottom.read(warp.same(corner - part.tiling.matrix.columns));
  }
  {
    const auto has_left = warp.only(warp.thread() < (nearest && at.left ? 1 : 0));
    sum -= co_await edges.bottom.read(warp.same(at.own_bottom - 1));
  }
  co_await sums.tiles.write(warp.same(to.in_tiles), sum);
}

template <class Rounds, class N>
void take_edges_rounds(Rounds& rounds, const PartOf<N>& part, const N& y, const N& x) {
  const EdgePlacesOf<N> at = part.edges(y, x);
  const SumPlacesOf<N> to(part, y, x);
  take_differences_rounds(rounds, at.own_bottom, at.left, to.in_columns, to.columns);
  take_differences_rounds(rounds, at.own_right, at.above, to.in_rows, to.rows);
  const N nearest = select(y + x + N(1) == part.first, to.tiles, N(0));
  rounds.global_word(to.tiles);
  rounds.global_word(select(at.above, nearest, N(0)));
  rounds.global_word(select(at.left, nearest, N(0)));
  rounds.global_word(to.tiles);
}

/// Step 1: a block for each tile of the part, then a block for each tile of the two diagonals
/// before it, if there are any. The tiles of these two diagonals have already left their edges.
template <class T>
Program sum_or_take_edges(Warp& warp, Array<T>& a, Edges<T>* edges, SumArrays<T>& sums,
                          const Part part, const TilePlaces& tiles) {
  const auto [y, x] = tiles[warp.block()];
  if (part.has(y, x)) {
    co_await sum_edges(warp, a, sums, part.window(y, x), SumPlaces(part, y, x));
  } else {
    co_await take_edges(warp, *edges, sums, part, y, x);
  }
}

/// Computes the table on the tiles of a part; the tiles on the diagonals before the part are done.
/// If no diagonals come before or after the part, no edges are needed: this is 2R1W.
template <class T, class Machine>
Time sum_in_two_passes(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b,
                       Edges<T>* edges, const Part& part) {
  if (part.empty()) return 0;
  SumArrays<T> sums(machine.global(), part);
  TilePlaces tiles;
  tiles.add(part, part.first, part.end);
  tiles.add(part, part.known(), part.first);
  Launch first = launch;
  first.blocks = tiles.count();
  const Time time = machine.launch(first, sum_or_take_edges<T>, a, edges, sums, part, tiles);
  return time + finish_two_passes(machine, launch, a, b, sums, edges, part);
}

/// The rounds of sum_in_two_passes() for a part that is not empty.
template <class Launches, class N>
void two_passes_rounds(Launches& launches, const PartOf<N>& part, std::uint64_t levels) {
  launches.launch([&](auto& launch) {
    sum_edges_blocks(launch, part);
    launch.where(part.first > N(0), [&](auto& more) {
      over_tiles(more, part, part.known(), part.first, [&](auto& one, const N& y, const N& x) {
        one.block([&](auto& rounds) { take_edges_rounds(rounds, part, y, x); });
      });
    });
  });
  finish_two_passes_rounds(launches, part, levels);
}

}  // namespace bankproof
