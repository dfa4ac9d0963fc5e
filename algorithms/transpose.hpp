// Transposes of a matrix on the HMM (THS 5.3). A block takes a tile of w × w words through its
// shared memory,
//
//   for the rows i of the tile in parallel: tile(i, j) ← a[top + i][left + j]
//   for the columns i of the tile in parallel: b[left + i][top + j] ← tile(j, i)
//
// so that global memory is read and written along rows. Ways:
//
//   diagonal   tile(i, j) is at i·w + (i + j) mod w: the words of a row are in different banks, and
//              those of a column, too
//   row-major  tile(i, j) is at i·w + j: all words of a column are in one bank
//   direct     b[left + j][top + i] ← a[top + i][left + j], without shared memory: a group of the
//              global one for each word written
//
// In lockstep the first, with w² threads for each of T tiles, all of them resident, and sides that
// are multiples of w, takes on d DMMs 2(n/w + L − 1) for the global memory and 2(⌈T/d⌉·w + l − 1)
// for the shared ones; for d = l = 1 the 4n/w + 2L − 2 of THS table 5.1.
//
// Example: w = 2, the tile (p q; r s) is kept as p q s r; its columns p, r and q, s are in banks
// 0, 1 and 1, 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "../oracles/transpose.hpp"
#include "launch_rounds.hpp"
#include "layout.hpp"

namespace bankproof {

enum class TransposeWay : std::uint8_t { diagonal, row_major, direct };

/// A matrix in row-major order, to be transposed in tiles.
struct Transposing {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t w;  ///< width
  TransposeWay way = TransposeWay::diagonal;

