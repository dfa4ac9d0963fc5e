// The three passes of a schedule (schedule.hpp) on the HMM (THS 5.4 and 5.5).
//
// Row-wise permutation: each row of R × C words has a block, and each column a thread.
//
//   Step 1: α[j] ← a[i][j]                      α and β are in shared memory
//   Step 2: S ← s[i][j], D ← d[i][j]
//   Step 3: β[D] ← α[S]
//   Step 4: b[i][j] ← β[j]
//
// Column-wise permutation is transpose, row-wise permutation, transpose. A scheduled permutation is
// row-wise, column-wise, row-wise: five launches.
//
// In lockstep on d DMMs, with all blocks resident and w dividing R and C, a row-wise pass takes
// 4(n/w + L − 1) + 4(⌈R/d⌉·C/w + l − 1). For d = l = 1 these are the times of THS table 5.1: 8n/w +
// 4L − 4 row-wise, 16n/w + 8L − 8 column-wise, 32n/w + 16L − 16 scheduled. If d divides the rows,
// the columns and the tiles, the scheduled permutation takes 16n/w + 16n/(dw) + 16L − 16 (THS 1.1).
// One tile on two DMMs takes more (H6.time, whose false twin says so).
//
// Example: w = 2, a = (p, q, r, s), s = (0, 3, 2, 1) and d = (1, 2, 3, 0) give b = (s, p, q, r).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "../../model/machine.hpp"
#include "../transpose.hpp"
#include "plan.hpp"

namespace bankproof {

/// A matrix whose rows are permuted on their own, each by a plan of ⌈C/w⌉·w lanes.
template <class N>
struct PermutingRowsOf {
  N rows;
  N columns;
  N w;  ///< width

  N lanes() const { return rounded_up(columns, w); }
  /// For thread j of a block: the thread's word of the matrix, and the thread's lane of the plans.
  template <class J>
  J word(const N& block, const J& j) const {
    return row_major(block, j, columns);
  }
  template <class J>
  J lane(const N& block, const J& j) const {
    return row_major(block, j, lanes());
  }
  N shared_words() const { return N(2) * lanes(); }
  /// The number of threads of the block that permutes a row: one for each lane, but at most p, in
  /// whole warps.
  N threads(const N& p) const { return smaller(lanes(), p / w * w); }
  Launch launch(std::uint64_t p = unlimited) const {
    return {.blocks = rows, .threads = threads(p), .shared_words = shared_words(), .name = "rows"};
  }

  /// Requires w to divide the columns, and w ≤ p. All blocks make the same rounds.
  Cost<N> cost(const MachineParametersOf<N>& machine) const {
    const N block = threads(machine.p);
    const N on_a_dmm = ceil_div(rows, machine.d);
    const N waves = ceil_div(on_a_dmm, machine.slots(block, shared_words()));
    const N turns = waves * ceil_div(columns, block);
    const N n = rows * columns;
    return {.global = N(4) * Rounds<N>{n / w, turns, n},
            .shared = N(4) * Rounds<N>{on_a_dmm * (columns / w), turns, n},
            .launches = N(1)};
  }
};
using PermutingRows = PermutingRowsOf<std::uint64_t>;

/// Permutes the rows of a into b, with blocks of whole warps, one for each row.
template <class T>
Program permute_rows(Warp& warp, Array<T>& a, Array<T>& b, Array<Address>& s, Array<Address>& d,
                     const PermutingRows& matrix) {
  const AccessKind kind =
      matrix.columns % warp.width() == 0 ? AccessKind::coalesced : AccessKind::casual;
  auto& alpha = warp.shared<T>(matrix.columns, "alpha");
  auto& beta = warp.shared<T>(matrix.columns, "beta");
  for (auto j : warp.each(matrix.columns)) {
    const Lanes<T> values = co_await a.read(matrix.word(warp.block(), j), kind);
    co_await alpha.write(j, values, AccessKind::conflict_free);
  }
  co_await barrier();
  for (auto j : warp.each(matrix.lanes())) {
    const Lanes<Address> source =
        co_await s.read(matrix.lane(warp.block(), j), AccessKind::coalesced);
    const Lanes<Address> target =
        co_await d.read(matrix.lane(warp.block(), j), AccessKind::coalesced);
    const auto busy = warp.only(source != idle<Address>);
    const Lanes<T> values = co_await alpha.read(source, AccessKind::conflict_free);
    co_await beta.write(target, values, AccessKind::conflict_free);
  }
  co_await barrier();
  for (auto j : warp.each(matrix.columns)) {
    const Lanes<T> values = co_await beta.read(j, AccessKind::conflict_free);
    co_await b.write(matrix.word(warp.block(), j), values, kind);
  }
}

/// The arrays S and D of a row-wise pass, in global memory.
struct RowPlanArrays {
  Array<Address> s;
  Array<Address> d;

