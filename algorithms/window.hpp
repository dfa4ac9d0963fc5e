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
  template <class J>
  J word(const N& i, const J& j) const {
    return row_major(top + i - above, left + j - before, pitch) + base;
  }

  /// The round in which a turn's threads access their elements of the window, as far as these
  /// elements lie in the matrix.
  Rounds<N> round(MemoryKind kind, const SweepTurn<N>& turn, const N& w) const {
    // Those of the numbers first − less … first − less + number − 1 that lie in 0 … end − 1.
    struct Clipped {
      N begin;
      N count;
      Clipped(const N& first, const N& less, const N& number, const N& end)
          : begin(minus_or_zero(first, less)),
            count(minus_or_zero(smaller(minus_or_zero(first + number, less), end), begin)) {}
    };
    const Clipped row(top + turn.row, above, turn.rows, rows);
    const Clipped column(left + turn.column, before, turn.columns, columns);
    const N thread = column.begin + before - (left + turn.column);
    const N stages = sum_over_residues(row.count, pitch, w, [&](const N& k) {
      const N address = base + (row.begin + k) * pitch + column.begin;
      return stages_of(kind, Run<N>{address, column.count, thread}, w);
    });
    const bool pram = kind == MemoryKind::uniform;
    return one_round(pram ? smaller(stages, N(1)) : stages, row.count * column.count);
  }
};
using Window = WindowOf<std::uint64_t>;

/// The threads whose element (top + i, left + j) lies in the matrix.
inline Mask inside(const Window& window, Address i, const Progression& j) {
  const Address row = window.top + i - window.above;  // above the matrix: wraps to a huge row
  const Progression column = window.left + j - window.before;
  return column < (row < window.rows ? window.columns : 0);
}

/// The words of elements (top + i, left + j) of a window.
inline Progression words_of(const Window& window, Address i, const Progression& j) {
  return window.word(i, j);
}

/// tile ← rows × columns elements of the window; zeros beyond the edge.
template <class T>
Program copy_window(Warp& warp, Array<T>& a, const Window window, Array<T>& tile, Address rows,
                    Address columns) {
  for (auto [i, j] : sweep(warp, rows, columns)) {
    Lanes<T> values = warp.all(T{});
    {
      const auto within = warp.only(inside(window, i, j));
      values = co_await a.read(words_of(window, i, j));
    }
    co_await tile.write(row_major(i, j, columns), values);
  }
}

/// rows × columns elements of the window ← tile; elements beyond the edge are not written.
template <class T>
Program copy_back(Warp& warp, Array<T>& tile, Array<T>& c, const Window window, Address rows,
                  Address columns) {
  for (auto [i, j] : sweep(warp, rows, columns)) {
    const Lanes<T> values = co_await tile.read(row_major(i, j, columns));
    const auto within = warp.only(inside(window, i, j));
    co_await c.write(words_of(window, i, j), values);
  }
}

/// A launch of blocks of p threads that all go through the same rounds, `slots` blocks at a time on
/// each DMM.
template <class N>
class Waves {
 public:
  Waves(N blocks, const MachineParametersOf<N>& machine, const N& slots = N(1))
      : blocks_(std::move(blocks)), machine_(machine), at_a_time_(machine.d * slots) {}

  /// Adds up rounds(wave) over all waves.
  template <class RoundsOf>
  Cost<N> cost(RoundsOf rounds) const {
    Cost<N> cost = sum_over(ceil_div(blocks_, at_a_time_), [&](const N& wave) {
      const N first = wave * at_a_time_;
      return rounds(Wave{first, smaller(at_a_time_, blocks_ - first), machine_});
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
    /// Each block copies `words` consecutive words, p at a time; its window has one row.
    template <class Of>
    Cost<N> copy_row(const N& words, Of window_of) const {
      Cost<N> cost;
      cost.global = over_turns(words, machine.p, [&](const N& start, const N& count) {
        return together([&](const N& block) {
          return window_of(block).round(MemoryKind::groups, {N(0), N(1), start, count}, machine.w);
        });
      });
      cost.shared = each(over_turns(words, machine.p, [&](const N& start, const N& count) {
        return round_of(MemoryKind::banks, Run<N>{start, count}, machine.w);
      }));
      return cost;
    }
    /// Rounds on the shared memories in which each block sweeps rows × columns words of a tile.
    Rounds<N> shared(const N& rows, const N& columns) const {
      return each(over_sweep(
          SweepShape<N>{rows, columns, machine.p, machine.w}, [&](const SweepTurn<N>& turn) {
            return WindowOf<N>{rows, columns}.round(MemoryKind::banks, turn, machine.w);
          }));
    }
    /// Rounds on the shared memories that each block makes; DMM 0 has the most blocks.
    Rounds<N> each(const Rounds<N>& rounds) const {
      return {ceil_div(blocks, machine.d) * rounds.stages, rounds.rounds, blocks * rounds.requests};
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
