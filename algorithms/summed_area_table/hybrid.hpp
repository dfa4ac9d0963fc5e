// (1+r)R1W (THS 6.5): of the diagonals of tiles, the first t and the last t by two passes, those
// between by one pass each. The triangles' diagonals are short, and as launches of their own they
// would mostly wait; in two passes their tiles are read twice. With t = √r·(tiles a side) of a
// square they have r·n elements.
//
// The first triangle is a table of its own. In the last one sums of columns and rows go on from the
// edges that the tiles before it left, and so does the table of tile sums:
//
//   above(y, ·)   what lies above the columns of tile row y: differences along the bottom row of
//                 the last tile before the triangle, and the sums of the tiles since
//   left(x, ·)    likewise to the left of its rows
//   corner(y, x)  the table just above and to the left of tile (y, x)
//
// Example: 4 × 4 tiles, t = 2: tiles (0,0), (0,1), (1,0) in two passes, three diagonals of 3, 4 and
// 3 tiles in one pass each, and (2,3), (3,2), (3,3) in two passes.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "one_pass.hpp"
#include "two_passes.hpp"

namespace bankproof {

/// A tile's row and column in a tiling.
using TilePlace = std::pair<std::uint64_t, std::uint64_t>;

/// Tiles on the diagonals first … end − 1 of a tiling.
struct Triangle {
  Tiling tiling;
  std::uint64_t first;
  std::uint64_t end;

  bool has(std::uint64_t y, std::uint64_t x) const {
    return y < tiling.down() && x < tiling.across() && y + x >= first && y + x < end;
  }
  /// All of them, row by row.
  std::vector<TilePlace> tiles() const {
    std::vector<TilePlace> places;
    for (std::uint64_t y = 0; y < tiling.down(); ++y) {
      for (std::uint64_t x = 0; x < tiling.across(); ++x) {
        if (has(y, x)) places.emplace_back(y, x);
      }
    }
    return places;
  }
  /// In row y of tiles, the first column (of elements) that belongs to the triangle, and the end.
  std::uint64_t begin_of_row(std::uint64_t y) const {
    const std::uint64_t x = y >= first ? 0 : first - y;
    return std::min(x * tiling.w, tiling.matrix.columns);
  }
  std::uint64_t end_of_row(std::uint64_t y) const {
    const std::uint64_t x = y >= end ? 0 : end - y;
    return std::min(x * tiling.w, tiling.matrix.columns);
  }
  /// The same triangle of the transposed matrix.
  Triangle transposed() const {
    return {{{tiling.matrix.columns, tiling.matrix.rows}, tiling.w}, first, end};
  }
};

/// What the two passes of a triangle keep in global memory.
template <class T>
struct TriangleArrays {
  SumArrays<T> sums;
  Array<T> above;   ///< rows of tiles × columns
  Array<T> left;    ///< columns of tiles × rows
  Array<T> strip;   ///< of the table of tile sums, before it is summed along rows
  Array<T> corner;  ///< tiles

  TriangleArrays(Memory& memory, const Tiling& tiling)
      : sums(memory, SumsOfTiles{tiling}),
        above(memory, tiling.down() * tiling.matrix.columns, "above"),
        left(memory, tiling.across() * tiling.matrix.rows, "left"),
        strip(memory, tiling.tiles(), "strip"),
        corner(memory, tiling.tiles(), "corner") {}
};

/// Step 1, a block for each tile of the triangle.
template <class T>
Program sum_triangle_edges(Warp& warp, Array<T>& a, TriangleArrays<T>& arrays,
                           const Triangle triangle, const std::vector<TilePlace>& tiles) {
  const auto [y, x] = tiles[warp.block()];
  const Wanted wanted{triangle.has(y + 1, x), triangle.has(y, x + 1), triangle.has(y + 1, x + 1)};
  co_await sum_edges(warp, a, arrays.sums, triangle.tiling, y, x, wanted);
}

/// Rows of tiles that the triangle has: first … end − 1.
struct RowsOfTiles {
  std::uint64_t first;
  std::uint64_t end;

