// Writes a theorem for Coq: its statement, made of formulas as the templates wrote them, and its
// proof, which follows the steps that the query recorded. Coq needs proofs/coq/Written.v and
// proofs/coq/Steps.v.
#pragma once

#include <stdexcept>
#include <string>

#include "../builder/query.hpp"

namespace bankproof::proofs {

/// A proof that has no script, and why.
struct NoScript : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Scripted {
  std::string statement;
  bool has_many_definitions;  ///< of parts, in its only claim
  std::string proof;          ///< from `Proof.` to `Qed.`
};

/// Throws NoScript if the proof has a step that no script can follow, or a goal that Z3 does not
/// decide.
Scripted script_of(Query& query);

/// The statement alone; no solver is asked. Throws NoScript.
std::string statement_of(Query& query);

}  // namespace bankproof::proofs
