// Transposes of a matrix on the HMM (THS 5.3). A block moves a tile of w × w words through its
// shared memory,
//
//   for the rows i of the tile in parallel: tile(i, j) ← a[top + i][left + j]
//   for the columns i of the tile in parallel: b[left + i][top + j] ← tile(j, i)
//
// so that global memory is read and written along rows. Variants:
//
//   diagonal   tile(i, j) is at i·w + (i + j) mod w: the words of a row are in different banks, and
//              so are the words of a column
//   row-major  tile(i, j) is at i·w + j: all words of a column are in one bank
//   direct     b[left + j][top + i] ← a[top + i][left + j], without shared memory: each word
//              written is in a group of its own of global memory
//
// The diagonal variant, in lockstep on d DMMs, takes 2(n/w + L − 1) for the global memory and
// 2(⌈T/d⌉·w + l − 1) for the shared memories. Here each of T tiles has w² threads, all tiles are
// resident, and the sides are multiples of w. For d = l = 1 this is the 4n/w + 2L − 2 of THS table
// 5.1.
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
#include "layout.hpp"
#include "window.hpp"

namespace bankproof {

enum class TransposeVariant : std::uint8_t { diagonal, row_major, direct };

/// A matrix in row-major order, to be transposed in tiles.
template <class N>
struct TransposingOf {
  N rows;
  N columns;
  N w;  ///< width
  TransposeVariant variant = TransposeVariant::diagonal;