  explicit RowsOfTiles(const Triangle& triangle)
      : first(minus_or_zero(triangle.first, triangle.tiling.across() - 1)),
        end(std::min(triangle.tiling.down(), triangle.end)) {}
};

/// Threads of a launch's block whose element lies in begin … end − 1.
inline Mask between(const Progression& element, Address begin, Address end) {
  return (element >= begin) & (element < end);
}

/// Step 2 for columns, a thread for each: what lies above them in each row of tiles. `edges` are
/// the bottom rows of tiles, `sums` the sums of columns. With a transposed triangle, for rows.
template <class T>
Program carry_down(Warp& warp, Array<T>& edges, Array<T>& sums, Array<T>& above,
                   const Triangle triangle, std::uint64_t first_block) {
  const Address columns = triangle.tiling.matrix.columns;
  const Address w = triangle.tiling.w;
  const Progression j = (warp.block() - first_block) * warp.threads() + warp.thread();
  const RowsOfTiles rows(triangle);
  Lanes<T> sum = warp.all(T{});
  for (Address y = rows.first; y < rows.end; ++y) {
    const Address begin = triangle.begin_of_row(y);
    const Address end = triangle.end_of_row(y);
    const bool starts = y > 0 && y <= triangle.first;  // with the tile after the last known one
    {
      const auto first = warp.only(between(j, begin, starts ? std::min(begin + w, columns) : 0));
      const Lanes<T> upto = co_await edges.read((y - 1) * columns + j);
      Lanes<T> before = warp.all(T{});
      {
        const auto not_leftmost = warp.only(j > 0);
        before = co_await edges.read((y - 1) * columns + j - 1);
      }
      warp.assign(sum, upto - before);
    }
    if (y > 0) {
      const auto mine = warp.only(between(j, begin, end));
      co_await above.write(y * columns + j, sum);
    }
    if (y + 1 < triangle.tiling.down()) {
      const auto mine = warp.only(between(j, begin, triangle.end_of_row(y + 1)));
      const Lanes<T> tile = co_await sums.read(y * columns + j);
      warp.assign(sum, sum + tile);
    }
  }
}
inline BlockRounds carry_down_rounds(const Letters& machine, const Triangle& triangle,
                                     std::uint64_t block) {
  const Address columns = triangle.tiling.matrix.columns;
  const Address w = triangle.tiling.w;
  const std::uint64_t first = block * machine.p;
  BlockRounds rounds(machine);
  // Elements begin … end − 1 of a row that starts at word `row`, by those of the block's threads
  // that have them.
  const auto access = [&](Address row, Address begin, Address end) {
    const Address from = std::max(begin, first);
    const Address to = std::min(end, first + machine.p);
    const std::uint64_t count = to > from ? to - from : 0;
    rounds.global_run({row + from, count, count == 0 ? 0 : from - first});
  };
  const RowsOfTiles rows(triangle);
  for (Address y = rows.first; y < rows.end; ++y) {
    const Address begin = triangle.begin_of_row(y);
    const bool starts = y > 0 && y <= triangle.first;
    const Address end_of_first = starts ? std::min(begin + w, columns) : 0;
    access((y - 1) * columns, begin, end_of_first);
    access((y - 1) * columns - 1, std::max<Address>(begin, 1), end_of_first);
    if (y > 0) access(y * columns, begin, triangle.end_of_row(y));
    if (y + 1 < triangle.tiling.down()) {
      access(y * columns, begin, triangle.end_of_row(y + 1));
    }
  }
  return rounds;
}

/// Step 2 for corners, in one block: down the columns of tiles into strips, then along the rows.
template <class T>
Program sum_corners(Warp& warp, Edges<T>& edges, TriangleArrays<T>& arrays,
                    const Triangle triangle) {
  const Address columns = triangle.tiling.matrix.columns;
  const Address across = triangle.tiling.across();
  const Address down = triangle.tiling.down();
  const Address w = triangle.tiling.w;
  const Address known = triangle.first + 1;  // corners of these diagonals of tiles, and before
  for (auto x : warp.each(1, across)) {
    Lanes<T> sum = warp.all(T{});
    for (Address y = 1; y < std::min(down, triangle.end); ++y) {
      {
        const auto on_edge = warp.only(x == known - std::min(y, known));
        const Lanes<T> upto = co_await edges.bottom.read((y - 1) * columns + w * x - 1);
        Lanes<T> before = warp.all(T{});
        {
          const auto not_leftmost = warp.only(x > 1);
          before = co_await edges.bottom.read((y - 1) * columns + w * (x - 1) - 1);
        }
        warp.assign(sum, upto - before);
      }
      {
        const auto beyond = warp.only((x + y > known) & (x + y < triangle.end));
        const Lanes<T> tile = co_await arrays.sums.tiles.read((y - 1) * (across - 1) + x - 1);
        warp.assign(sum, sum + tile);
        co_await arrays.strip.write(y * across + x, sum);
      }
    }
  }
  co_await barrier();
  for (auto y : warp.each(1, down)) {
    Lanes<T> sum = warp.all(T{});
    for (Address x = 1; x < std::min(across, triangle.end); ++x) {
      const auto in_triangle = warp.only((y + x >= triangle.first) & (y + x < triangle.end));
      {
        const auto on_edge = warp.only(y + x <= known);
        const Lanes<T> corner = co_await edges.bottom.read((y - 1) * columns + w * x - 1);
        warp.assign(sum, corner);
      }
      {
        const auto beyond = warp.only(y + x > known);
        const Lanes<T> strip = co_await arrays.strip.read(y * across + x);
        warp.assign(sum, sum + strip);
      }
      co_await arrays.corner.write(y * across + x, sum);
    }
  }
}

inline BlockRounds sum_corners_rounds(const Letters& machine, const Triangle& triangle) {
  const Address columns = triangle.tiling.matrix.columns;
  const Address across = triangle.tiling.across();
  const Address down = triangle.tiling.down();
  const Address w = triangle.tiling.w;
  const Address known = triangle.first + 1;
  BlockRounds rounds(machine);
  // Of the p threads from element `first` on, those with an element in begin … end − 1 access
  // base + step·element.
  const auto access = [&](Address first, Address length, Address begin, Address end, Address base,
                          Address step) {
    const Address from = std::max(begin, first);
    const Address to = std::min({end, first + machine.p, length});
    const std::uint64_t count = to > from ? to - from : 0;
    const Run<std::uint64_t> run{base + step * from, count, count == 0 ? 0 : from - first};
    rounds.global(stages_of_stride(MemoryKind::groups, run, step, machine.w), count);
  };
  const auto after = [](Address diagonal, Address k) { return minus_or_zero(diagonal, k); };
  for (Address first = 1; first < across; first += machine.p) {
    for (Address y = 1; y < std::min(down, triangle.end); ++y) {
      const Address edge = after(known, y);
      const Address end = edge == 0 ? 0 : edge + 1;
      access(first, across, edge, end, (y - 1) * columns - 1, w);
      access(first, across, std::max<Address>(edge, 2), end, (y - 1) * columns - w - 1, w);
      access(first, across, after(known + 1, y), after(triangle.end, y), (y - 1) * (across - 1) - 1,
             1);
      access(first, across, after(known + 1, y), after(triangle.end, y), y * across, 1);
    }
  }
  for (Address first = 1; first < down; first += machine.p) {
    for (Address x = 1; x < std::min(across, triangle.end); ++x) {
      const Address begin = after(triangle.first, x);
      const Address edge = std::max(begin, after(known + 1, x));
      const Address end = after(triangle.end, x);
      access(first, down, begin, std::min(edge, end), w * x - 1 - columns, columns);
      access(first, down, edge, end, x, across);
      access(first, down, begin, end, x, across);
    }
  }
  return rounds;
}

/// The blocks of step 2, in this order; then one for the corners.
struct TriangleSecondStep {
  std::uint64_t for_columns;
  std::uint64_t for_rows;