  std::uint64_t tiles_across() const { return ceil_div(columns, w); }
  std::uint64_t tiles() const { return ceil_div(rows, w) * tiles_across(); }
  /// A block for each tile, of at most p threads.
  Launch launch(std::uint64_t p = unlimited) const {
    return {.blocks = tiles(),
            .threads = std::min(w * w, p),
            .shared_words = way == TransposeWay::direct ? 0 : w * w,
            .name = "transpose"};
  }
  /// The tile of a block, and where it goes.
  Window from(std::uint64_t block) const {
    return {rows, columns, static_cast<std::int64_t>(block / tiles_across() * w),
            static_cast<std::int64_t>(block % tiles_across() * w)};
  }
  Window to(std::uint64_t block) const {
    const Window window = from(block);
    return {columns, rows, window.left, window.top};
  }
};

/// Words of (i, j) and of (j, i), for the columns j of a tile in diagonal arrangement.
inline Lanes<Address> diagonal_row(const Warp& warp, Address i, const Progression& j) {
  const Address w = warp.width();
  return make_lanes(warp.width(), [&](Width lane) { return diagonal<Address>(i, j[lane], w); });
}
inline Lanes<Address> diagonal_column(const Warp& warp, Address i, const Progression& j) {
  const Address w = warp.width();
  return make_lanes(warp.width(), [&](Width lane) { return diagonal<Address>(j[lane], i, w); });
}

namespace detail {

/// Rows that begin at multiples of w are coalesced.
inline AccessKind kind_of_rows(Address length, Address w) {
  return length % w == 0 ? AccessKind::coalesced : AccessKind::casual;
}

}  // namespace detail

/// b ← aᵀ through shared memory, with a block for each tile.
template <class T>
Program transpose(Warp& warp, Array<T>& a, Array<T>& b, const Transposing& matrix) {
  const Address w = warp.width();
  const Window from = matrix.from(warp.block());
  const Window to = matrix.to(warp.block());
  const bool is_diagonal = matrix.way == TransposeWay::diagonal;
  auto& tile = warp.shared<T>(w * w, "tile");
  for (auto [i, j] : sweep(warp, w, w)) {
    Lanes<T> row = warp.all(T{});
    {
      const auto within = warp.only(inside(from, i, j));
      row = co_await a.read(words_of(from, i, j), detail::kind_of_rows(matrix.columns, w));
    }
    const auto place = is_diagonal ? diagonal_row(warp, i, j) : Lanes<Address>(i * w + j);
    co_await tile.write(place, row, AccessKind::conflict_free);
  }
  co_await barrier();
  for (auto [i, j] : sweep(warp, w, w)) {
    const auto place = is_diagonal ? diagonal_column(warp, i, j) : Lanes<Address>(j * w + i);
    const Lanes<T> column =
        co_await tile.read(place, is_diagonal ? AccessKind::conflict_free : AccessKind::casual);
    const auto within = warp.only(inside(to, i, j));
    co_await b.write(words_of(to, i, j), column, detail::kind_of_rows(matrix.rows, w));
  }
}

/// b ← aᵀ without it.
template <class T>
Program transpose_directly(Warp& warp, Array<T>& a, Array<T>& b, const Transposing& matrix) {
  const Window from = matrix.from(warp.block());
  for (auto [i, j] : sweep(warp, warp.width(), warp.width())) {
    const auto within = warp.only(inside(from, i, j));
    const Lanes<T> row = co_await a.read(words_of(from, i, j));
    const Progression place =
        (static_cast<Address>(from.left) + j) * matrix.rows + (static_cast<Address>(from.top) + i);
    co_await b.write(place, row);
  }
}

/// The rounds of a block; machine.p are its threads.
inline BlockRounds transpose_rounds(const Letters& machine, const Transposing& matrix,
                                    std::uint64_t block) {
  BlockRounds rounds(machine);
  const std::uint64_t w = matrix.w;
  const Window from = matrix.from(block);
  if (matrix.way == TransposeWay::diagonal) {
    rounds.copy(from, true);
    rounds.copy(matrix.to(block), false);
    return rounds;
  }
  const SweepShape<std::uint64_t> shape{w, w, machine.p, w};
  if (matrix.way == TransposeWay::row_major) {
    rounds.copy(from, true);
    over_sweep(shape, [&](const SweepTurn& turn) {
      // The threads of a warp, which are those of a row, all want words of one bank.
      const std::uint64_t requests = turn.rows * turn.columns;
      rounds.shared(requests, requests);
      const auto written = matrix.to(block).round(MemoryKind::groups, turn, w);
      rounds.global(written.stages, written.requests);
      return 0;
    });
    return rounds;
  }
  over_sweep(shape, [&](const SweepTurn& turn) {
    const auto read = from.round(MemoryKind::groups, turn, w);
    rounds.global(read.stages, read.requests);
    std::uint64_t stages = 0;
    for (std::uint64_t k = 0; k < turn.rows; ++k) {
      const std::uint64_t i = static_cast<std::uint64_t>(from.top) + turn.row + k;
      const std::uint64_t j = static_cast<std::uint64_t>(from.left) + turn.column;
      if (i >= matrix.rows || j >= matrix.columns) continue;
      const std::uint64_t count = smaller(turn.columns, matrix.columns - j);
      stages +=
          stages_of_stride(MemoryKind::groups, Run{j * matrix.rows + i, count}, matrix.rows, w);
    }
    rounds.global(stages, read.requests);
    return 0;
  });
  return rounds;
}

/// What a transpose costs with blocks of so many threads.
inline Cost<std::uint64_t> transpose_cost(const Letters& machine, const Transposing& matrix,
                                          std::uint64_t threads) {
  Letters of_block = machine;
  of_block.p = threads;
  LaunchRounds launch(machine, machine.slots(threads, matrix.launch().shared_words));
  for (std::uint64_t block = 0; block < matrix.tiles(); ++block) {
    launch.add(transpose_rounds(of_block, matrix, block));
  }
  return launch.cost();
}
inline Cost<std::uint64_t> transpose_cost(const Letters& machine, const Transposing& matrix) {
  return transpose_cost(machine, matrix, matrix.launch(machine.p).threads);
}

struct Transpose {
  static constexpr std::string_view name = "transpose";
  static constexpr std::string_view does = "b[j][i] = a[i][j]";
  static constexpr Algebra algebra = Algebra::monoid;
  static constexpr std::array size_keys = {SizeKey{"rows", "rows of a", 64, 1, 30},
                                           SizeKey{"columns", "columns of a", 64, 1, 30}};

