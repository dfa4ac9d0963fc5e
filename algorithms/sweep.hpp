// The parallel for over the elements (i, j) of a matrix, row by row. In each turn, a warp has
// elements of one row only:
//
//   for all (i, j), 0 ≤ i < R, 0 ≤ j < C, do in parallel …
//   for (auto [i, j] : sweep(warp, R, C)) …
//
// If the block has enough threads for a row, ⌈C/w⌉·w, a turn takes as many whole rows as there are
// threads for. Otherwise a turn takes a piece of a row. i is a number, j a Progression; the mask
// leaves out elements past the end of a row or past the last row.
//
// Example: w = 4, 10 threads, C = 3: threads 0–3 have row 0 and threads 4–7 row 1, then rows 2 and
// 3, …. Threads 8 and 9 are too few for another row and have no elements. With C = 25, all ten
// threads take columns 0–9 of row 0, then 10–19, then 20–24.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "../model/warp.hpp"
#include "layout.hpp"
#include "rounds.hpp"

namespace bankproof {

/// The sum of of(turn) over all turns.
template <class N, class Of>
auto over_sweep(const SweepShape<N>& shape, Of of) {
  return sum_over(shape.turns(), [&](const N& t) { return of(shape.turn(t)); });
}

/// The round in which a turn's threads access their elements of a matrix that begins at word 0.
template <class N>
Rounds<N> round_of(MemoryKind kind, const SweepTurn<N>& turn, const N& columns, const N& w) {
  const N stages = sum_over_residues(turn.rows, columns, w, [&](const N& k) {
    const N first = row_major(turn.row + k, turn.column, columns);
    return stages_of(kind, Run<N>{first, turn.columns}, w);
  });
  return one_round(stages, turn.rows * turn.columns);
}

/// The elements of a warp's threads: all in row i, in columns j.
struct SweepElement {
  Address i;
  Progression j;
};

class [[nodiscard]] Sweep {
 public:
  Sweep(Warp& warp, Address rows, Address columns)
      : width_(warp.width()),
        thread_(warp.index() * warp.width()),
        shape_{rows, columns, warp.threads(), warp.width()},
        turns_(columns == 0 ? 0 : shape_.turns()),
        scope_(warp.only(mask(0))) {}

  class Iterator {
   public:
    explicit Iterator(Sweep& sweep) : sweep_(&sweep) {}
    SweepElement operator*() const {
      return {sweep_->row(turn_), Progression(sweep_->width_, sweep_->column(turn_), 1)};
    }
    Iterator& operator++() {
      sweep_->scope_.change_to(sweep_->mask(++turn_));
      return *this;
    }
    bool operator!=(std::default_sentinel_t) const { return turn_ < sweep_->turns_; }

   private:
    Sweep* sweep_;
    Address turn_ = 0;
  };
  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

 private:
  Address row(Address turn) const { return shape_.row_of(turn, thread_); }
  Address column(Address turn) const { return shape_.column_of(turn, thread_); }
  Mask mask(Address turn) const {
    if (turn >= turns_ || thread_ >= shape_.rows_at_once() * shape_.row_threads()) return {};
    if (row(turn) >= shape_.rows || column(turn) >= shape_.columns) return {};
    return first_lanes(shape_.columns - column(turn));
  }

  Width width_;
  Address thread_;  ///< the warp's first thread
  SweepShape<Address> shape_;
  Address turns_;
  MaskScope scope_;
};

/// All elements (i, j) of a rows × columns matrix, for the threads of the block.
inline Sweep sweep(Warp& warp, Address rows, Address columns) { return {warp, rows, columns}; }

}  // namespace bankproof
