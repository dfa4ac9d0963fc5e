// Sweeps of w × w tiles by the threads of a block (algorithms/sweep.hpp), on terms: the turns, and
// the stages of a tile's rows.
#pragma once

#include <cstdint>

#include "../../../algorithms/sweep.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// Invariant of a sum over rows, each with at most `pieces` stages, or with exactly one if
/// `exactly`.
inline OverNumbers<IntTerm> of_rows(const IntTerm& w, std::uint64_t pieces, bool exactly = false) {
  return OverNumbers<IntTerm>("rows of a turn")
      .holds([=](auto& k, auto& stages) { return exactly ? stages == k : stages <= pieces * k; })
      .after([=](auto& k, auto& stages) {
        k.query().apply(multiples_are_apart(), {w, pieces, stages});
      });
}

/// A sweep of a w × w tile by at least w threads.
class SweepSums {
 public:
  SweepSums(Query& q, const IntTerm& w, const IntTerm& threads)
      : query_(q), shape_{w, w, threads, w} {}

  const SweepShape<IntTerm>& shape() const { return shape_; }
  /// Rows of a tile in one turn, and turns for a tile.
  IntTerm rows() const { return shape_.rows_at_once(); }
  IntTerm turns() const { return ceil_div(shape_.w, rows()); }
  /// Rows of a tile in the turns before t.
  IntTerm rows_before(const IntTerm& t) const { return smaller(t * rows(), shape_.w); }

  /// Proves that a row of a tile is in one warp, and that a turn has ⌊threads/w⌋ rows.
  void prove_shape() const;
  /// The facts about the shape that proofs of sums need. The steps of a Query::conclude() return
  /// these facts, so that the query drops the others.
  Truth numbers() const;
  /// Proves facts about turn t of a tile.
  void prove_turn(const IntTerm& t) const;

 private:
  Query& query_;
  SweepShape<IntTerm> shape_;
};

}  // namespace bankproof::proofs