  static constexpr std::array hierarchical = {MachineKind::hmm, MachineKind::asynchronous_hmm};
  static constexpr std::array variants = {
      Variant{"diagonal", "THS 5.3", "tiles in diagonal arrangement", hierarchical},
      Variant{"row-major", "THS 6.1", "tiles row by row: bank conflicts", hierarchical},
      Variant{"direct", "THS 4.1", "without shared memory", hierarchical}};

  static Transposing matrix_of(const Task& task) {
    TransposeWay way = TransposeWay::diagonal;
    if (task.variant == "row-major") way = TransposeWay::row_major;
    if (task.variant == "direct") way = TransposeWay::direct;
    return {task.sizes["rows"], task.sizes["columns"], task.machine.w, way};
  }

  static std::vector<Shape> inputs(const Task& task) {
    const Sizes& sizes = task.sizes;

    return {{"a", sizes["columns"], sizes["rows"]}};
  }
  static Shape output(const Task& task) {
    const Sizes& sizes = task.sizes;
    return {"b", sizes["rows"], sizes["columns"]};
  }
  static std::string refusal(const Task& task) {
    const std::uint64_t words = matrix_of(task).launch().shared_words;
    if (words <= task.machine.capacity) return {};
    return "a tile of w=" + std::to_string(task.machine.w) + " takes " + std::to_string(words) +
           " words, and a shared memory has " + std::to_string(task.machine.capacity);
  }

  template <class T>
  static std::vector<T> expected(const Task& task, const Inputs<T>& inputs) {
    return oracle::transposed(inputs[0], task.sizes["rows"], task.sizes["columns"]);
  }

  template <class T, class Machine>
  static Outcome<T> run(const Task& task, Machine& machine, const Inputs<T>& inputs) {
    const Transposing matrix = matrix_of(task);
    Array<T> a(main_memory(machine), inputs[0], "a");
    Array<T> b(main_memory(machine), a.size(), "b");
    const auto program = matrix.way == TransposeWay::direct ? transpose_directly<T> : transpose<T>;
    const Time time = machine.launch(matrix.launch(task.machine.p), program, a, b, matrix);
    return {{b.values().begin(), b.values().end()}, time};
  }

  static Cost<std::uint64_t> cost(const Task& task) {
    return transpose_cost(task.machine, matrix_of(task));
  }

  /// Where a tile's rows fill warps, w ≤ p ≤ w², and there is a tile for each DMM. For sides just
  /// above w there are four tiles for w² words, which three DMMs take in two waves, and for p just
  /// below 2w half the threads idle: that comes to less than 24 n/(dp) turns of both accesses.
  static std::optional<Bound> upper(const Task& task) {
    const Transposing matrix = matrix_of(task);
    const Letters& machine = task.machine;
    const auto [w, l, L, d, p] = std::tie(machine.w, machine.l, machine.L, machine.d, machine.p);
    const std::uint64_t n = matrix.rows * matrix.columns;
    if (matrix.way != TransposeWay::diagonal || p < w || p > w * w || matrix.tiles() < d ||
        matrix.rows < w || matrix.columns < w) {
      return std::nullopt;
    }
    return Bound{24,
                 {{"n/w", n, w},
                  {"n/(dw)", n, d * w},
                  {"nL/(dp)", n * L, d * p},
                  {"nl/(dp)", n * l, d * p}}};
  }

  /// Each element is read and written.
  static std::vector<Bound> lower(const Task& task) {
    const Letters& machine = task.machine;
    const std::uint64_t n = task.sizes["rows"] * task.sizes["columns"];
    return {{2, {{"bandwidth n/w", n, machine.w}}},
            {2, {{"latency nL/(dp)", n * machine.L, machine.threads()}}}};
  }
};

}  // namespace bankproof
