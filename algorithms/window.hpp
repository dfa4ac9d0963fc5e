// Parts of a matrix that blocks copy between global and shared memory: the tiles of OPT III and V,
// CONV 7.6 and THS 6, with what surrounds them. A window may reach over the edge of its matrix;
// what is beyond reads as zero, and is not written.
//
// Blocks take as many turns for each window, whatever of it lies inside; so in lockstep those of a
// wave, one on each DMM, go through their rounds together.
//
// Example: the 4 × 4 window of a 9 × 9 image with its corner at (−1, −1) has 9 pixels inside.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithm.hpp"
#include "sweep.hpp"

namespace bankproof {

/// A part of a matrix in memory, with its upper left corner at row `top` and column `left`, which
/// may lie outside.
struct Window {
  std::uint64_t rows;     ///< of the matrix
  std::uint64_t columns;  ///< likewise
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::uint64_t pitch = 0;  ///< words from a row to the next; 0 for `columns`
  std::uint64_t base = 0;   ///< word of element (0, 0)

  /// The round in which a turn's threads access their elements of the window, as far as the matrix
  /// has them.
  Rounds<std::uint64_t> round(MemoryKind kind, const SweepTurn& turn, std::uint64_t w) const {
    const auto clip = [](std::int64_t first, std::uint64_t count, std::uint64_t end) {
      const std::int64_t begin = std::max<std::int64_t>(first, 0);
      const std::int64_t last =
          std::min(first + static_cast<std::int64_t>(count), static_cast<std::int64_t>(end));
      struct Clipped {
        std::uint64_t begin;
        std::uint64_t count;
      };
      return Clipped{static_cast<std::uint64_t>(begin),
                     static_cast<std::uint64_t>(std::max<std::int64_t>(last - begin, 0))};
    };
    const std::int64_t first_row = top + static_cast<std::int64_t>(turn.row);
    const std::int64_t first_column = left + static_cast<std::int64_t>(turn.column);
    const auto [row, row_count] = clip(first_row, turn.rows, rows);
    const auto [column, column_count] = clip(first_column, turn.columns, columns);
    const auto thread =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(column) - first_column);
    const std::uint64_t step = pitch == 0 ? columns : pitch;
    const std::uint64_t stages = sum_over(
        row_count, [&, row = row, column = column, column_count = column_count](std::uint64_t k) {
          return stages_of(kind, Run{base + (row + k) * step + column, column_count, thread}, w);
        });
    const bool pram = kind == MemoryKind::uniform;
    return one_round(pram ? smaller<std::uint64_t>(stages, 1) : stages, row_count * column_count);
  }
};

/// The threads for which (top + i, left + j) lies in the matrix.
inline Mask inside(const Window& window, Address i, const Progression& j) {
  const Address row = static_cast<Address>(window.top) + i;  // above it: far below all rows
  const Progression column = static_cast<Address>(window.left) + j;
  return column < (row < window.rows ? window.columns : 0);
}

/// The words of (top + i, left + j).
inline Progression words_of(const Window& window, Address i, const Progression& j) {
  return (static_cast<Address>(window.top) + i) * window.columns +
         (static_cast<Address>(window.left) + j);
}

/// tile ← rows × columns elements of the window, zeros beyond the edge.
template <class T>
Program copy_window(Warp& warp, Array<T>& a, const Window window, Array<T>& tile, Address rows,
                    Address columns) {
  for (auto [i, j] : sweep(warp, rows, columns)) {
    Lanes<T> values = warp.all(T{});
    {
      const auto within = warp.only(inside(window, i, j));
      values = co_await a.read(words_of(window, i, j));
    }
    co_await tile.write(i * columns + j, values);
  }
}

/// The rows × columns elements of the window ← tile, as far as the matrix has them.
template <class T>
Program copy_back(Warp& warp, Array<T>& tile, Array<T>& c, const Window window, Address rows,
                  Address columns) {
  for (auto [i, j] : sweep(warp, rows, columns)) {
    const Lanes<T> values = co_await tile.read(i * columns + j);
    const auto within = warp.only(inside(window, i, j));
    co_await c.write(words_of(window, i, j), values);
  }
}

/// A launch of blocks of p threads, one block on each DMM at a time.
class Waves {
 public:
  Waves(std::uint64_t blocks, const Letters& machine) : blocks_(blocks), machine_(machine) {}

  /// What rounds(wave) says of each wave, added up.
  template <class RoundsOf>
  Cost<std::uint64_t> cost(RoundsOf rounds) const {
    Cost<std::uint64_t> cost = sum_over(ceil_div(blocks_, machine_.d), [&](std::uint64_t wave) {
      return rounds(Wave{wave * machine_.d, smaller(blocks_, (wave + 1) * machine_.d), machine_});
    });
    cost.launches = smaller<std::uint64_t>(cost.global.rounds, 1);
    return cost;
  }

  /// The blocks that run at a time.
  struct Wave {
    std::uint64_t first;
    std::uint64_t end;
    const Letters& machine;

    /// Rounds on the global memory in which all blocks sweep a window of their own each.
    template <class WindowOf>
    Rounds<std::uint64_t> global(std::uint64_t rows, std::uint64_t columns,
                                 WindowOf window_of) const {
      return over_sweep({rows, columns, machine.p, machine.w}, [&](const SweepTurn& turn) {
        Rounds<std::uint64_t> round;
        for (std::uint64_t block = first; block < end; ++block) {
          round += window_of(block).round(MemoryKind::groups, turn, machine.w);
        }
        return one_round(round.stages, round.requests);
      });
    }
    /// A copy of `words` consecutive words of each block, p at a time; the window has one row.
    template <class WindowOf>
    Cost<std::uint64_t> copy_row(std::uint64_t words, WindowOf window_of) const {
      Cost<std::uint64_t> cost;
      cost.global = over_turns(words, machine.p, [&](std::uint64_t start, std::uint64_t count) {
        Rounds<std::uint64_t> round;
        for (std::uint64_t block = first; block < end; ++block) {
          round += window_of(block).round(MemoryKind::groups, {0, 1, start, count}, machine.w);
        }
        return one_round(round.stages, round.requests);
      });
      cost.shared =
          each(over_turns(words, machine.p, [&](std::uint64_t start, std::uint64_t count) {
            return round_of(MemoryKind::banks, Run{start, count}, machine.w);
          }));
      return cost;
    }
    /// Rounds on the shared memories in which all blocks sweep rows × columns words of a tile.
    Rounds<std::uint64_t> shared(std::uint64_t rows, std::uint64_t columns) const {
      return each(over_sweep({rows, columns, machine.p, machine.w}, [&](const SweepTurn& turn) {
        return Window{rows, columns}.round(MemoryKind::banks, turn, machine.w);
      }));
    }
    /// Rounds on the shared memories that each block makes.
    Rounds<std::uint64_t> each(Rounds<std::uint64_t> rounds) const {
      rounds.requests *= end - first;
      return rounds;
    }
    /// A copy of a window of each block to its tile, or back.
    template <class WindowOf>
    Cost<std::uint64_t> copy(std::uint64_t rows, std::uint64_t columns, WindowOf window_of) const {
      return {.global = global(rows, columns, window_of), .shared = shared(rows, columns)};
    }
  };

 private:
  std::uint64_t blocks_;
  const Letters& machine_;
};

}  // namespace bankproof
