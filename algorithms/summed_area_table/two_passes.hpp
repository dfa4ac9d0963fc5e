// 2R1W (THS 6.3): each tile is read twice.
//
//   Step 1: for each tile the sums of its columns, the sums of its rows, and its total: C, Rᵀ and M
//   Step 2: sums down C and Rᵀ, and the table of M: in one block if M is no larger than a tile,
//           else by 2R1W, whose step 1 is in the same launch
//   Step 3: each tile's table, with what lies above and to the left added to its edges
//
// C has a row of sums for each row of tiles except the last. Rᵀ has a row of sums for each column
// of tiles except the last. M has an element for each tile that is neither in the last row nor in
// the last column.
//
// Example: for 9 × 9 elements with w = 3, C and Rᵀ have 2 × 9 words, and M has 2 × 2.
#pragma once

#include <cstdint>
#include <memory>

#include "../sum.hpp"
#include "one_pass.hpp"
#include "part.hpp"

namespace bankproof {

/// Step 1 of tile (y, x).
template <class T>
Program sum_edges(Warp& warp, Array<T>& a, SumArrays<T>& sums, const TileWindow window,
                  const SumPlaces to) {
  const Address w = warp.width();
  auto& tile = warp.shared<T>(w * w, "tile");
  auto& edge = warp.shared<T>(w, "edge");
  co_await load_tile(warp, a, window, tile);
  co_await barrier();
  if (!sums_tiles(warp)) co_return;
  for (auto j : warp.each(w)) {
    Lanes<T> sum = warp.all(T{});
    for (Address i = 0; i < w; ++i) {
      const Lanes<T> value = co_await tile.read(diagonal_row(warp, i, j));
      sum = sum + value;
    }
    co_await edge.write(j, sum);
    const auto inside = warp.only(j < to.columns);
    co_await sums.columns.write(to.in_columns + j, sum);
  }
  for (auto i : warp.each(w)) {
    Lanes<T> sum = warp.all(T{});
    for (Address j = 0; j < w; ++j) {
      const Lanes<T> value = co_await tile.read(diagonal_column(warp, j, i));
      sum = sum + value;
    }
    const auto inside = warp.only(i < to.rows);
    co_await sums.rows.write(to.in_rows + i, sum);
  }
  co_await sum_pairwise<T>(warp, edge, w);
  const auto first = warp.only(warp.thread() < to.tiles);
  const Lanes<T> total = co_await edge.read(warp.same(0));
  co_await sums.tiles.write(warp.same(to.in_tiles), total);
}

template <class Rounds, class N>
void sum_edges_rounds(Rounds& rounds, const TileWindowOf<N>& window, const SumPlacesOf<N>& to) {
  const N w = rounds.machine().w;
  rounds.copy(window, true);
  const auto sums = [&](const N& at, const N& wanted, const N& accesses) {
    rounds.each(w, [&](Rounds& some, const N& start, const N& count) {
      some.times(accesses, [&](Rounds& one, const N&) { one.tile_row(count); });
      some.global_run({at + start, smaller(count, minus_or_zero(wanted, start))});
    });
  };
  sums(to.in_columns, to.columns, w + N(1));  // and the edge for M
  sums(to.in_rows, to.rows, w);
  rounds.powers(w, [&](Rounds& level, const N& distance) {
    level.each(smaller(distance, w - distance), [&](Rounds& some, const N&, const N& count) {
      for (int k = 0; k < 3; ++k) some.tile_row(count);
    });
  });
  rounds.tile_row(to.tiles);
  rounds.global_word(to.tiles);
}

/// Step 1, a block for each tile.
template <class Launch, class N>
void sum_edges_blocks(Launch& launch, const PartOf<N>& part) {
  over_tiles(launch, part, part.first, part.end, [&](Launch& one, const N& y, const N& x) {
    one.block([&](auto& rounds) {
      sum_edges_rounds(rounds, part.window(y, x), SumPlacesOf<N>(part, y, x));
    });
  });
}

/// Step 2. If M is recursive, `inner` gets the sums of M's tiles.
template <class T>
Program sum_sums(Warp& warp, SumArrays<T>& arrays, SumArrays<T>* inner, const Part part,
                 const SecondStep step) {
  if (warp.block() < step.for_columns) {
    co_await sum_down(warp, arrays.columns, part.columns(), 0);
  } else if (warp.block() < step.for_columns + step.for_rows) {
    co_await sum_down(warp, arrays.rows, part.rows(), step.for_columns);
  } else if (step.for_tiles > 0) {
    const Part of_sums = part.inner();
    const Address tile = warp.block() - step.for_columns - step.for_rows;
    const Address y = tile / of_sums.across;
    const Address x = tile % of_sums.across;
    co_await sum_edges(warp, arrays.tiles, *inner, of_sums.window(y, x), SumPlaces(of_sums, y, x));
  } else {
    auto& tile = warp.shared<T>(warp.width() * warp.width(), "tile");
    const TileWindow all{part.corners(), 0, 0};
    co_await load_tile(warp, arrays.tiles, all, tile);
    co_await barrier();
    if (sums_tiles(warp)) co_await sum_tile(warp, tile);
    co_await barrier();
    co_await store_tile(warp, tile, arrays.tiles, all);
  }
}

template <class Launch, class N>
void sum_sums_blocks(Launch& launch, const PartOf<N>& part) {
  const SecondStepOf<N> step(part, launch.machine().p);
  sum_down_blocks(launch, part.columns(), step.for_columns);
  sum_down_blocks(launch, part.rows(), step.for_rows);
  launch.where(step.for_tiles > N(0), [&](Launch& some) { sum_edges_blocks(some, part.inner()); });
  launch.times(step.for_all, [&](Launch& one, const N&) {
    one.block([&](auto& rounds) {
      const TileWindowOf<N> all{part.corners(), N(0), N(0)};
      rounds.copy(all, true);
      sum_tile_rounds(rounds);
      rounds.copy(all, false);
    });
  });
}

/// Step 3, a block for each tile of the part; b may be a. If other tiles follow the part, the
/// part's tiles leave their edges for them.
template <class T>
Program finish_tiles(Warp& warp, Array<T>& a, Array<T>& b, SumArrays<T>& sums, Edges<T>* edges,
                     const Part part, const TilePlaces& tiles) {
  const auto [y, x] = tiles[warp.block()];
  auto& tile = warp.shared<T>(warp.width() * warp.width(), "tile");
  co_await load_tile(warp, a, part.window(y, x), tile);
  co_await barrier();
  if (sums_tiles(warp)) {
    co_await add_carry(warp, tile, sums.carry(), carry_of_sums(part, y, x));
    co_await sum_tile(warp, tile);
    if (part.followed()) {
      co_await leave_edges(warp, tile, *edges, part.edges(y, x), part.is_last(y, x));
    }
  }
  co_await barrier();
  co_await store_tile(warp, tile, b, part.window(y, x));
}

template <class Launch, class N>
void finish_tiles_blocks(Launch& launch, const PartOf<N>& part) {
  over_tiles(launch, part, part.first, part.end, [&](Launch& one, const N& y, const N& x) {
    one.block([&](auto& rounds) {
      rounds.copy(part.window(y, x), true);
      add_carry_rounds(rounds, carry_of_sums(part, y, x));
      sum_tile_rounds(rounds);
      rounds.where(part.followed(), [&](auto& more) {
        leave_edges_rounds(more, part.edges(y, x), part.is_last(y, x));
      });
      rounds.copy(part.window(y, x), false);
    });
  });
}

/// Steps 2 and 3 of a part, into b; step 1 has left the part's sums in `sums`.
template <class T, class Machine>
Time finish_two_passes(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b,
                       SumArrays<T>& sums, Edges<T>* edges, const Part& part) {
  const SecondStep step(part, launch.threads);
  Time time = 0;
  if (step.blocks() > 0) {
    std::unique_ptr<SumArrays<T>> inner;
    if (step.for_tiles > 0) inner = std::make_unique<SumArrays<T>>(machine.global(), part.inner());
    Launch second = launch;
    second.blocks = step.blocks();
    time += machine.launch(second, sum_sums<T>, sums, inner.get(), part, step);
    if (inner) {
      Edges<T>* none = nullptr;
      time +=
          finish_two_passes(machine, launch, sums.tiles, sums.tiles, *inner, none, part.inner());
    }
  }
  TilePlaces tiles;
  tiles.add(part, part.first, part.end);
  Launch third = launch;
  third.blocks = tiles.count();
  return time + machine.launch(third, finish_tiles<T>, a, b, sums, edges, part, tiles);
}

/// Goes through at most `levels` levels of recursion, and counts nothing beyond them. `levels` is a
/// plain number: if it is not known whether another level follows, the recursion would not end.
template <class Launches, class N>
void finish_two_passes_rounds(Launches& launches, const PartOf<N>& part, std::uint64_t levels) {
  launches.launch([&](auto& launch) { sum_sums_blocks(launch, part); });
  if (levels > 0) {
    launches.again(part.recursive(), [&](Launches& some) {
      finish_two_passes_rounds(some, part.inner(), levels - 1);
    });
  }
  launches.launch([&](auto& launch) { finish_tiles_blocks(launch, part); });
}

}  // namespace bankproof
