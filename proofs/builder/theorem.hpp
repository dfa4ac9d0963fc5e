// A theorem: a statement of the sources, or ours, for all parameters of a domain. It has a proof
// that both solvers check goal by goal. It also has a false twin: a variant of the statement that
// is wrong at stated values, and that both solvers must refute.
//
// Example: layouts/tiles.cpp proves that the words of a tile's column are in different banks if its
// rows are w + 1 words apart. Its false twin claims the same for rows w + 2 words apart.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "query.hpp"

namespace bankproof::proofs {

struct Theorem {
  std::string id;         ///< "S2.upper.DMM": the row of docs/claims.md and the part of it
  std::string source;     ///< "MOD theorem 1"; "bankproof" if the statement is ours
  std::string statement;  ///< in words
  std::string domain;     ///< "all n, p, w, l"
  bool unbounded = true;  ///< whether the main parameter has no bound

  std::function<void(Query&)> prove = nullptr;
  std::function<void(Query&)> claim_false_twin = nullptr;
  std::function<std::string(const Values&)> replay_counterexample = nullptr;

  /// States the assumptions, and proves the claim in steps.
  Theorem& proof(std::function<void(Query&)> steps) {
    prove = std::move(steps);
    return *this;
  }
  /// States one false claim about stated values.
  Theorem& false_twin(std::function<void(Query&)> claim) {
    claim_false_twin = std::move(claim);
    return *this;
  }
  /// A theorem and a false twin that make one claim each: holds(q, true) is what the theorem
  /// claims, and holds(q, false) is what the twin claims.
  Theorem& claim_both(const std::string& what, Truth (*holds)(Query& q, bool of_theorem)) {
    prove = [=](Query& q) { q.claim(what, holds(q, true)); };
    claim_false_twin = [=](Query& q) { q.claim(what, holds(q, false)); };
    return *this;
  }
  /// Runs a counterexample on the machines, and reports in words which warps and threads accessed
  /// which addresses and banks. Throws std::logic_error if the machines contradict the
  /// counterexample. Without a replay, only the claim's own arithmetic checks a counterexample.
  Theorem& replay(std::function<std::string(const Values&)> on_the_machines) {
    replay_counterexample = std::move(on_the_machines);
    return *this;
  }
};

}  // namespace bankproof::proofs
