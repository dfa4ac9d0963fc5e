// Scheduled permutations on terms: matrices of whole tiles, and passes over their rows.
#pragma once

#include <tuple>
#include <utility>

#include "../../../algorithms/permutation/scheduled.hpp"
#include "../transpose/transposes.hpp"

namespace bankproof::proofs {

/// A matrix of R × C elements, in down × across tiles.
struct Matrix {
  IntTerm w, l, L, d, warps, down, across, capacity;

  explicit Matrix(Query& q)
      : w(q.number("w", 1, 2)),
        l(q.number("l", 1, 3)),
        L(q.number("L", 1, 5)),
        d(q.number("d", 1, 2)),
        warps(q.number("p/w", 1, 6)),
        down(q.number("R/w", 1, 2)),
        across(q.number("C/w", 1, 2)),
        capacity(q.number("capacity", 1, 24)) {}
  MachineParametersOf<IntTerm> letters() const {
    return {.w = w, .l = l, .L = L, .d = d, .p = w * warps, .capacity = capacity};
  }
  WholeTiles tiles() const { return {w, down, across}; }
  PermutingRowsOf<IntTerm> permuting() const { return {w * down, w * across, w}; }
  Matrix transposed() const {
    Matrix other = *this;
    std::swap(other.down, other.across);
    return other;
  }
};

/// The number of blocks of this size for which a DMM has enough threads.
inline IntTerm by_threads(const Matrix& m, const IntTerm& block) {
  return rounded_up(m.letters().p, m.w) / rounded_up(block, m.w);
}
/// A pass over the rows: the rows of a DMM, the waves, and the turns of a block.
struct Pass {
  PermutingRowsOf<IntTerm> rows;
  IntTerm block;
  IntTerm of_a_dmm;
  IntTerm slots;
  IntTerm waves;
  IntTerm pieces;

  explicit Pass(const Matrix& m)
      : rows(m.permuting()),
        block(rows.threads(m.letters().p)),
        of_a_dmm(ceil_div(rows.rows, m.d)),
        slots(m.letters().slots(block, rows.shared_words())),
        waves(ceil_div(of_a_dmm, slots)),
        pieces(ceil_div(rows.columns, block)) {}
  /// Upper bounds on these numbers.
  Truth claim(const Matrix& m) const {
    return rows.rows * rows.columns / m.w == m.w * m.down * m.across &&
           m.d * of_a_dmm <= 2 * m.w * m.down &&
           of_a_dmm * (rows.columns / m.w) == of_a_dmm * m.across &&
           m.d * m.warps * waves * pieces <= 2 * (m.w * m.down * m.across + m.d * m.warps) &&
           waves * pieces >= 0;
  }
  /// Proves that rows are whole warps, and proves how many words of the rows a bank has.
  void prove_warps(Query& q, const Matrix& m) const {
    const auto& [w, g, across] = std::tie(m.w, m.warps, m.across);
    const IntTerm p = m.letters().p;
    q.compare_multiples(w, rows.rows * rows.columns / w, w * m.down * across);
    q.claim("words of a bank", rows.rows * rows.columns / w == w * m.down * across);
    q.compare_multiples(w, rows.columns / w, across);
    q.compare_multiples(w, ceil_div(rows.columns, w), across);
    q.compare_multiples(w, p / w, g);
    q.compare_multiples(w, ceil_div(p, w), g);
    q.multiply_by({w});
    q.claim("warps", rows.columns / w == across && ceil_div(rows.columns, w) == across &&
                         p / w == g && ceil_div(p, w) == g);
  }
};

}  // namespace bankproof::proofs
