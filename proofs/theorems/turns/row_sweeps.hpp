// Facts about sweeps over rows of n partial sums by p ≥ w threads, with n ≥ w, for proofs of upper
// bounds on times (algorithms/sweep.hpp, convolution.hpp).
//
// A row has fewer than 2n threads. Either a row is one piece, or a turn has one row. A run of c ≤
// min(p, n) threads has at most (p + w − 1)/w stages on banks, and no more than a run over the
// whole row. On groups the bounds are twice as large. But partial sums begin with a group in each
// row, so a row in one piece has no more stages on groups than on banks.
#pragma once

#include <cstdint>
#include <vector>

#include "../../../algorithms/window.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// Sweeps over rows of the same length.
class RowSweeps {
 public:
  RowSweeps(Query& q, MemoryKind kind, const IntTerm& n, const IntTerm& p, const IntTerm& w)
      : kind_(kind),
        n_(n),
        p_(p),
        w_(w),
        padded_(rounded_up(n, w)),
        threads_(sweep(1).row_threads()),
        at_once_(sweep(1).rows_at_once()),
        pieces_(sweep(1).pieces()),
        reach_(q.define("reach", smaller(p + w - 1, padded_))),
        of_row_(q.define("of_row", kind == MemoryKind::banks
                                       ? reach_
                                       : select(has_whole_rows(), reach_, 2 * reach_))) {
    q.compare_multiples(threads_, at_once_, 1);
    q.compare_multiples(threads_, pieces_, 1);
    q.claim("threads of a row", w <= threads_ && threads_ <= p && threads_ <= padded_ &&
                                    n <= padded_ && padded_ < 2 * n);
    q.claim("some rows, some pieces", at_once_ >= 1 && pieces_ >= 1);
    q.claim("some stages", reach_ >= 1 && of_row_ >= 1);
    allow_factors(q, {at_once_, threads_, pieces_, reach_, of_row_, padded_});
    know_whole_rows(q);
    know_pieces(q);
    q.multiply_by({});
    q.claim("a row has few words", p * pieces_ * reach_ <= 2 * n * (p + w));
    q.claim("a row has few stages", p * pieces_ * of_row_ <= 4 * n * (p + w));
  }

  const IntTerm& p() const { return p_; }
  const IntTerm& w() const { return w_; }
  /// Words from the start of a row of partial sums to the start of the next row.
  const IntTerm& padded() const { return padded_; }
  /// Threads of a row.
  const IntTerm& threads() const { return threads_; }
  const IntTerm& pieces() const { return pieces_; }
  /// Rows of a turn.
  const IntTerm& at_once() const { return at_once_; }
  /// Upper bounds on w times the stages: reach() for a piece on banks, of_row() for a piece of a
  /// row of partial sums.
  const IntTerm& reach() const { return reach_; }
  const IntTerm& of_row() const { return of_row_; }
  Truth has_whole_rows() const { return padded_ <= p_; }

  SweepShape<IntTerm> sweep(const IntTerm& rows) const { return {rows, n_, p_, w_}; }

  /// Upper bound on the pieces of a run for each of its warps: 1 on banks, 2 on groups.
  std::uint64_t pieces_of_run() const { return kind_ == MemoryKind::banks ? 1 : 2; }

