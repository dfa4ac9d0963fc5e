// 2R1W (THS 6.3): each tile is read twice.
//
//   Step 1: of each tile the sums of its columns, of its rows, and its sum: C, Rᵀ and M
//   Step 2: sums down C and Rᵀ, and the table of M: in one block if M is no larger than a tile,
//           else by 2R1W, whose step 1 is of the same launch
//   Step 3: each tile's table, with what lies above and to the left added to its edges
//
// C has a row of sums for each row of tiles but the last, Rᵀ one for each column of tiles but the
// last, M an element for each tile in neither.
//
// Example: of 9 × 9 elements with w = 3, C and Rᵀ have 2 × 9 words, M 2 × 2.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

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
  co_await sum_pairwise(warp, edge, w);
  const auto first = warp.only(warp.thread() < to.tiles);
  const Lanes<T> total = co_await edge.read(warp.same(0));
  co_await sums.tiles.write(warp.same(to.in_tiles), total);
}

inline BlockRounds sum_edges_rounds(const Letters& machine, const TileWindow& window,
                                    const SumPlaces& to) {
  BlockRounds rounds(machine);
  const std::uint64_t w = machine.w;
  rounds.copy(window, true);
  const auto sums = [&](std::uint64_t at, std::uint64_t wanted, bool keeps_edge) {
    rounds.each(w, [&](std::uint64_t start, std::uint64_t count) {
      for (std::uint64_t k = 0; k < w + (keeps_edge ? 1 : 0); ++k) rounds.tile_row(count);
      rounds.global_run({at + start, smaller(count, minus_or_zero(wanted, start))});
    });
  };
  sums(to.in_columns, to.columns, true);
  sums(to.in_rows, to.rows, false);
  std::uint64_t left = w;
  for (std::uint64_t distance = first_distance(w); distance > 0; distance /= 2) {
    rounds.each(std::min(distance, left - distance), [&](std::uint64_t, std::uint64_t count) {
      for (int k = 0; k < 3; ++k) rounds.tile_row(count);
    });
    left = distance;
  }
  rounds.tile_row(to.tiles);
  rounds.global_run({to.in_tiles, to.tiles});
  return rounds;
}

/// Step 1, a block for each tile.
template <class T>
Program sum_all_edges(Warp& warp, Array<T>& a, SumArrays<T>& sums, const Part part) {
  const Address y = warp.block() / part.across;
  const Address x = warp.block() % part.across;
  co_await sum_edges(warp, a, sums, part.window(y, x), SumPlaces(part, y, x));
}

inline Cost<std::uint64_t> sum_all_edges_cost(const Letters& machine, const Part& part) {
  LaunchRounds launch(machine);
  for (const auto& [y, x] : part.tiles()) {
    launch.add(sum_edges_rounds(machine, part.window(y, x), SumPlaces(part, y, x)));
  }
  return launch.cost();
}

/// The blocks of the launch of step 2, in this order.
struct SecondStep {
  std::uint64_t for_columns;
  std::uint64_t for_rows;
  std::uint64_t for_corners;

  SecondStep(const Part& part, std::uint64_t p)
      : for_columns(part.columns().rows == 0 ? 0 : ceil_div(part.columns().columns, p)),
        for_rows(part.rows().rows == 0 ? 0 : ceil_div(part.rows().columns, p)),
        for_corners(!part.has_corners() ? 0
                    : part.recursive()  ? part.inner().down * part.inner().across
                                        : 1) {}
  std::uint64_t blocks() const { return for_columns + for_rows + for_corners; }
};