  N tiles_across() const { return ceil_div(columns, w); }
  N tiles() const { return ceil_div(rows, w) * tiles_across(); }
  N shared_words() const { return variant == TransposeVariant::direct ? N(0) : w * w; }
  /// Each tile has a block of at most p threads.
  N threads(const N& p) const { return smaller(w * w, p); }
  Launch launch(std::uint64_t p = unlimited) const {
    return {.blocks = tiles(),
            .threads = threads(p),
            .shared_words = shared_words(),
            .name = "transpose"};
  }
  /// The window of a that a block reads, and the window of b that it writes.
  WindowOf<N> from(const N& block) const {
    const CornerOf<N> corner(block, columns, w);
    return {rows, columns, corner.top, corner.left};
  }
  WindowOf<N> to(const N& block) const {
    const WindowOf<N> window = from(block);
    return {columns, rows, window.left, window.top};
  }
};
using Transposing = TransposingOf<std::uint64_t>;

/// Rows are coalesced if they begin at multiples of w.
inline AccessKind kind_of_rows(const Warp& warp, Address length) {
  return length % warp.width() == 0 ? AccessKind::coalesced : AccessKind::casual;
}

/// The words of the elements (i, j), and of the elements (j, i), of a tile in diagonal arrangement.
inline Lanes<Address> diagonal_row(const Warp& warp, Address i, const Progression& j) {
  const Address w = warp.width();
  return make_lanes(warp.width(), [&](Width lane) { return diagonal<Address>(i, j[lane], w); });
}
inline Lanes<Address> diagonal_column(const Warp& warp, Address i, const Progression& j) {
  const Address w = warp.width();
  return make_lanes(warp.width(), [&](Width lane) { return diagonal<Address>(j[lane], i, w); });
}

/// b ← aᵀ through shared memory, with a block for each tile.
template <class T, class W = Warp>
Program transpose(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b,
                  const TransposingOf<NumberOf<W>>& matrix) {
  const auto w = matrix.w;
  const auto from = matrix.from(warp.block());
  const auto to = matrix.to(warp.block());
  const bool is_diagonal = matrix.variant == TransposeVariant::diagonal;
  auto& tile = warp.template shared<T>(w * w, "tile");
  for (auto [i, j] : sweep(warp, w, w)) {
    auto row = warp.all(T{});
    {
      const auto within = warp.only(inside(from, i, j));
      row = co_await a.read(from.word(i, j), kind_of_rows(warp, matrix.columns));
    }
    if (is_diagonal) {
      co_await tile.write(diagonal_row(warp, i, j), row, AccessKind::conflict_free);
    } else {
      co_await tile.write(row_major(i, j, w), row, AccessKind::conflict_free);
    }
  }
  co_await barrier();
  for (auto [i, j] : sweep(warp, w, w)) {
    auto column = warp.all(T{});
    if (is_diagonal) {
      column = co_await tile.read(diagonal_column(warp, i, j), AccessKind::conflict_free);
    } else {
      column = co_await tile.read(row_major(j, i, w), AccessKind::casual);
    }
    const auto within = warp.only(inside(to, i, j));
    co_await b.write(to.word(i, j), column, kind_of_rows(warp, matrix.rows));
  }
}

/// b ← aᵀ without shared memory.
template <class T, class W = Warp>
Program transpose_directly(W& warp, ArrayOf<W, T>& a, ArrayOf<W, T>& b,
                           const TransposingOf<NumberOf<W>>& matrix) {
  const auto from = matrix.from(warp.block());
  for (auto [i, j] : sweep(warp, matrix.w, matrix.w)) {
    const auto within = warp.only(inside(from, i, j));
    const auto row = co_await a.read(from.word(i, j));
    co_await b.write(row_major(from.left + j, from.top + i, matrix.rows), row);
  }
}

/// The round that writes b directly: a turn's threads write their elements of a tile, each row of
/// the tile to a column of b.
template <class N>
Rounds<N> round_of_columns(const TransposingOf<N>& matrix, const WindowOf<N>& from,
                           const SweepTurn<N>& turn) {
  const typename WindowOf<N>::Part in = from.part(turn);
  const N corner = row_major(turn.column + from.left, turn.row + from.top, matrix.rows);
  const N stages = sum_over(in.row.count, [&](const N& k) {
    const N first = corner + (k + in.first_row) + matrix.rows * in.thread;
    const Run<N> run{first, in.column.count, in.thread};
    return stages_of_stride(MemoryKind::groups, run, matrix.rows, matrix.w);
  });
  return one_round(stages, in.row.count * in.column.count);
}

/// The cost of a transpose by blocks of `threads` threads.
template <class N>
Cost<N> transpose_cost(const MachineParametersOf<N>& machine, const TransposingOf<N>& matrix,
                       const N& threads) {
  const N& w = matrix.w;
  MachineParametersOf<N> of_block = machine;
  of_block.p = threads;
  const SweepShape<N> shape{w, w, threads, w};
  const Waves waves(matrix.tiles(), of_block, machine.slots(threads, matrix.shared_words()));
  return waves.cost([&](const typename Waves<N>::Wave& wave) -> Cost<N> {
    const auto from = [&](const N& block) { return matrix.from(block); };
    const auto to = [&](const N& block) { return matrix.to(block); };
    if (matrix.variant == TransposeVariant::direct) {
      Cost<N> cost{.global = wave.global(w, w, from)};
      cost.global += over_sweep(shape, [&](const SweepTurn<N>& turn) {
        return wave.together(
            [&](const N& block) { return round_of_columns(matrix, from(block), turn); });
      });
      return cost;
    }
    Cost<N> cost = wave.copy(w, w, from);
    cost.global += wave.global(w, w, to);
    // A warp reads a column of the tile: its words are in different banks or all in one bank.
    cost.shared += matrix.variant == TransposeVariant::diagonal
                       ? wave.shared(w, w)
                       : over_sweep(shape, [&](const SweepTurn<N>& turn) {
                           const N requests = turn.rows * turn.columns;
                           return one_round(requests, requests);
                         });
    return cost;
  });
}
template <class N>
Cost<N> transpose_cost(const MachineParametersOf<N>& machine, const TransposingOf<N>& matrix) {
  return transpose_cost(machine, matrix, matrix.threads(machine.p));
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

  template <class N>
  static TransposingOf<N> matrix_of(const TaskOf<N>& task) {
    TransposeVariant variant = TransposeVariant::diagonal;
    if (task.variant == "row-major") variant = TransposeVariant::row_major;
    if (task.variant == "direct") variant = TransposeVariant::direct;
    return {task.sizes["rows"], task.sizes["columns"], task.machine.w, variant};
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
    const std::uint64_t words = matrix_of(task).shared_words();
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
    const auto program =
        matrix.variant == TransposeVariant::direct ? transpose_directly<T> : transpose<T>;
    const Time time = machine.launch(matrix.launch(task.machine.p), program, a, b, matrix);
    return {{b.values().begin(), b.values().end()}, time};
  }

  template <class N>
  static Cost<N> cost(const TaskOf<N>& task) {
    return transpose_cost(task.machine, matrix_of(task));
  }

  /// The bound is for tasks in which a tile's rows fill warps, w ≤ p ≤ w², and there is a tile for
  /// each DMM. If turns, tiles and waves are full, the factor is 2. Other tasks need a larger
  /// factor. If the sides are just above w, there are four tiles for w² words, and three DMMs take
  /// them in two waves. If p is just below 2w, half the threads idle. In the worst case, both
  /// accesses together take less than 24n/(dp) turns.
  template <class N>
  static std::optional<BoundOf<N>> upper(const TaskOf<N>& task) {
    const TransposingOf<N> matrix = matrix_of(task);
    const MachineParametersOf<N>& machine = task.machine;
    const auto [w, l, L, d, p] = std::tie(machine.w, machine.l, machine.L, machine.d, machine.p);
    const N n = matrix.rows * matrix.columns;
    if (matrix.variant != TransposeVariant::diagonal) return std::nullopt;
    const auto full = divides(w, matrix.rows) && divides(w, matrix.columns) && divides(w, p) &&
                      divides(p, w * w) && divides(d, matrix.tiles());
    return BoundOf<N>{
        select(full, N(2), N(24)),
        {{"n/w", n, w}, {"n/(dw)", n, d * w}, {"nL/(dp)", n * L, d * p}, {"nl/(dp)", n * l, d * p}},
        p >= w && p <= w * w && matrix.tiles() >= d && matrix.rows >= w && matrix.columns >= w};
  }

  /// Each element is read and written, by threads of whole warps: if w does not divide p, more than
  /// p threads of each DMM are resident.
  template <class N>
  static std::vector<BoundOf<N>> lower(const TaskOf<N>& task) {
    const MachineParametersOf<N>& machine = task.machine;
    const N n = task.sizes["rows"] * task.sizes["columns"];
    return {{N(2), {{"bandwidth n/w", n, machine.w}}},
            {N(2), {{"latency nL/(dp)", n * machine.L, machine.resident()}}}};
  }
};

}  // namespace bankproof
