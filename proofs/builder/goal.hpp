// Goals, which the solvers decide: a claim, and the facts that must imply it.
#pragma once

#include <z3++.h>

#include <string>
#include <vector>

#include "script.hpp"

namespace bankproof::proofs {

struct Fact {
  z3::expr expression;
  FactNumber number;
};

/// A term ≥ 0 by which facts may be multiplied (linear.hpp).
struct Multiplier {
  z3::expr expression;
  WrittenPointer written;
  FactNumber is_count;  ///< the fact that it is ≥ 0
};

struct Goal {
  std::string what;
  std::vector<Fact> facts;
  z3::expr claim;
  std::vector<Multiplier> multipliers;
  WrittenPointer written{};  ///< the claim
  /// The term of a sum is ≥ 0. The solvers assume it (docs/trust.md, T29); scripts prove it where
  /// they need it.
  bool is_of_term = false;
};

}  // namespace bankproof::proofs
