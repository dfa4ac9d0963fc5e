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

#include "../sum.hpp"
#include "tiles.hpp"

namespace bankproof {

/// The matrices C, Rᵀ and M of a tiling.
struct SumsOfTiles {
  Tiling tiling;

  Summing columns() const { return {tiling.down() - 1, tiling.matrix.columns}; }
  Summing rows() const { return {tiling.across() - 1, tiling.matrix.rows}; }
  Summing tiles() const { return {tiling.down() - 1, tiling.across() - 1}; }
  bool has_tiles() const { return tiles().rows > 0 && tiles().columns > 0; }
  bool recursive() const {
    return has_tiles() && (tiles().rows > tiling.w || tiles().columns > tiling.w);
  }
};

template <class T>
struct SumArrays {
  Array<T> columns;
  Array<T> rows;
  Array<T> tiles;

  SumArrays(Memory& memory, const SumsOfTiles& sums)
      : columns(memory, sums.columns().rows * sums.columns().columns, "C"),
        rows(memory, sums.rows().rows * sums.rows().columns, "R"),
        tiles(memory, sums.tiles().rows * sums.tiles().columns, "M") {}
  Carry<T> carry() { return {columns, rows, tiles}; }
};

/// Which sums of a tile are wanted: by the tiles below it, to the right, and beyond both.
struct Wanted {
  bool below;
  bool right;
  bool beyond;

  static Wanted of(const Tiling& tiling, std::uint64_t y, std::uint64_t x) {
    const bool below = y + 1 < tiling.down();
    const bool right = x + 1 < tiling.across();
    return {below, right, below && right};
  }
};

/// Step 1 of tile (y, x).
template <class T>
Program sum_edges(Warp& warp, Array<T>& a, SumArrays<T>& sums, const Tiling tiling, Address y,
                  Address x, const Wanted wanted) {
  const Address w = warp.width();
  auto& tile = warp.shared<T>(w * w, "tile");
  auto& edge = warp.shared<T>(w, "edge");
  co_await load_tile(warp, a, tiling.window(y, x), tile);
  co_await barrier();
  if (!sums_tiles(warp)) co_return;
  for (auto j : warp.each(w)) {
    Lanes<T> sum = warp.all(T{});
    for (Address i = 0; i < w; ++i) {
      const Lanes<T> value = co_await tile.read(diagonal_row(warp, i, j));
      sum = sum + value;
    }
    co_await edge.write(j, sum);
    const Progression column = x * w + j;
    const auto inside = warp.only(column < (wanted.below ? tiling.matrix.columns : 0));
    co_await sums.columns.write(y * tiling.matrix.columns + column, sum);
  }
  for (auto i : warp.each(w)) {
    Lanes<T> sum = warp.all(T{});
    for (Address j = 0; j < w; ++j) {
      const Lanes<T> value = co_await tile.read(diagonal_column(warp, j, i));
      sum = sum + value;
    }
    const Progression row = y * w + i;
    const auto inside = warp.only(row < (wanted.right ? tiling.matrix.rows : 0));
    co_await sums.rows.write(x * tiling.matrix.rows + row, sum);
  }
  co_await sum_pairwise(warp, edge, w);
  const auto first = warp.only(warp.thread() < (wanted.beyond ? 1 : 0));
  const Lanes<T> total = co_await edge.read(warp.same(0));
  co_await sums.tiles.write(warp.same(y * (tiling.across() - 1) + x), total);
}

inline BlockRounds sum_edges_rounds(const Letters& machine, const Tiling& tiling, std::uint64_t y,
                                    std::uint64_t x, const Wanted& wanted) {
  BlockRounds rounds(machine);
  const std::uint64_t w = machine.w;
  rounds.copy(tiling.window(y, x), true);
  const auto sums = [&](std::uint64_t at, std::uint64_t present, bool keeps_edge) {
    rounds.each(w, [&](std::uint64_t start, std::uint64_t count) {
      for (std::uint64_t k = 0; k < w + (keeps_edge ? 1 : 0); ++k) rounds.tile_row(count);
      const std::uint64_t written = std::min(start + count, present) - std::min(start, present);
      rounds.global_run({at + start, written});
    });
  };
  const auto present = [&](bool counts, std::uint64_t length, std::uint64_t tile) {
    return counts ? std::min(length - tile * w, w) : 0;
  };
  const Summing& matrix = tiling.matrix;
  sums(y * matrix.columns + x * w, present(wanted.below, matrix.columns, x), true);
  sums(x * matrix.rows + y * w, present(wanted.right, matrix.rows, y), false);
  std::uint64_t left = w;
  for (std::uint64_t distance = first_distance(w); distance > 0; distance /= 2) {
    rounds.each(std::min(distance, left - distance), [&](std::uint64_t, std::uint64_t count) {
      for (int k = 0; k < 3; ++k) rounds.tile_row(count);
    });
    left = distance;
  }
  const std::uint64_t total = wanted.beyond ? 1 : 0;
  rounds.tile_row(total);
  rounds.global_run({0, total});
  return rounds;
}

/// The blocks of the launch of step 2, in this order.
struct SecondStep {
  std::uint64_t for_columns;
  std::uint64_t for_rows;
  std::uint64_t for_tiles;

