// Why a theorem that is not proved is false: values of its numbers for which its own arithmetic
// says so, and the machines agree, where they are asked; or why its proof cannot do.
#pragma once

#include <optional>
#include <string>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

struct Counterexample {
  Values values;
  bool is_of_claim = false;  ///< not only of a step towards it
  bool agreed = false;       ///< whether the machines agree, where they are asked
  std::string words;         ///< the values, what fails, and what the machines did
};

/// Looks for small values that refute a goal of the proof, which has been built in `query`. None if
/// none is found: a proof may fail of a theorem that is true.
std::optional<Counterexample> counterexample(const Theorem& theorem, Query& query);

}  // namespace bankproof::proofs