  TriangleSecondStep(const Tiling& tiling, std::uint64_t p)
      : for_columns(ceil_div(tiling.matrix.columns, p)),
        for_rows(ceil_div(tiling.matrix.rows, p)) {}
  std::uint64_t blocks() const { return for_columns + for_rows + 1; }
};

template <class T>
Program carry_into_triangle(Warp& warp, Edges<T>& edges, TriangleArrays<T>& arrays,
                            const Triangle triangle, const TriangleSecondStep step) {
  if (warp.block() < step.for_columns) {
    co_await carry_down(warp, edges.bottom, arrays.sums.columns, arrays.above, triangle, 0);
  } else if (warp.block() < step.for_columns + step.for_rows) {
    co_await carry_down(warp, edges.right, arrays.sums.rows, arrays.left, triangle.transposed(),
                        step.for_columns);
  } else {
    co_await sum_corners(warp, edges, arrays, triangle);
  }
}

inline CarryPlace carry_of_triangle(const Tiling& tiling, std::uint64_t y, std::uint64_t x) {
  const std::uint64_t w = tiling.w;
  const Summing& matrix = tiling.matrix;
  return {.has_above = y > 0,
          .has_left = x > 0,
          .above = y * matrix.columns + x * w,
          .left = x * matrix.rows + y * w,
          .corner = y * tiling.across() + x,
          .columns = std::min(w, matrix.columns - x * w),
          .rows = std::min(w, matrix.rows - y * w)};
}

/// Whether a tile of the triangle leaves its edges: the two diagonals after it need them.
inline bool leaves_edges(const Triangle& triangle, std::uint64_t y, std::uint64_t x) {
  return y + x + 2 >= triangle.end;
}

/// Step 3, a block for each tile of the triangle.
template <class T>
Program finish_triangle(Warp& warp, Array<T>& a, Array<T>& b, Edges<T>& edges,
                        TriangleArrays<T>& arrays, const Triangle triangle,
                        const std::vector<TilePlace>& tiles) {
  const auto [y, x] = tiles[warp.block()];
  const Tiling& tiling = triangle.tiling;
  auto& tile = warp.shared<T>(warp.width() * warp.width(), "tile");
  co_await load_tile(warp, a, tiling.window(y, x), tile);
  co_await barrier();
  if (sums_tiles(warp)) {
    co_await add_carry(warp, tile, Carry<T>{arrays.above, arrays.left, arrays.corner},
                       carry_of_triangle(tiling, y, x));
    co_await sum_tile(warp, tile);
    co_await leave_edges(warp, tile, edges, EdgePlaces(tiling, y, x), leaves_edges(triangle, y, x));
  }
  co_await barrier();
  co_await store_tile(warp, tile, b, tiling.window(y, x));
}

/// The table on a triangle's tiles; those on the diagonals before it are done.
template <class T, class Machine>
Time sum_triangle(Machine& machine, const Launch& launch, Array<T>& a, Array<T>& b, Edges<T>& edges,
                  const Triangle& triangle) {
  const std::vector<TilePlace> tiles = triangle.tiles();
  if (tiles.empty()) return 0;
  TriangleArrays<T> arrays(machine.global(), triangle.tiling);
  Launch of_tiles = launch;
  of_tiles.blocks = tiles.size();
  Time time = machine.launch(of_tiles, sum_triangle_edges<T>, a, arrays, triangle, tiles);
  const TriangleSecondStep step(triangle.tiling, launch.threads);
  Launch second = launch;
  second.blocks = step.blocks();
  time += machine.launch(second, carry_into_triangle<T>, edges, arrays, triangle, step);
  return time + machine.launch(of_tiles, finish_triangle<T>, a, b, edges, arrays, triangle, tiles);
}

inline Cost<std::uint64_t> triangle_cost(const Letters& machine, const Triangle& triangle) {
  const std::vector<TilePlace> tiles = triangle.tiles();
  if (tiles.empty()) return {};
  LaunchRounds first(machine);
  LaunchRounds second(machine);
  LaunchRounds third(machine);
  for (const auto& [y, x] : tiles) {
    const Wanted wanted{triangle.has(y + 1, x), triangle.has(y, x + 1), triangle.has(y + 1, x + 1)};
    first.add(sum_edges_rounds(machine, triangle.tiling, y, x, wanted));
    BlockRounds rounds(machine);
    rounds.copy(triangle.tiling.window(y, x), true);
    add_carry_rounds(rounds, carry_of_triangle(triangle.tiling, y, x));
    sum_tile_rounds(rounds);
    leave_edges_rounds(rounds, EdgePlaces(triangle.tiling, y, x), leaves_edges(triangle, y, x));
    rounds.copy(triangle.tiling.window(y, x), false);
    third.add(rounds);
  }
  const TriangleSecondStep step(triangle.tiling, machine.p);
  for (std::uint64_t block = 0; block < step.for_columns; ++block) {
    second.add(carry_down_rounds(machine, triangle, block));
  }
  for (std::uint64_t block = 0; block < step.for_rows; ++block) {
    second.add(carry_down_rounds(machine, triangle.transposed(), block));
  }
  second.add(sum_corners_rounds(machine, triangle));
  Cost<std::uint64_t> cost = first.cost();
  cost += second.cost();
  return cost += third.cost();
}

}  // namespace bankproof
