// Sweeps over one row that has at least as many elements as there are threads (sweep.hpp): the
// number of turns, and the elements of each turn.
#pragma once

#include <vector>

#include "../../../algorithms/sweep.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// The sweep over a single row of n ≥ p numbers. Turn k handles the numbers from kp on.
struct OneRow {
  SweepShape<IntTerm> shape;

  const IntTerm& n() const { return shape.columns; }
  IntTerm turns() const { return ceil_div(n(), shape.p); }
  Truth has_shape() const {
    return shape.row_threads() == shape.p && shape.rows_at_once() == 1 &&
           ceil_div(1, shape.rows_at_once()) == 1 && shape.pieces() == turns() &&
           shape.turns() == turns() && turns() >= 1 && shape.p * turns() >= n() &&
           shape.p * turns() < n() + shape.p;
  }
  /// Numbers handled in the turns before turn k.
  IntTerm before(const IntTerm& k) const {
    return k.constant() == 0 ? k : smaller(k * shape.p, n());
  }
  void know_shape(Query& q) const {
    const IntTerm sets = ceil_div(1, shape.rows_at_once());
    q.compare_multiples(shape.row_threads(), shape.rows_at_once(), 1);
    q.claim("threads of a row", shape.row_threads() == shape.p);
    q.claim("one row", shape.rows_at_once() == 1);
    q.multiply_equals(sets, shape.rows_at_once(), 1);
    q.multiply_equals(shape.pieces(), shape.row_threads(), shape.p);
    q.compare_multiples(shape.p, shape.pieces(), turns());
    q.claim("turns", shape.pieces() == turns() && sets == 1 && turns() >= 1);
    q.multiply_equals(shape.pieces(), sets, 1);
    q.claim("a turn for each piece", has_shape());
  }
  void know_turn(const IntTerm& k) const {
    Query& q = k.query();
    const SweepTurn<IntTerm> turn = shape.turn(k);
    q.compare_multiples(shape.pieces(), k / shape.pieces(), 0);
    q.multiply_equals(shape.rows_at_once(), k / shape.pieces(), 0);
    q.claim("a piece", k / shape.pieces() == 0 && k % shape.pieces() == k);
    q.multiply_equals(shape.row_threads(), k % shape.pieces(), k);
    q.multiply_equals(k, shape.row_threads(), shape.p);
    q.compare_multiples(shape.p, k, turns());
    q.scale(shape.p, 0, k);
    q.claim("a turn", turn.row == 0 && turn.rows == 1 && turn.column == k * shape.p &&
                          turn.column >= 0 && turn.columns == smaller(shape.p, n() - k * shape.p) &&
                          turn.columns >= 1);
  }
  /// Proves that a turn in convolve_cost() has all m terms of the single piece. `terms` is the
  /// number of terms of a piece. Also multiplies both sides of this equation by each factor in
  /// `times`.
  void know_terms(const SweepTurn<IntTerm>& turn, const IntTerm& terms, const IntTerm& m,
                  const std::vector<IntTerm>& times) const {
    Query& q = turn.row.query();
    const IntTerm first = turn.row * terms;
    q.multiply_equals(terms, turn.row, 0);
    q.multiply_equals(terms, turn.rows, 1);
    const IntTerm all = minus_or_zero(smaller(turn.row * terms + turn.rows * terms, m), first);
    q.claim("all terms", first == 0 && all == m);
    for (const IntTerm& factor : times) q.multiply_equals(factor, all, m);
  }
};

}  // namespace bankproof::proofs
