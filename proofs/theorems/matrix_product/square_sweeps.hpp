// Sweeps over m × m elements by p ≤ m² threads (algorithms/sweep.hpp), for the proof of the upper
// bound on matrix products in tiles.
//
// If turns have one row, p times the number of turns is at most 4m². If turns have r > 1 rows,
// there are at most three turns, or r ≤ (m − 1)/3. Since p < (r + 1)(2m − 1), p times the number of
// turns is then at most 3.2m(m + 1).
#pragma once

#include "../turns/matrix_sweeps.hpp"

namespace bankproof::proofs {

/// More laws of these sweeps, proved for any sweep. Construct them early, while few facts are
/// known.
class SquareLaws {
 public:
  SquareLaws(Query& q, const Sweeping::Laws& laws) {
    const Query::Scope scope(q);
    const IntTerm m = q.fresh("m", 1);
    const Sweeping any = [&] {
      const IntTerm p = q.fresh("p", 1);
      const IntTerm w = q.fresh("w", 1);
      q.assume(w <= m && w <= p && p <= m * m);
      return Sweeping(q, laws, {m, m, p, w});
    }();
    prove(q, any);
  }
  /// Assumes the laws for this sweep.
  void apply(Query& q, const Sweeping& sweep) const { q.assume(laws(sweep)); }

 private:
  static Truth are_few(const Sweeping& sweep) {
    const auto& [m, columns, p, w] = sweep.shape();
    return IntTerm(5) * p * sweep.count() <= IntTerm(16) * m * (m + IntTerm(1));
  }
  static Truth laws(const Sweeping& sweep) {
    const auto& [m, columns, p, w] = sweep.shape();
    const IntTerm pieces = sweep.shape().pieces();
    return implies(sweep.has_turns_of_one_row(), sweep.count() == m * pieces &&
                                                     p * pieces <= IntTerm(4) * m &&
                                                     sweep.area_of_row() <= IntTerm(3) * m &&
                                                     sweep.area() <= m * sweep.area_of_row()) &&
           implies(!sweep.has_turns_of_one_row(),
                   are_few(sweep) && sweep.area() <= IntTerm(2) * m * m);
  }

  static void prove(Query& q, const Sweeping& sweep) {
    const IntTerm one(1);
    const IntTerm two(2);
    const auto& [m, columns, p, w] = sweep.shape();
    const IntTerm threads = sweep.shape().row_threads();
    const IntTerm r = sweep.shape().rows_at_once();
    const IntTerm pieces = sweep.shape().pieces();
    const IntTerm t = ceil_div(m, r);
    sweep.know_shape(q);
    q.suppose(sweep.has_turns_of_one_row(), [&, m = m, p = p] {
      q.multiply_equals(t, r, one);
      q.multiply_equals(pieces, t, m);
      q.multiply_equals(p, pieces, one);
      q.multiply_equals(pieces, threads, p);
      q.multiply_equals(threads, r, one);
      q.claim("turns", sweep.count() == m * pieces && p * pieces <= IntTerm(4) * m);
      q.multiply_by({pieces - one});
      q.claim("area of a row", sweep.area_of_row() <= IntTerm(3) * m);
      return sweep.count() == m * pieces && p * pieces <= IntTerm(4) * m &&
             sweep.area_of_row() <= IntTerm(3) * m;
    });
    q.suppose(r >= two, [&, m = m, p = p, w = w] {
      q.multiply_equals(t, pieces, one);
      q.multiply_by({});
      q.claim("whole rows", pieces == one && sweep.count() == t);
      q.multiply_equals(p, sweep.count(), t);
      q.multiply_equals(m * (w - one), pieces, one);
      q.multiply_by({m});
      q.claim("area", sweep.area() <= two * m * m);
      q.suppose(t <= IntTerm(3), [&, m = m, p = p] {
        q.multiply_by({p, m});
        return are_few(sweep);
      });
      q.suppose(t >= IntTerm(4), [&, m = m, p = p] {
        q.apply(multiples_are_apart(), {r, IntTerm(3), t - one});
        q.multiply_by({r});
        q.claim("few rows", IntTerm(3) * r < m);
        q.multiply_by({r + one});
        q.claim("threads", p <= (r + one) * (two * m - one));
        q.multiply_by({p, m + r - one});
        q.claim("turns, times rows", p * r * t <= (r + one) * (two * m - one) * (m + r - one));
        const IntTerm more = m - IntTerm(3) * r - one;
        q.multiply_by({m - one, more, r - two});
        q.multiply_by({r, r * r, more * (m - one), more * (m - one) * (r - two), more});
        const IntTerm most = IntTerm(16) * m * (m + one);
        q.claim("turns, five times rows", IntTerm(5) * p * r * t <= r * most);
        q.apply(multiples_are_apart(), {r, most, IntTerm(5) * p * t});
        return are_few(sweep);
      });
      return are_few(sweep) && sweep.area() <= two * m * m;
    });
    q.claim("laws", laws(sweep));
  }
};

}  // namespace bankproof::proofs
