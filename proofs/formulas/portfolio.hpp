// Decides properties: first it searches for a counterexample among some threads, then it asks
// solvers about machine words, then about integers, and then it evaluates all threads if there are
// not too many.
//
// Evaluation and the machine replay every refutation by a solver. cvc5 checks every proof by Z3; it
// is an error if the two solvers disagree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "../solvers/solvers.hpp"
#include "question.hpp"

namespace bankproof::formulas {

/// The limit for evaluating all threads: threads times combinations of the variables' values.
inline constexpr std::uint64_t most_evaluated = std::uint64_t{1} << 26;

struct Effort {
  proofs::Limits solvers = {};
  bool search = true;  ///< whether to try each method
  bool words = true;
  bool integers = true;
  bool exhaustive = true;
  std::uint64_t most_operations = std::uint64_t{1} << 34;  ///< when evaluating all threads
};

/// The largest value of an access among some threads, including the first and the last thread.
/// Returns a value only if it is 2³¹ or more: a value of this size usually comes from a number that
/// has gone below 0.
std::optional<std::uint32_t> large_value(const Question& question, std::size_t access);

/// Decides one property. Requires that all formulas have values, unless the property is `defined`.
Decision decide(const Question& question, const Property& property, const Effort& effort);

/// Decides all properties, or only the first if not every formula has a value. Calls `begin` before
/// each property.
std::vector<Decision> decide(const Question& question, const Effort& effort,
                             const std::function<void(const Property&)>& begin);

}  // namespace bankproof::formulas
