// Asks Z3 for values, and puts them to the proof as constants.
#include "counterexample.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "solvers.hpp"

namespace bankproof::proofs {
namespace {

constexpr int largest_value = 64;

/// The goal that is false of these values, by arithmetic alone; none if the premises are false.
std::optional<std::string> false_goal(const Theorem& theorem, const Values& values) {
  Query query(values);
  theorem.proof(query);
  for (const Goal& goal : query.goals()) {
    // Claims of earlier goals are facts: the first that is false is the one to name.
    for (const z3::expr& fact : goal.facts) {
      if (fact.simplify().is_false()) return std::nullopt;
    }
    if (goal.claim.simplify().is_false()) return goal.what;
  }
  return std::nullopt;
}

/// Values for which a goal does not follow from its facts.
std::optional<Values> candidate(Query& query, const Goal& goal) {
  z3::solver solver(query.context(), z3::solver::simple());
  z3::params limits(query.context());
  limits.set("rlimit", Limits{}.z3_steps);
  limits.set("timeout", 1000 * Limits{}.seconds);
  solver.set(limits);
  for (const z3::expr& fact : goal.facts) solver.add(fact);
  solver.add(!goal.claim);
  for (const auto& [name, term] : query.numbers()) {
    solver.add(term.is_bv() ? z3::ule(term, largest_value) : term <= largest_value);
  }
  if (solver.check() != z3::sat) return std::nullopt;
  const z3::model model = solver.get_model();
  Values values;
  for (const auto& [name, term] : query.numbers()) {
    values[name] = model.eval(term, true).get_numeral_uint64();
  }
  return values;
}

}  // namespace

std::optional<Counterexample> counterexample(const Theorem& theorem, Query& query) {
  for (const Goal& goal : query.goals()) {
    const auto values = candidate(query, goal);
    if (!values) continue;
    const auto what = false_goal(theorem, *values);
    if (!what) continue;
    Counterexample found{.values = *values, .agreed = true, .words = {}};
    for (const auto& [name, value] : *values) {
      found.words += fmt::format("{}{} = {}", found.words.empty() ? "" : ", ", name, value);
    }
    found.words += fmt::format(": not true: {}", *what);
    try {
      if (theorem.replay) found.words += "; " + theorem.replay(*values);
    } catch (const std::logic_error& disagreement) {
      found.agreed = false;
      found.words += fmt::format("; but the machines do not agree: {}", disagreement.what());
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace bankproof::proofs
