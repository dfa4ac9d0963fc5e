// Sweeps of w × w tiles by the threads of a block (algorithms/sweep.hpp), on terms: what their
// turns are, and what the rows of a tile take.
#pragma once

#include <functional>
#include <memory>

#include "../../../algorithms/sweep.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// An invariant, and what steps(k) prove of the k from which a step goes to the next.
template <class Sum>
SumInvariant<Sum> with_steps(SumInvariant<Sum> holds,
                             const std::function<void(const IntTerm&)>& steps) {
  const auto calls = std::make_shared<int>(0);
  return [=](const IntTerm& k, const Sum& sum) {
    if (++*calls == 2) steps(k);  // the first is of no terms
    return holds(k, sum);
  };
}

/// Of a sum over rows, of which each has at most so many stages, or `exactly` one.
inline SumInvariant<IntTerm> of_rows(const IntTerm& w, std::uint64_t pieces, bool exactly = false) {
  const auto before = std::make_shared<IntTerm>(0);
  return [=](const IntTerm& k, const IntTerm& stages) {
    k.query().apply(multiples_are_apart(), {w, IntTerm(pieces), stages - *before});
    *before = stages;
    return exactly ? stages == k : stages <= IntTerm(pieces) * k;
  };
}

/// Of a w × w tile by so many threads, w or more.
class SweepSums {
 public:
  SweepSums(Query& q, const IntTerm& w, const IntTerm& threads)
      : query_(q), shape_{w, w, threads, w} {}

  const SweepShape<IntTerm>& shape() const { return shape_; }
  /// Rows of a tile at a time, and turns of a tile.
  IntTerm rows() const { return shape_.rows_at_once(); }
  IntTerm turns() const { return ceil_div(shape_.w, rows()); }
  /// Rows of a tile in the turns before t.
  IntTerm rows_before(const IntTerm& t) const { return smaller(t * rows(), shape_.w); }

  /// A tile's row is in one warp, ⌊threads/w⌋ of them in each turn.
  void prove_shape() const;
  /// What is to be known of that before sums are taken: for the steps of a conclusion to return, as
  /// the rest is of no use there.
  Truth numbers() const;
  /// What is known of turn t of a tile.
  void prove_turn(const IntTerm& t) const;

 private:
  Query& query_;
  SweepShape<IntTerm> shape_;
};

}  // namespace bankproof::proofs
