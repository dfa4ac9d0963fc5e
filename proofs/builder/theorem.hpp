// A theorem: a statement of the sources, or of ours, for all parameters of a domain, with a proof
// that both solvers check goal by goal, and a false twin, a statement beside it that is wrong at
// stated values, which both must refute.
//
// Example: layouts/tiles.cpp proves that the words of a tile's column are in different banks if its
// rows are w + 1 words apart; its twin says so of rows w + 2 words apart.
#pragma once

#include <functional>
#include <string>

#include "query.hpp"

namespace bankproof::proofs {

struct Theorem {
  std::string id;         ///< "S2.upper.DMM": the row of docs/claims.md, and what of it
  std::string source;     ///< "MOD theorem 1"; "bankproof" if the statement is ours
  std::string statement;  ///< in words
  std::string domain;     ///< "all n, p, w, l"
  bool unbounded = true;  ///< in its main parameter

  /// States what is assumed, and proves the claim in steps.
  std::function<void(Query&)> proof;
  /// States one claim that is false, about stated values.
  std::function<void(Query&)> false_twin;
  /// Runs on the machines what a counterexample says, and tells in words of warps, threads,
  /// addresses and banks what they did. Throws std::logic_error if they do not agree. Where there
  /// is none, a counterexample is put to the claim's own arithmetic alone.
  std::function<std::string(const Values&)> replay = nullptr;
};

}  // namespace bankproof::proofs
