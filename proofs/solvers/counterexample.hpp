// Shows why a theorem is not proved: finds values of its numbers for which arithmetic refutes the
// claim or a step of the proof. If the claim is refuted and the theorem has a replay, the machines
// replay the counterexample.
#pragma once

#include <optional>
#include <string>

#include "../builder/theorem.hpp"

namespace bankproof::proofs {

struct Counterexample {
  Values values;
  bool is_of_claim = false;  ///< refutes the claim itself, not only a step towards it
  bool agreed = false;       ///< whether the replay on the machines agrees, if there is one
  std::string words;         ///< the values, what fails, and what the machines did
};

/// Looks for small values that refute a goal of the proof. `query` holds the proof as it was built.
/// Returns std::nullopt if it finds no values. The theorem may then be true although its proof
/// fails.
std::optional<Counterexample> counterexample(const Theorem& theorem, Query& query);

}  // namespace bankproof::proofs
