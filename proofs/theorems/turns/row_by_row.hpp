// Sweeps whose turns have one row each, because a row takes more than half of the threads
// (sweep.hpp). Proofs of lower bounds need the number of these turns, and the elements of each
// turn.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "../../../algorithms/sweep.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// A sweep with `threads` threads for a row. The query must know that columns ≤ threads ≤ p <
/// 2·threads, and that `threads` is the number of columns rounded up to whole warps.
class RowByRow {
 public:
  RowByRow(SweepShape<IntTerm> shape, IntTerm threads)
      : shape_(std::move(shape)), threads_(std::move(threads)) {}

  const IntTerm& rows() const { return shape_.rows; }

  /// Proves that there is a turn for each row.
  void know_shape(Query& q) const {
    const IntTerm of_row = shape_.row_threads();
    const IntTerm at_once = shape_.rows_at_once();
    const IntTerm pieces = shape_.pieces();
    const IntTerm sets = ceil_div(rows(), at_once);
    q.claim("threads of a row", of_row == threads_);
    q.compare_multiples(of_row, at_once, 1);
    q.compare_multiples(of_row, pieces, 1);
    q.claim("one row, one piece", at_once == 1 && pieces == 1);
    q.multiply_equals(sets, at_once, 1);
    q.multiply_equals(sets, pieces, 1);
    q.claim("a turn for each row", has_shape());
  }
  Truth has_shape() const {
    return shape_.row_threads() == threads_ && shape_.rows_at_once() == 1 && shape_.pieces() == 1 &&
           ceil_div(rows(), shape_.rows_at_once()) == rows() && shape_.turns() == rows();
  }
  SweepTurn<IntTerm> turn(const IntTerm& k) const { return shape_.turn(k); }
  /// Proves that turn k handles exactly row k, with all of its columns.
  void know_turn(const IntTerm& k) const {
    Query& q = k.query();
    const IntTerm pieces = shape_.pieces();
    const SweepTurn<IntTerm> turn = this->turn(k);
    q.multiply_equals(k / pieces, pieces, 1);
    q.multiply_equals(k / pieces, shape_.rows_at_once(), 1);
    q.multiply_equals(shape_.row_threads(), k % pieces, 0);
    q.claim("a row of a turn",
            turn.row == k && turn.rows == 1 && turn.column == 0 && turn.columns == shape_.columns);
  }

 private:
  SweepShape<IntTerm> shape_;
  IntTerm threads_;
};

/// Invariant: every turn has at least `each` rounds of at least one stage. `step` proves facts
/// about a turn, and gives the invariants of the sums in it.
inline OverNumbers<OfRounds> of_rounds(
    const RowByRow& sweep, std::uint64_t each,
    const std::function<void(const SweepTurn<IntTerm>&)>& step = nullptr) {
  return OverNumbers<OfRounds>("turns of a row each")
      .holds([=](auto& k, auto& sum) { return sum.rounds >= each * k && sum.stages >= sum.rounds; })
      .step([=](auto& k) {
        sweep.know_turn(k);
        if (step) step(sweep.turn(k));
      });
}
/// Invariant of a round's sum over rows: at least one stage for each row.
inline OverNumbers<IntTerm> of_stages() {
  return OverNumbers<IntTerm>("rows of a turn").holds([](auto& k, auto& stages) {
    return stages >= k;
  });
}

}  // namespace bankproof::proofs
