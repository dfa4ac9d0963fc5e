// Lemmas: statements that proofs apply to their own terms. Both solvers prove each lemma once, for
// all whole numbers and without other lemmas (check.hpp). A theorem is proved only if the lemmas
// that it uses are proved.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "terms.hpp"

namespace bankproof::proofs {

struct Lemma {
  using Terms = std::vector<IntTerm>;

  std::string name;
  std::string statement;  ///< in words
  std::size_t arity = 0;  ///< number of terms
  std::function<Truth(const Terms&)> premise;
  std::function<Truth(const Terms&)> conclusion;
  /// Proves facts under the premise, before the conclusion becomes a goal.
  std::function<void(Query&, const Terms&)> steps = nullptr;
};

/// Different multiples of b are at least b apart.
const Lemma& multiples_are_apart();

/// A power of two with a greater exponent is at least twice as large.
const Lemma& powers_of_two_grow();

/// A square is not negative.
const Lemma& squares_are_not_negative();

/// All lemmas that proofs may use.
std::vector<const Lemma*> lemmas();

}  // namespace bankproof::proofs