  SecondStep(const SumsOfTiles& sums, std::uint64_t p)
      : for_columns(sums.columns().rows == 0 ? 0 : ceil_div(sums.columns().columns, p)),
        for_rows(sums.rows().rows == 0 ? 0 : ceil_div(sums.rows().columns, p)),
        for_tiles(!sums.has_tiles()  ? 0
                  : sums.recursive() ? Tiling{sums.tiles(), sums.tiling.w}.tiles()
                                     : 1) {}
  std::uint64_t blocks() const { return for_columns + for_rows + for_tiles; }
};

/// Step 2; `inner` are the sums of M's tiles where it is recursive.
template <class T>
Program sum_sums(Warp& warp, SumArrays<T>& arrays, SumArrays<T>* inner, const SumsOfTiles sums,
                 const SecondStep step) {
  if (warp.block() < step.for_columns) {
    co_await sum_down(warp, arrays.columns, sums.columns(), 0);
  } else if (warp.block() < step.for_columns + step.for_rows) {
    co_await sum_down(warp, arrays.rows, sums.rows(), step.for_columns);
  } else if (sums.recursive()) {
    const Tiling tiling{sums.tiles(), sums.tiling.w};
    const Address tile = warp.block() - step.for_columns - step.for_rows;
    const Address y = tile / tiling.across();
    const Address x = tile % tiling.across();
    co_await sum_edges(warp, arrays.tiles, *inner, tiling, y, x, Wanted::of(tiling, y, x));
  } else {
    auto& tile = warp.shared<T>(warp.width() * warp.width(), "tile");
    const Window all{sums.tiles().rows, sums.tiles().columns};
    co_await load_tile(warp, arrays.tiles, all, tile);
    co_await barrier();
    if (sums_tiles(warp)) co_await sum_tile(warp, tile);
    co_await barrier();
    co_await store_tile(warp, tile, arrays.tiles, all);
  }
}

inline Cost<std::uint64_t> sum_sums_cost(const Letters& machine, const SumsOfTiles& sums) {
  LaunchRounds launch(machine);
  const SecondStep step(sums, machine.p);
  for (std::uint64_t block = 0; block < step.for_columns; ++block) {
    launch.add(sum_down_rounds(machine, sums.columns(), block));
  }
  for (std::uint64_t block = 0; block < step.for_rows; ++block) {
    launch.add(sum_down_rounds(machine, sums.rows(), block));
  }
  const Tiling tiling{sums.tiles(), machine.w};
  for (std::uint64_t tile = 0; tile < step.for_tiles; ++tile) {
    if (sums.recursive()) {
      const std::uint64_t y = tile / tiling.across();
      const std::uint64_t x = tile % tiling.across();
      launch.add(sum_edges_rounds(machine, tiling, y, x, Wanted::of(tiling, y, x)));
    } else {
      BlockRounds rounds(machine);
      const Window all{sums.tiles().rows, sums.tiles().columns};
      rounds.copy(all, true);
      sum_tile_rounds(rounds);
      rounds.copy(all, false);
      launch.add(rounds);
    }
  }
  return launch.cost();
}

/// Where the carry of tile (y, x) is in C, Rᵀ and M after step 2.
inline CarryPlace carry_of_sums(const Tiling& tiling, std::uint64_t y, std::uint64_t x) {
  const std::uint64_t w = tiling.w;
  const Summing& matrix = tiling.matrix;
  return {.has_above = y > 0,
          .has_left = x > 0,
          .above = y == 0 ? 0 : (y - 1) * matrix.columns + x * w,
          .left = x == 0 ? 0 : (x - 1) * matrix.rows + y * w,
          .corner = x == 0 || y == 0 ? 0 : (y - 1) * (tiling.across() - 1) + x - 1,
          .columns = std::min(w, matrix.columns - x * w),
          .rows = std::min(w, matrix.rows - y * w)};
}

/// Step 3, a block for each tile; b may be a.
template <class T>
Program finish_tiles(Warp& warp, Array<T>& a, Array<T>& b, SumArrays<T>& sums,
                     const Tiling tiling) {
  const Address y = warp.block() / tiling.across();
  const Address x = warp.block() % tiling.across();
  auto& tile = warp.shared<T>(warp.width() * warp.width(), "tile");
  co_await load_tile(warp, a, tiling.window(y, x), tile);
  co_await barrier();
  if (sums_tiles(warp)) {
    co_await add_carry(warp, tile, sums.carry(), carry_of_sums(tiling, y, x));
    co_await sum_tile(warp, tile);
  }
  co_await barrier();
  co_await store_tile(warp, tile, b, tiling.window(y, x));
}

inline Cost<std::uint64_t> finish_tiles_cost(const Letters& machine, const Tiling& tiling) {
  LaunchRounds launch(machine);
  for (std::uint64_t y = 0; y < tiling.down(); ++y) {
    for (std::uint64_t x = 0; x < tiling.across(); ++x) {
      BlockRounds rounds(machine);
      rounds.copy(tiling.window(y, x), true);
      add_carry_rounds(rounds, carry_of_sums(tiling, y, x));
      sum_tile_rounds(rounds);
      rounds.copy(tiling.window(y, x), false);
      launch.add(rounds);
    }
  }
  return launch.cost();
}

/// Step 1, a block for each tile.
template <class T>
Program sum_all_edges(Warp& warp, Array<T>& a, SumArrays<T>& sums, const Tiling tiling) {
  const Address y = warp.block() / tiling.across();
  const Address x = warp.block() % tiling.across();
  co_await sum_edges(warp, a, sums, tiling, y, x, Wanted::of(tiling, y, x));
}

inline Cost<std::uint64_t> sum_all_edges_cost(const Letters& machine, const Tiling& tiling) {
  LaunchRounds launch(machine);
  for (std::uint64_t y = 0; y < tiling.down(); ++y) {
    for (std::uint64_t x = 0; x < tiling.across(); ++x) {
      launch.add(sum_edges_rounds(machine, tiling, y, x, Wanted::of(tiling, y, x)));
    }
  }
  return launch.cost();
}

/// Steps 2 and 3 of a tiling whose step 1 left its sums in `sums`, into b.
template <class T, class Machine>
Time finish_two_passes(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b,
                       SumArrays<T>& sums, const Tiling& tiling) {
  const SumsOfTiles of_tiles{tiling};
  const SecondStep step(of_tiles, launch.threads);
  Time time = 0;
  if (step.blocks() > 0) {
    const Tiling of_sums{of_tiles.tiles(), tiling.w};
    std::unique_ptr<SumArrays<T>> inner;
    if (of_tiles.recursive()) {
      inner = std::make_unique<SumArrays<T>>(machine.global(), SumsOfTiles{of_sums});
    }
    Launch second = launch;
    second.blocks = step.blocks();
    time += machine.launch(second, sum_sums<T>, sums, inner.get(), of_tiles, step);
    if (inner) {
      time += finish_two_passes(machine, launch, sums.tiles, sums.tiles, *inner, of_sums);
    }
  }
  Launch third = launch;
  third.blocks = tiling.tiles();
  return time + machine.launch(third, finish_tiles<T>, a, b, sums, tiling);
}

inline Cost<std::uint64_t> finish_two_passes_cost(const Letters& machine, const Tiling& tiling) {
  const SumsOfTiles sums{tiling};
  Cost<std::uint64_t> cost = sum_sums_cost(machine, sums);
  if (sums.recursive()) {
    cost += finish_two_passes_cost(machine, Tiling{sums.tiles(), tiling.w});
  }
  return cost += finish_tiles_cost(machine, tiling);
}

}  // namespace bankproof
