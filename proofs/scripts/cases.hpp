// How a goal follows from its facts in cases. Coq decides a goal quickly if each implication among
// the facts is of use, or of none, as it stands. Where it is not, a condition is looked for that
// decides it, and the goal is shown if the condition holds, and if it does not.
//
// If a tree of cases is wrong, Coq refuses the script.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "../solvers/linear.hpp"

namespace bankproof::proofs {

/// A fact, or its multiple by one of the goal's factors.
struct NeededFact {
  FactNumber fact;
  std::optional<std::size_t> factor;

  friend auto operator<=>(const NeededFact&, const NeededFact&) = default;
};

struct Cases {
  WrittenPointer condition = nullptr;  ///< nothing: the goal follows from what is needed
  std::shared_ptr<const Cases> holds = nullptr;
  std::shared_ptr<const Cases> fails = nullptr;
  std::vector<NeededFact> needed = {};
  std::vector<std::size_t> conditions =
      {};  ///< which of those above are needed, from the first one
};

/// A condition of an implication.
struct Condition {
  z3::expr linear;
  WrittenPointer written;
};

/// Statements that contradict each other: facts, and the negated claim.
struct Core {
  std::vector<Linearizer::Statement> statements;
  std::vector<NeededFact> facts;      ///< of these statements, without repetition
  std::vector<Condition> conditions;  ///< in implications of the facts
};

/// A single case with all facts if no small tree is found.
Cases cases_of(z3::context& context, const Core& core);

}  // namespace bankproof::proofs
