// Sums over rectangles of a matrix. The solvers know only one law about these sums: a rectangle can
// be cut in two. The proofs of the theorems on summed area tables use this law.
#pragma once

#include "query.hpp"

namespace bankproof::proofs {

/// The sum of the elements in rows top … bottom − 1 and columns left … right − 1.
class Area {
 public:
  explicit Area(Query& query) : query_(&query), sum_(query.function("area", 4)) {}

  IntTerm operator()(const IntTerm& top, const IntTerm& left, const IntTerm& bottom,
                     const IntTerm& right) const {
    return sum_(top, left, bottom, right);
  }
  IntTerm element(const IntTerm& i, const IntTerm& j) const { return sum_(i, j, i + 1, j + 1); }
  /// The sum of the elements above row i and to the left of column j. The table holds it at (i − 1,
  /// j − 1).
  IntTerm corner(const IntTerm& i, const IntTerm& j) const { return sum_(0, 0, i, j); }
  /// Cuts a rectangle at a column. If `left`, `at` and `right` are equal, the law says that an
  /// empty rectangle's sum is 0.
  void split_columns(const IntTerm& top, const IntTerm& bottom, const IntTerm& left,
                     const IntTerm& at, const IntTerm& right) const {
    query_->assume(implies(top <= bottom && left <= at && at <= right,
                           sum_(top, left, bottom, right) ==
                               sum_(top, left, bottom, at) + sum_(top, at, bottom, right)));
  }
  /// Cuts a rectangle at a row.
  void split_rows(const IntTerm& left, const IntTerm& right, const IntTerm& top, const IntTerm& at,
                  const IntTerm& bottom) const {
    query_->assume(implies(left <= right && top <= at && at <= bottom,
                           sum_(top, left, bottom, right) ==
                               sum_(top, left, at, right) + sum_(at, left, bottom, right)));
  }
  /// Cuts the rectangle that corner(bottom, right) sums, at row i and at column j.
  void split_corner(const IntTerm& i, const IntTerm& j, const IntTerm& bottom,
                    const IntTerm& right) const {
    split_rows(0, right, 0, i, bottom);
    split_columns(0, i, 0, j, right);
    split_columns(i, bottom, 0, j, right);
  }

 private:
  Query* query_;
  Function sum_;
};

}  // namespace bankproof::proofs
