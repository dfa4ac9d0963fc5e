// Proves that two formulas are the same for all numbers: what a program does on formulas
// (warp.hpp), and the closed form that is written for it. The sums of both are proved by induction,
// side by side: those that add the same terms, and those whose terms cancel.
//
// Samples tell which parts may be the same. Whatever is used is claimed, and so a goal of both
// solvers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../builder/query.hpp"
#include "samples.hpp"

namespace bankproof::proofs {

class SameFormulas {
 public:
  /// The numbers of the formulas, each with a name, or with a value if the query states values. All
  /// are at least 1.
  SameFormulas(Query& q, const std::vector<IntTerm>& numbers);

  /// Premises of the theorem.
  void assume(const std::vector<WrittenTruth>& premises);

  /// That the formulas are the same. Steps of the proof show what is needed for it.
  Truth holds(const Written& a, const Written& b);

 private:
  void draw(const std::vector<WrittenTruth>& premises);

  Query& q_;
  std::map<std::string, IntTerm> names_;
  Samples samples_;
};

}  // namespace bankproof::proofs
