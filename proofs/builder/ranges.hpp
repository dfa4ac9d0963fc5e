// Sums over ranges. The solvers know only one law about these sums: a range can be split in two.
// Proofs about loops that add up use this law. The law holds for all ranges; a proof assumes it for
// the ranges that the proof names.
//
// Example: with sum(0, k + 1) = sum(0, k) + sum(k, k + 1), a loop that adds one item after another
// has added sum(0, k) after k turns.
#pragma once

#include <string>

#include "query.hpp"

namespace bankproof::proofs {

/// The sum of the items at positions from … to − 1.
class RangeSum {
 public:
  RangeSum(Query& query, const std::string& name) : query_(&query), sum_(query.function(name, 2)) {}

  IntTerm operator()(const IntTerm& from, const IntTerm& to) const { return sum_(from, to); }
  IntTerm item(const IntTerm& k) const { return sum_(k, k + 1); }
  /// The splitting law. For three equal positions, the law says that an empty sum is 0.
  void split(const IntTerm& from, const IntTerm& at, const IntTerm& to) const {
    query_->assume(
        implies(from <= at && at <= to, sum_(from, to) == sum_(from, at) + sum_(at, to)));
  }
  void empty(const IntTerm& place) const { split(place, place, place); }

 private:
  Query* query_;
  Function sum_;
};

/// Folds of ranges by an associative operation. The solvers know only the splitting law. No range
/// is empty, and the two parts keep their order.
class Fold {
 public:
  Fold(Query& query, const std::string& name)
      : query_(&query),
        operation_(query.function(name + "_op", 2)),
        of_range_(query.function(name, 2)) {}

  IntTerm operator()(const IntTerm& from, const IntTerm& to) const { return of_range_(from, to); }
  /// a followed by b.
  IntTerm joined(const IntTerm& a, const IntTerm& b) const { return operation_(a, b); }
  void split(const IntTerm& from, const IntTerm& at, const IntTerm& to) const {
    query_->assume(
        implies(from < at && at < to,
                of_range_(from, to) == operation_(of_range_(from, at), of_range_(at, to))));
  }

 private:
  Query* query_;
  Function operation_;
  Function of_range_;
};

}  // namespace bankproof::proofs
