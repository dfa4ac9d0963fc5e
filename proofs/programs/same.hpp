// Proves that two formulas are the same for all numbers: what a program does on formulas
// (warp.hpp), and the closed form that is written for it. The sums of both are proved by induction,
// side by side: those that add the same terms, and those whose terms cancel.
//
// Samples tell which parts may be the same. Whatever is used is claimed, and so a goal of both
// solvers.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "../builder/query.hpp"
#include "samples.hpp"
#include "sweeps.hpp"

namespace bankproof::proofs {

class SameFormulas {
 public:
  /// The numbers of the formulas, each with a name, or with a value if the query states values. All
  /// are at least 1.
  SameFormulas(Query& q, const std::vector<IntTerm>& numbers);

  /// The formulas have sums over the turns of this sweep.
  void know_sweep(const SweepShape<Written>& shape);

  /// Loops over powers sweep over such a matrix for each power.
  void know_levels(std::function<SweepShape<Written>(const Written& power)> of_level);

  /// The claim that both formulas have the same value. The call proves in steps what this claim
  /// needs; the caller states the claim.
  Truth holds(const Written& a, const Written& b);

 private:
  Query& q_;
  std::map<std::string, IntTerm> names_;
  Samples samples_;
  KnownSweeps sweeps_;
};

}  // namespace bankproof::proofs
