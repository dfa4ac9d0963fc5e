// Asks Z3 for values, and runs the proof with these values as constants.
#include "counterexample.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "solvers.hpp"

namespace bankproof::proofs {
namespace {

constexpr int largest_value = 64;

/// Limit on Z3's search for values. If the facts have products of unknowns, an unlimited search may
/// never end.
constexpr unsigned candidate_steps = 1'000'000;

/// A goal that is false in a proof on constants. A proof on constants adds up its sums, so its
/// goals differ from the goals of the proof on terms.
struct FalseGoal {
  std::string what;
  bool is_last;
};

/// Asks Z3 whether these facts can hold together. Arithmetic alone does not decide facts about
/// functions, or about numbers without stated values.
bool can_hold(Query& query, const std::vector<Fact>& facts) {
  z3::solver solver(query.context(), z3::solver::simple());
  solver.set(z3_limits(query.context(), {.z3_steps = candidate_steps}));
  for (const Fact& fact : facts) solver.add(fact.expression);
  return solver.check() == z3::sat;
}

/// The first goal that arithmetic refutes for these values. There is no result if the premises are
/// false or cannot hold together, or if the proof cannot run on these values. For example, a sum
/// with a constant number of terms takes no invariant, so the next sum may get the wrong invariant.
/// A goal under a supposition counts only if arithmetic shows that the supposition is true for
/// these values.
std::optional<FalseGoal> false_goal(const Theorem& theorem, const Values& values) {
  Query query(values);
  try {
    theorem.prove(query);
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
  std::set<unsigned> premises;  // all facts at the end of the proof, claims included
  for (const Fact& fact : query.facts()) premises.insert(fact.expression.id());
  for (std::size_t k = 0; k < query.goals().size(); ++k) {
    const Goal& goal = query.goals()[k];
    if (goal.is_of_term) continue;
    bool is_reached = true;
    for (const Fact& fact : goal.facts) {
      const z3::expr value = fact.expression.simplify();
      const bool is_premise = premises.contains(fact.expression.id());
      // The claims of earlier goals are facts, too, but the loop ends at the first false claim.
      if (is_premise && value.is_false()) return std::nullopt;
      if (!is_premise && !value.is_true()) is_reached = false;
    }
    if (is_reached && goal.claim.simplify().is_false()) {
      if (!can_hold(query, goal.facts)) return std::nullopt;
      return FalseGoal{goal.what, k + 1 == query.goals().size()};
    }
  }
  return std::nullopt;
}

/// Values for which a goal does not follow from its facts.
std::optional<Values> candidate(Query& query, const Goal& goal) {
  z3::solver solver(query.context(), z3::solver::simple());
  solver.set(z3_limits(query.context(), {.z3_steps = candidate_steps}));
  for (const Fact& fact : goal.facts) solver.add(fact.expression);
  solver.add(!goal.claim);
  for (const auto& [name, term] : query.numbers()) {
    solver.add(term.is_bv() ? z3::ule(term, largest_value) : term <= largest_value);
  }
  if (solver.check() != z3::sat) return std::nullopt;
  const z3::model model = solver.get_model();
  Values values;
  for (const auto& [name, term] : query.numbers()) {
    values.emplace(name, model.eval(term, true).get_numeral_uint64());
  }
  return values;
}

}  // namespace

std::optional<Counterexample> counterexample(const Theorem& theorem, Query& query) {
  for (const Goal& goal : query.goals()) {
    const auto values = candidate(query, goal);
    if (!values) continue;
    const auto wrong = false_goal(theorem, *values);
    if (!wrong) continue;
    Counterexample found{
        .values = *values, .is_of_claim = wrong->is_last, .agreed = true, .words = {}};
    for (const auto& [name, value] : *values) {
      found.words += fmt::format("{}{} = {}", found.words.empty() ? "" : ", ", name, value);
    }
    if (!found.is_of_claim) {
      found.words += fmt::format(": a step of the proof is not true: {}", wrong->what);
      return found;
    }
    found.words += fmt::format(": not true: {}", wrong->what);
    try {
      found.words += "; " + (theorem.replay_counterexample ? theorem.replay_counterexample(*values)
                                                           : "no machine has replayed it");
    } catch (const std::logic_error& disagreement) {
      found.agreed = false;
      found.words +=
          fmt::format("; but the replay on the machine disagrees: {}", disagreement.what());
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace bankproof::proofs
