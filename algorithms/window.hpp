// Parts of a matrix that blocks copy between global and shared memory: the tiles of OPT III and V,
// CONV 7.6 and THS 6, with the elements around them. A window may reach over the edge of its
// matrix; elements beyond the edge read as zero and are not written.
//
// Each block takes the same number of turns for its window, no matter how much of the window lies
// inside the matrix. So in lockstep the blocks of a wave, one on each DMM, go through their rounds
// together.
//
// Example: the 4 × 4 window of a 9 × 9 image with its corner at (−1, −1) has 9 pixels inside.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "algorithm.hpp"
#include "sweep.hpp"

namespace bankproof {

/// A part of a matrix in memory. Its upper left corner is `above` rows above and `before` columns
/// before element (top, left), so it may lie outside the matrix.
template <class N>
struct WindowOf {
  N rows;     ///< of the matrix
  N columns;  ///< of the matrix
  N top = N(0);
  N left = N(0);
  N above = N(0);
  N before = N(0);
  N pitch = columns;  ///< words from a row to the next
  N base = N(0);      ///< word of element (0, 0)

  /// The word of element (i, j) of the window; j is one column, or a column for each lane of a
  /// warp.
  template <class I, class J>
  auto word(const I& i, const J& j) const {
    return row_major(top + i - above, left + j - before, pitch) + base;
  }

  /// The part of a turn that lies in the matrix.
  struct Part {
    /// Those of the numbers first − less … first − less + number − 1 that lie in 0 … end − 1.
    struct Clipped {
      N begin;
      N count;
      Clipped(const N& first, const N& less, const N& number, const N& end)
          : begin(minus_or_zero(first, less)),
            count(minus_or_zero(smaller(minus_or_zero(first + number, less), end), begin)) {}
    };
    Clipped row;
    Clipped column;
    N first_row;  ///< in the turn
    N thread;     ///< the first one of each row
  };
  Part part(const SweepTurn<N>& turn) const {
    const typename Part::Clipped row(top + turn.row, above, turn.rows, rows);
    const typename Part::Clipped column(left + turn.column, before, turn.columns, columns);
    return {row, column, row.begin + above - (top + turn.row),
            column.begin + before - (left + turn.column)};
  }

  /// The round in which a turn's threads access their elements of the window, as far as these
  /// elements lie in the matrix.
  Rounds<N> round(MemoryKind kind, const SweepTurn<N>& turn, const N& w) const {
    const Part in = part(turn);
    const N stages = sum_over_residues(in.row.count, pitch, w, [&](const N& k) {
      const N address = base + (in.row.begin + k) * pitch + in.column.begin;
      return stages_of(kind, Run<N>{address, in.column.count, in.thread}, w);
    });
    return one_round(stages, in.row.count * in.column.count);
  }
};
using Window = WindowOf<std::uint64_t>;

/// The threads whose element (top + i, left + j) lies in the matrix.
inline Mask inside(const Window& window, Address i, const Progression& j) {
  const Address row = window.top + i - window.above;  // above the matrix: wraps to a huge row
  const Progression column = window.left + j - window.before;
  return column < (row < window.rows ? window.columns : 0);
}

/// tile ← rows × columns elements of the window; zeros beyond the edge.
template <class T, class W = Warp>
Program copy_window(W& warp, ArrayOf<W, T>& a, const WindowOf<NumberOf<W>> window,
                    ArrayOf<W, T>& tile, NumberOf<W> rows, NumberOf<W> columns) {
  for (auto [i, j] : sweep(warp, rows, columns)) {
    auto values = warp.all(T{});
    {
      const auto within = warp.only(inside(window, i, j));
      values = co_await a.read(window.word(i, j));
    }
    co_await tile.write(row_major(i, j, columns), values);
  }
}

/// rows × columns elements of the window ← tile; elements beyond the edge are not written.
template <class T, class W = Warp>
Program copy_back(W& warp, ArrayOf<W, T>& tile, ArrayOf<W, T>& c,
                  const WindowOf<NumberOf<W>> window, NumberOf<W> rows, NumberOf<W> columns) {
  for (auto [i, j] : sweep(warp, rows, columns)) {
    const auto values = co_await tile.read(row_major(i, j, columns));
    const auto within = warp.only(inside(window, i, j));
    co_await c.write(window.word(i, j), values);
  }
}

/// A launch of blocks of p threads that all go through the same rounds, `slots` blocks at a time on
/// each DMM.
template <class N>
class Waves {
 public:
  Waves(N blocks, const MachineParametersOf<N>& machine, const N& slots = N(1))
      : blocks_(std::move(blocks)), machine_(machine), at_a_time_(machine.d * slots) {}

