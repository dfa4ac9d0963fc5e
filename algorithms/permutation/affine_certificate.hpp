// The certificate of a plan in closed form. affine.hpp checks a few equations for each bit of an
// index before it returns a plan. If they hold, no warp of the plan has a conflict, however the
// plan was found.
//
// Here P, S and D are linear, without their offsets; w = 2^m and n = 2^b. For each bit k < b:
//
//   S(2^k) has the last m bits of 2^k, and is 2^k if k ≥ m       lane t reads from bank t
//   D(2^k) = P(S(2^k))                                           the plan is P's
//   R(D(2^k) mod w) = 2^k if k < m, for some linear R            lanes go to different banks
//
// R is the certificate: if a lane writes to a bank, R(bank) = lane. The theorems R6.affine.moves
// and R6.affine.banks are about the same templates.
//
// Example: transpose of 32 × 32: S(1) = 33, D(1) = P(33) = 33, and R(1) = 1.
#pragma once

#include "../number.hpp"

namespace bankproof {

/// `sum`, xored with `column` if bit k of i is 1.
template <class N>
constexpr N with_column(const N& sum, const N& column, const N& i, const N& k) {
  return sum ^ select((i >> k & N(1)) == N(0), N(0), column);
}
/// The value at i of the linear map that takes 2^k to columns[k]: the xor of columns[k] over the
/// bits k of i that are 1.
template <class N, class Columns>
constexpr N xor_of_columns(const Columns& columns, unsigned bits, const N& i) {
  N sum(0);
  for (unsigned k = 0; k < bits; ++k) sum = with_column(sum, columns[k], i, N(k));
  return sum;
}

/// Checks a plan; the maps are linear and are called with an index.
template <class N, class Map>
struct AffineCertificate {
  Map p;
  Map s;
  Map d;
  Map r;
  N banks;  ///< w − 1, or n − 1 if that is less
  N all;    ///< n − 1

  /// Whether the equations for the bit 2^k hold.
  TruthOf<N> holds_of(const N& bit) const {
    const N source = s(bit);
    const auto is_high = (bit & banks) == N(0);
    return (source & banks) == (bit & banks) && (source & all) == source &&
           select(is_high, source, bit) == bit && d(bit) == p(source) &&
           select(is_high, bit, r(d(bit) & banks)) == bit;
  }
};

}  // namespace bankproof
