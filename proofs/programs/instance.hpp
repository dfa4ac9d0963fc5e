// An access of a program on formulas, by any of its threads in any of its turns: the terms of a
// query that say which word it is, and which thread.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "run.hpp"
#include "sweeps.hpp"

namespace bankproof::proofs {

/// One thread's access, in one turn of each loop.
struct Instance {
  FormulaTerms::Places places;  ///< of the loops, and of the formulas below
  Written word{};
  std::vector<Written> digits{};  ///< of which the word is made, in a sum or in a tile
  Written thread{};               ///< in its block
};

/// Adds accesses of a program to a query.
struct Instances {
  Query& q;
  const FormulaTerms::Names& names;  ///< all are at least 1
  const KnownSweeps& sweeps;

  /// The access of any thread in any turns, but for the turns that are given. Nothing if no thread
  /// makes it. Adds what is known of it to the facts of the query.
  std::optional<Instance> any(const WrittenAccess& access, FormulaTerms::Places turns = {}) const;

  FormulaTerms terms(const Instance& instance) const { return {q, names, instance.places}; }
};

/// The formulas of sizes that are factors in a sum's products, each one once.
std::vector<Written> factors_in(const Written& sum);
/// The sum of the other factors of these products: b + c of ab + (d + ca), for the factor a.
/// Nothing if there are none.
std::optional<Written> times_of(const Written& sum, const Written& factor);

}  // namespace bankproof::proofs