  /// Adds up rounds(wave) over all waves. On the shared memories, those are the rounds of each
  /// block, and DMM 0 has the most blocks.
  template <class RoundsOf>
  Cost<N> cost(RoundsOf rounds) const {
    Cost<N> cost = sum_over(ceil_div(blocks_, at_a_time_), [&](const N& wave) {
      const N first = wave * at_a_time_;
      const N blocks = smaller(at_a_time_, blocks_ - first);
      Cost<N> of_wave = rounds(Wave{first, blocks, machine_});
      const Rounds<N>& each = of_wave.shared;
      of_wave.shared = {ceil_div(blocks, machine_.d) * each.stages, each.rounds,
                        blocks * each.requests};
      return of_wave;
    });
    cost.launches = smaller(cost.global.rounds, N(1));
    return cost;
  }

  /// The blocks that run at the same time.
  struct Wave {
    N first;
    N blocks;
    const MachineParametersOf<N>& machine;

    /// One round on the global memory: the sum of of(block) over all blocks of the wave.
    template <class Of>
    Rounds<N> together(Of of) const {
      const Rounds<N> sum = sum_over(blocks, [&](const N& k) { return of(first + k); });
      return one_round(sum.stages, sum.requests);
    }
    /// Rounds on the global memory in which each block sweeps its own window.
    template <class Of>
    Rounds<N> global(const N& rows, const N& columns, Of window_of) const {
      return over_sweep(SweepShape<N>{rows, columns, machine.p, machine.w},
                        [&](const SweepTurn<N>& turn) {
                          return together([&](const N& block) {
                            return window_of(block).round(MemoryKind::groups, turn, machine.w);
                          });
                        });
    }
    /// Each block copies `words` consecutive words, p at a time: in the turn that begins at word
    /// `start`, those of run_of(block, start, count).
    template <class Of>
    Cost<N> copy_row(const N& words, Of run_of) const {
      Cost<N> cost;
      cost.global = over_turns(words, machine.p, [&](const N& start, const N& count) {
        return together([&](const N& block) {
          return round_of(MemoryKind::groups, run_of(block, start, count), machine.w);
        });
      });
      cost.shared = over_turns(words, machine.p, [&](const N& start, const N& count) {
        return round_of(MemoryKind::banks, Run<N>{start, count}, machine.w);
      });
      return cost;
    }
    /// Rounds on the shared memories in which each block sweeps rows × columns words of a tile.
    Rounds<N> shared(const N& rows, const N& columns) const {
      return over_sweep(SweepShape<N>{rows, columns, machine.p, machine.w},
                        [&](const SweepTurn<N>& turn) {
                          return round_of(MemoryKind::banks, turn, columns, machine.w);
                        });
    }
    /// Each block copies a window to its tile, or back.
    template <class Of>
    Cost<N> copy(const N& rows, const N& columns, Of window_of) const {
      return {.global = global(rows, columns, window_of), .shared = shared(rows, columns)};
    }
  };

 private:
  N blocks_;
  const MachineParametersOf<N>& machine_;
  N at_a_time_;
};

}  // namespace bankproof
