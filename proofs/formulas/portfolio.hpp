// How a property is decided: a search for a counterexample among some threads, then solvers on
// machine words, then on integers, then evaluation of all threads where these are not too many.
//
// What a solver refutes is replayed by evaluation and on the machine; what Z3 proves is put to cvc5
// as well, and if they disagree that is an error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "../solvers/solvers.hpp"
#include "question.hpp"

namespace bankproof::formulas {

/// The most threads, times combinations of the variables' values, that are all evaluated.
inline constexpr std::uint64_t most_evaluated = std::uint64_t{1} << 26;

struct Effort {
  proofs::Limits solvers = {};
  bool search = true;  ///< the methods that are tried
  bool words = true;
  bool integers = true;
  bool exhaustive = true;
  std::uint64_t most_operations = std::uint64_t{1} << 34;  ///< of evaluating all threads
};

/// The largest value of an access among some threads, the first and the last, if it is 2³¹ or more:
/// what is so large is mostly a number that has gone below 0.
std::optional<std::uint32_t> large_value(const Question& question, std::size_t access);

/// Decides one property. Requires that everything has a value if the property is another one.
Answer decide(const Question& question, const Property& property, const Effort& effort);

/// Decides all properties, only the first if not everything has a value. Before each it calls
/// `begin`.
std::vector<Answer> decide(const Question& question, const Effort& effort,
                           const std::function<void(const Property&)>& begin);

}  // namespace bankproof::formulas