  /// Upper bound on the pieces of rows in the turns before turn k.
  IntTerm before(const IntTerm& rows, const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * at_once_, rows * pieces_);
  }

  /// Proves an upper bound on the turns that `rows` rows take.
  void know_turns(const IntTerm& rows) const {
    Query& q = rows.query();
    const IntTerm sets = ceil_div(rows, at_once_);
    q.multiply_equals(at_once_, sets, 0);
    q.multiply_by({});
    q.claim("some sets of rows", sets >= 1);
    q.suppose(has_whole_rows(), [&] {
      q.multiply_equals(p_ * sets, pieces_, 1);
      q.scale(sets - 1, p_, 2 * padded_ * at_once_);
      q.scale(padded_, at_once_ * (sets - 1), rows);
      return p_ * sets * pieces_ <= 2 * padded_ * rows + p_;
    });
    q.suppose(!has_whole_rows(), [&] {
      q.multiply_equals(sets, at_once_, 1);
      q.multiply_equals(p_ * pieces_, sets, rows);
      q.scale(rows, p_ * pieces_, 2 * padded_);
      return p_ * sets * pieces_ <= 2 * padded_ * rows + p_;
    });
  }

  /// Proves facts about turn k of the sweep over `rows` rows. Each entry of
  /// `most` is w times an upper bound on the stages that a turn takes for one piece of a row.
  void know_turn(const IntTerm& rows, const IntTerm& k, const std::vector<IntTerm>& most) const {
    Query& q = rows.query();
    const SweepTurn<IntTerm> turn = sweep(rows).turn(k);
    const IntTerm set = k / pieces_;
    const IntTerm sets = ceil_div(rows, at_once_);
    q.compare_multiples(pieces_, set, sets);
    q.compare_multiples(at_once_, set, sets);
    q.scale(at_once_, 0, set);
    q.claim("rows of a turn", turn.row >= 0 && turn.rows >= 1);
    q.multiply_equals(set, pieces_, 1);
    q.multiply_equals(at_once_, set, k);
    q.multiply_equals(k, at_once_, 1);
    q.multiply_equals(sets, at_once_, 1);
    q.multiply_equals(pieces_, sets, rows);
    q.multiply_equals(rows, pieces_, 1);
    const IntTerm after = before(rows, k + 1);
    q.claim("rows so far", before(rows, k) + turn.rows <= after);
    for (const IntTerm& factor : most) {
      q.scale(factor, before(rows, k) + turn.rows, after);
      q.scale(factor, after, rows * pieces_);
    }
    q.scale(threads_, 0, k % pieces_);
    q.multiply_equals(threads_, k % pieces_, 0);
    q.compare_multiples(threads_, k % pieces_, pieces_);
    q.claim("columns of a turn", turn.column >= 0 && turn.columns >= 1 && turn.columns <= n_ &&
                                     turn.columns <= p_ &&
                                     implies(has_whole_rows(), turn.column == 0));
  }

  /// Proves a bound on the warps of a row's threads in a turn.
  void know_warps(const IntTerm& columns) const {
    Query& q = columns.query();
    const IntTerm warps = ceil_div(columns, w_);
    q.compare_multiples(w_, ceil_div(n_, w_), warps);
    q.claim("warps of a row", w_ * warps <= reach_);
  }

  /// Proves a bound on the stages of a run of a row's threads in a turn.
  void know_run(const Run<IntTerm>& run) const {
    Query& q = run.count.query();
    const IntTerm first = run.address / w_;
    const IntTerm last = (run.address + minus_or_zero(run.count, 1)) / w_;
    q.compare_multiples(w_, ceil_div(n_, w_), last - first);
    q.multiply_by({w_});
    q.claim("stages of a run", w_ * stages_of(kind_, run, w_) <= IntTerm(pieces_of_run()) * reach_);
    q.multiply_by({});
  }

  /// Invariant of the sum over the rows of a round of partial sums.
  OverNumbers<IntTerm> rows_of(const SweepTurn<IntTerm>& turn) const {
    return OverNumbers<IntTerm>("rows of partial sums")
        .holds([=, *this](auto& k, auto& stages) { return w_ * stages <= of_row_ * k; })
        .step([=, *this](auto& k) { know_row(turn, k); });
  }

 private:
  void know_whole_rows(Query& q) const {
    q.suppose(has_whole_rows(), [&] {
      q.claim("a row at once", pieces_ == 1 && threads_ == padded_);
      q.multiply_equals(p_ * reach_, pieces_, 1);
      q.multiply_equals(p_ * of_row_, pieces_, 1);
      q.multiply_by({at_once_, threads_, p_, w_});
      return pieces_ == 1 && threads_ == padded_ && p_ <= 2 * padded_ * at_once_ &&
             reach_ <= padded_ && of_row_ <= padded_ &&
             p_ * pieces_ * reach_ <= 2 * n_ * (p_ + w_) &&
             p_ * pieces_ * of_row_ <= 4 * n_ * (p_ + w_);
    });
  }
  void know_pieces(Query& q) const {
    q.suppose(!has_whole_rows(), [&] {
      q.claim("a turn of one row", at_once_ == 1 && threads_ == p_);
      q.multiply_equals(pieces_, threads_, p_);
      q.claim("turns of a row", p_ * pieces_ <= 2 * n_);
      q.multiply_by({n_, reach_, p_ * pieces_});
      return at_once_ == 1 && threads_ == p_ && p_ * pieces_ <= 2 * n_ &&
             p_ * pieces_ * reach_ <= 2 * n_ * (p_ + w_) &&
             p_ * pieces_ * of_row_ <= 4 * n_ * (p_ + w_);
    });
  }
  void know_row(const SweepTurn<IntTerm>& turn, const IntTerm& k) const {
    Query& q = k.query();
    const IntTerm row = turn.row + k;
    const IntTerm address = row_major(row, turn.column, rounded_up(n_, w_));
    q.multiply_by({});
    if (kind_ == MemoryKind::groups) {
      q.compare_multiples(w_, address / w_, row * ceil_div(n_, w_));
    }
    q.multiply_by({w_});
    q.claim("stages of a row",
            w_ * stages_of(kind_, Run<IntTerm>{address, turn.columns}, w_) <= of_row_);
    q.multiply_by({});
  }

  MemoryKind kind_;
  IntTerm n_;
  IntTerm p_;
  IntTerm w_;
  IntTerm padded_;
  IntTerm threads_;  ///< of a row
  IntTerm at_once_;
  IntTerm pieces_;
  IntTerm reach_;
  IntTerm of_row_;
};

}  // namespace bankproof::proofs