/// Step 2; `inner` are the sums of M's tiles where it is recursive.
template <class T>
Program sum_sums(Warp& warp, SumArrays<T>& arrays, SumArrays<T>* inner, const Part part,
                 const SecondStep step) {
  if (warp.block() < step.for_columns) {
    co_await sum_down(warp, arrays.columns, part.columns(), 0);
  } else if (warp.block() < step.for_columns + step.for_rows) {
    co_await sum_down(warp, arrays.rows, part.rows(), step.for_columns);
  } else if (part.recursive()) {
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

inline Cost<std::uint64_t> sum_sums_cost(const Letters& machine, const Part& part) {
  LaunchRounds launch(machine);
  const SecondStep step(part, machine.p);
  for (std::uint64_t block = 0; block < step.for_columns; ++block) {
    launch.add(sum_down_rounds(machine, part.columns(), block));
  }
  for (std::uint64_t block = 0; block < step.for_rows; ++block) {
    launch.add(sum_down_rounds(machine, part.rows(), block));
  }
  if (part.recursive()) {
    const Part of_sums = part.inner();
    for (const auto& [y, x] : of_sums.tiles()) {
      launch.add(sum_edges_rounds(machine, of_sums.window(y, x), SumPlaces(of_sums, y, x)));
    }
  } else if (part.has_corners()) {
    BlockRounds rounds(machine);
    const TileWindow all{part.corners(), 0, 0};
    rounds.copy(all, true);
    sum_tile_rounds(rounds);
    rounds.copy(all, false);
    launch.add(rounds);
  }
  return launch.cost();
}

/// Where the carry of tile (y, x) is in C, Rᵀ and M after step 2.
inline CarryPlace carry_of_sums(const Part& part, std::uint64_t y, std::uint64_t x) {
  const std::uint64_t w = part.tiling.w;
  return {.has_above = y > 0,
          .has_left = x > 0,
          .above = y == 0 ? 0 : (y - 1) * part.width() + x * w,
          .left = x == 0 ? 0 : (x - 1) * part.height() + y * w,
          .corner = x == 0 || y == 0 ? 0 : (y - 1) * (part.across - 1) + x - 1,
          .columns = smaller(w, part.width() - x * w),
          .rows = smaller(w, part.height() - y * w)};
}

/// Step 3, a block for each tile of the part; b may be a. If others follow, they leave their
/// edges.
template <class T>
Program finish_tiles(Warp& warp, Array<T>& a, Array<T>& b, SumArrays<T>& sums, Edges<T>* edges,
                     const Part part, const std::vector<TilePlace>& tiles) {
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

inline Cost<std::uint64_t> finish_tiles_cost(const Letters& machine, const Part& part) {
  LaunchRounds launch(machine);
  for (const auto& [y, x] : part.tiles()) {
    BlockRounds rounds(machine);
    rounds.copy(part.window(y, x), true);
    add_carry_rounds(rounds, carry_of_sums(part, y, x));
    sum_tile_rounds(rounds);
    if (part.followed()) leave_edges_rounds(rounds, part.edges(y, x), part.is_last(y, x));
    rounds.copy(part.window(y, x), false);
    launch.add(rounds);
  }
  return launch.cost();
}

/// Steps 2 and 3 of a part whose step 1 left its sums in `sums`, into b.
template <class T, class Machine>
Time finish_two_passes(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b,
                       SumArrays<T>& sums, Edges<T>* edges, const Part& part) {
  const SecondStep step(part, launch.threads);
  Time time = 0;
  if (step.blocks() > 0) {
    std::unique_ptr<SumArrays<T>> inner;
    if (part.recursive()) inner = std::make_unique<SumArrays<T>>(machine.global(), part.inner());
    Launch second = launch;
    second.blocks = step.blocks();
    time += machine.launch(second, sum_sums<T>, sums, inner.get(), part, step);
    if (inner) {
      Edges<T>* none = nullptr;
      time +=
          finish_two_passes(machine, launch, sums.tiles, sums.tiles, *inner, none, part.inner());
    }
  }
  const std::vector<TilePlace> tiles = part.tiles();
  Launch third = launch;
  third.blocks = tiles.size();
  return time + machine.launch(third, finish_tiles<T>, a, b, sums, edges, part, tiles);
}

inline Cost<std::uint64_t> finish_two_passes_cost(const Letters& machine, const Part& part) {
  Cost<std::uint64_t> cost = sum_sums_cost(machine, part);
  if (part.recursive()) cost += finish_two_passes_cost(machine, part.inner());
  return cost += finish_tiles_cost(machine, part);
}

}  // namespace bankproof
