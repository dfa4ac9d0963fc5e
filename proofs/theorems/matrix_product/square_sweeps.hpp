// Sweeps over m × m elements by p ≤ m² threads (algorithms/sweep.hpp), for the proof of the upper
// bound on matrix products in tiles.
//
// If turns have one row, p times the number of turns is at most 4m². If turns have r > 1 rows,
// there are at most three turns, or r ≤ (m − 1)/3. Since p < (r + 1)(2m − 1), p times the number of
// turns is then at most 3.2m(m + 1).
#pragma once

#include "../turns/matrix_sweeps.hpp"

namespace bankproof::proofs {

/// Further laws of sweeps over m × m elements, proved for any such sweep. Construct them early,
/// while few facts are known.
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
  void apply(Query& q, const Sweeping& sweep) const { q.assume_shown(laws(sweep)); }

 private:
  static Truth are_few(const Sweeping& sweep) {
    const auto& [m, columns, p, w] = sweep.shape();
    return 5 * p * sweep.count() <= 16 * m * (m + 1);
  }
  static Truth laws(const Sweeping& sweep) {
    const auto& [m, columns, p, w] = sweep.shape();
    const IntTerm pieces = sweep.shape().pieces();
    return implies(sweep.has_turns_of_one_row(),
                   sweep.count() == m * pieces && p * pieces <= 4 * m &&
                       sweep.area_of_row() <= 3 * m && sweep.area() <= m * sweep.area_of_row()) &&
           implies(!sweep.has_turns_of_one_row(), are_few(sweep) && sweep.area() <= 2 * m * m);
  }

  static void prove(Query& q, const Sweeping& sweep) {
    const auto& [m, columns, p, w] = sweep.shape();
    const IntTerm threads = sweep.shape().row_threads();
    const IntTerm r = sweep.shape().rows_at_once();
    const IntTerm pieces = sweep.shape().pieces();
    const IntTerm t = ceil_div(m, r);
    sweep.know_shape(q);
    q.suppose(sweep.has_turns_of_one_row(), [&, m = m, p = p] {
      q.multiply_equals(t, r, 1);
      q.multiply_equals(pieces, t, m);
      q.multiply_equals(p, pieces, 1);
      q.multiply_equals(pieces, threads, p);
      q.multiply_equals(threads, r, 1);
      q.claim("turns", sweep.count() == m * pieces && p * pieces <= 4 * m);
      q.multiply_by({pieces - 1});
      q.claim("area of a row", sweep.area_of_row() <= 3 * m);
      return sweep.count() == m * pieces && p * pieces <= 4 * m && sweep.area_of_row() <= 3 * m;
    });
    q.suppose(r >= 2, [&, m = m, p = p, w = w] {
      q.multiply_equals(t, pieces, 1);
      q.multiply_by({});
      q.claim("whole rows", pieces == 1 && sweep.count() == t);
      q.multiply_equals(p, sweep.count(), t);
      q.multiply_equals(m * (w - 1), pieces, 1);
      q.multiply_by({m});
      q.claim("area", sweep.area() <= 2 * m * m);
      q.suppose(t <= 3, [&, m = m, p = p] {
        q.multiply_by({p, m});
        return are_few(sweep);
      });
      q.suppose(t >= 4, [&, m = m, p = p] {
        q.apply(multiples_are_apart(), {r, 3, t - 1});
        q.multiply_by({r});
        q.claim("few rows", 3 * r < m);
        q.multiply_by({r + 1});
        q.claim("threads", p <= (r + 1) * (2 * m - 1));
        q.multiply_by({p, m + r - 1});
        q.claim("turns, times rows", p * r * t <= (r + 1) * (2 * m - 1) * (m + r - 1));
        const IntTerm more = m - 3 * r - 1;
        q.multiply_by({m - 1, more, r - 2});
        q.multiply_by({r, r * r, more * (m - 1), more * (m - 1) * (r - 2), more});
        const IntTerm most = 16 * m * (m + 1);
        q.claim("turns, five times rows", 5 * p * r * t <= r * most);
        q.apply(multiples_are_apart(), {r, most, 5 * p * t});
        return are_few(sweep);
      });
      return are_few(sweep) && sweep.area() <= 2 * m * m;
    });
    q.claim("laws", laws(sweep));
  }
};

}  // namespace bankproof::proofs
