// Lemmas: statements that proofs use at terms of theirs. Each is proved once, of all whole numbers,
// by both solvers (check.hpp), without other lemmas; a theorem is proved only if the lemmas it uses
// are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "terms.hpp"

namespace bankproof::proofs {

struct Lemma {
  using Terms = std::vector<IntTerm>;

  std::string name;
  std::string statement;  ///< in words
  std::size_t arity = 0;  ///< how many numbers it is about
  std::function<Truth(const Terms&)> premise;
  std::function<Truth(const Terms&)> conclusion;
  /// Steps before the conclusion, under the premise.
  std::function<void(Query&, const Terms&)> steps = nullptr;
};

/// Different multiples of b are at least b apart.
const Lemma& multiples_are_apart();

/// A power of two with a greater exponent is at least twice as large.
const Lemma& powers_of_two_grow();

/// A square is not negative.
const Lemma& squares_are_not_negative();

/// All lemmas. A proof may use no other ones.
std::vector<const Lemma*> lemmas();

}  // namespace bankproof::proofs