  template <class Index>
  RowPlanArrays(Memory& memory, std::span<const Index> s_lanes, std::span<const Index> d_lanes)
      : s(memory, addresses_of(s_lanes), "s"), d(memory, addresses_of(d_lanes), "d") {}
};

/// Permutes the columns of a into b by plans for the rows of the transposed matrix. `other` is as
/// large as a; it may be a, which then loses its values. Makes three launches of blocks of at most
/// p threads; returns their time.
template <class T, class Machine>
Time permute_columns(Machine& machine, Array<T>& a, Array<T>& b, Array<T>& other,
                     RowPlanArrays& plans, const Transposing& matrix, std::uint64_t p = unlimited) {
  const Transposing back{matrix.columns, matrix.rows, matrix.w};
  const PermutingRows columns{matrix.columns, matrix.rows, matrix.w};
  Time time = machine.launch(matrix.launch(p), transpose<T>, a, b, matrix);
  time += machine.launch(columns.launch(p), permute_rows<T>, b, other, plans.s, plans.d, columns);
  return time + machine.launch(back.launch(p), transpose<T>, other, b, back);
}

/// Permutes a into b by the three passes of a schedule; `other` is as large as a. Makes five
/// launches of blocks of at most p threads; returns their time.
template <class T, class Machine>
Time permute_scheduled(Machine& machine, Array<T>& a, Array<T>& b, Array<T>& other,
                       std::array<RowPlanArrays, 3>& passes, const Transposing& matrix,
                       std::uint64_t p = unlimited) {
  const PermutingRows rows{matrix.rows, matrix.columns, matrix.w};
  auto& [first, second, third] = passes;
  Time time = machine.launch(rows.launch(p), permute_rows<T>, a, b, first.s, first.d, rows);
  time += permute_columns(machine, b, other, b, second, matrix, p);
  return time + machine.launch(rows.launch(p), permute_rows<T>, other, b, third.s, third.d, rows);
}

/// The costs of permute_columns() and permute_scheduled(). Require w to divide both sides, and w ≤
/// p.
template <class N>
Cost<N> permute_columns_cost(const MachineParametersOf<N>& machine,
                             const TransposingOf<N>& matrix) {
  const TransposingOf<N> back{matrix.columns, matrix.rows, matrix.w};
  const PermutingRowsOf<N> columns{matrix.columns, matrix.rows, matrix.w};
  Cost<N> cost = transpose_cost(machine, matrix);
  cost += columns.cost(machine);
  return cost += transpose_cost(machine, back);
}
template <class N>
Cost<N> permute_scheduled_cost(const MachineParametersOf<N>& machine,
                               const TransposingOf<N>& matrix) {
  const PermutingRowsOf<N> rows{matrix.rows, matrix.columns, matrix.w};
  Cost<N> cost = permute_columns_cost(machine, matrix);
  return cost += N(2) * rows.cost(machine);
}

/// THS 5.5 with any number of threads and DMMs, and a row, a column and a tile for each DMM. N is
/// the number of elements of the matrix. Each of the 16 rounds takes up to 2N/(dp) + 2 turns: one
/// row or tile more than the DMMs takes another wave, and a row or tile that is one warp longer
/// than the block takes two turns. This holds if the shared memories have room for all blocks for
/// which there are threads. The factor is proved (H6.upper), and no smaller factor would do
/// (H6.tight).
template <class N>
BoundOf<N> permute_scheduled_upper(const MachineParametersOf<N>& machine,
                                   const TransposingOf<N>& matrix) {
  const auto& [w, l, L, d, p] = std::tie(machine.w, machine.l, machine.L, machine.d, machine.p);
  const N cells = matrix.rows * matrix.columns;
  const PermutingRowsOf<N> rows{matrix.rows, matrix.columns, matrix.w};
  const PermutingRowsOf<N> columns{matrix.columns, matrix.rows, matrix.w};
  const N threads = machine.p;
  const auto has_room = [&](const auto& blocks) {
    const N block = blocks.threads(threads);
    return machine.slots(block, blocks.shared_words()) == machine.slots(block);
  };
  return {N(32),
          {{"N/w", cells, w},
           {"N/(dw)", cells, d * w},
           {"NL/(dp)", cells * L, d * p},
           {"Nl/(dp)", cells * l, d * p},
           {"L", L},
           {"l", l}},
          matrix.tiles() >= d && matrix.rows >= d && matrix.columns >= d && has_room(rows) &&
              has_room(columns) && has_room(matrix)};
}

}  // namespace bankproof
