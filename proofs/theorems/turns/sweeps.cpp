// Proves the facts about the turns of sweeps.
#include "sweeps.hpp"

namespace bankproof::proofs {

void SweepSums::prove_shape() const {
  const IntTerm& w = shape_.w;
  const IntTerm row = shape_.row_threads();
  query_.compare_multiples(w, ceil_div(w, w), 1);
  query_.claim("a row is one warp", row == w);
  query_.multiply_equals(shape_.pieces(), row, w);
  query_.compare_multiples(w, shape_.pieces(), 1);
  query_.claim("a row in one turn", shape_.pieces() == 1);
  query_.multiply_equals(rows(), row, w);
  query_.compare_multiples(w, rows(), 0);
  query_.claim("rows in a turn",
               w * rows() <= shape_.p && shape_.p < w * rows() + w && 1 <= rows());
  query_.multiply_equals(turns(), shape_.pieces(), 1);
  query_.multiply_equals(rows(), shape_.turns(), turns());
}

Truth SweepSums::numbers() const {
  const IntTerm& w = shape_.w;
  return shape_.row_threads() == w && shape_.pieces() == 1 && shape_.turns() == turns() &&
         1 <= rows() && turns() >= 0 && w <= rows() * turns() &&
         rows() * shape_.turns() == rows() * turns() && rows() * turns() < w + rows();
}

void SweepSums::prove_turn(const IntTerm& t) const {
  const SweepTurn<IntTerm> turn = shape_.turn(t);
  query_.conclude("a turn", [&] {
    const IntTerm pieces = shape_.pieces();
    query_.multiply_by({});
    query_.multiply_equals(t / pieces, pieces, 1);
    query_.multiply_equals(rows(), t / pieces, t);
    query_.multiply_equals(shape_.row_threads(), t % pieces, 0);
    query_.claim("its place", turn.row == t * rows() && turn.column == 0);
    query_.multiply_by({rows()});
    return turn.column == 0 && turn.row == rows_before(t) && turn.row >= 0 && turn.row < shape_.w &&
           turn.columns == shape_.w && turn.rows <= rows() && turn.rows >= 1 &&
           turn.row + turn.rows <= shape_.w && rows_before(t) + turn.rows == rows_before(t + 1);
  });
}

}  // namespace bankproof::proofs
