// Asks Z3 for values, and puts them to the proof as constants.
#include "counterexample.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "solvers.hpp"

namespace bankproof::proofs {
namespace {

constexpr int largest_value = 64;

/// How far Z3 may go for values, which of products of unknowns it may never find.
constexpr unsigned candidate_steps = 1'000'000;

/// A goal of a proof on values, where sums are added up, so that it has other goals than on terms.
struct FalseGoal {
  std::string what;
  bool is_last;
};

/// Whether facts that arithmetic alone does not decide, since they are about functions or further
/// numbers, can hold together.
bool can_hold(Query& query, const std::vector<z3::expr>& facts) {
  z3::solver solver(query.context(), z3::solver::simple());
  solver.set(z3_limits(query.context(), {.z3_steps = candidate_steps}));
  for (const z3::expr& fact : facts) solver.add(fact);
  return solver.check() == z3::sat;
}

/// The goal that is false of these values, by arithmetic; none if the premises are false or cannot
/// hold together, or if the proof cannot be put to values, as where a sum takes the invariant of
/// one that is added up. Of values for which what is supposed is not surely true, a goal under it
/// says nothing.
std::optional<FalseGoal> false_goal(const Theorem& theorem, const Values& values) {
  Query query(values);
  try {
    theorem.proof(query);
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
  std::set<unsigned> premises;  // and claims, that are left when the proof ends
  for (const z3::expr& fact : query.facts()) premises.insert(fact.id());
  for (std::size_t k = 0; k < query.goals().size(); ++k) {
    const Goal& goal = query.goals()[k];
    bool is_reached = true;
    for (const z3::expr& fact : goal.facts) {
      const z3::expr value = fact.simplify();
      const bool is_premise = premises.contains(fact.id());
      // Claims of earlier goals are facts: the first that is false is the one to name.
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
  for (const z3::expr& fact : goal.facts) solver.add(fact);
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
      found.words += "; " + (theorem.replay ? theorem.replay(*values) : "no machine was asked");
    } catch (const std::logic_error& disagreement) {
      found.agreed = false;
      found.words += fmt::format("; but the machines do not agree: {}", disagreement.what());
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace bankproof::proofs
