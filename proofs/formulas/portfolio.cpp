// See portfolio.hpp.
#include "portfolio.hpp"

#include <fmt/format.h>
#include <z3++.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "exhaustive.hpp"
#include "integers.hpp"
#include "queries.hpp"
#include "replay.hpp"
#include "words.hpp"

namespace bankproof::formulas {
namespace {

using proofs::Answer;

std::uint64_t value_of(const z3::model& model, const z3::expr& e) {
  return model.eval(e, true).as_uint64();
}

/// Why Z3 gives up. Z3 says "canceled" when it reaches its step limit.
std::string reason(const z3::solver& solver) {
  std::string why = solver.reason_unknown();
  return why == "canceled" ? "step limit" : why;
}

/// The verdict of a method on a property, and the reason for the verdict `unknown`.
struct Outcomes {
  Verdict verdict = Verdict::unknown;
  std::string why = {};
  std::optional<Witness> witness = {};
  std::vector<std::string> questions = {};  ///< proved queries, for the second solver
};

class Solving {
 public:
  Solving(const char* tactic, proofs::Limits limits)
      : tactic_(tactic), limits_(std::move(limits)) {}

  z3::context& context() { return context_; }

  /// Asks Z3 one query that should be impossible, and adds the result to the outcomes. Returns
  /// whether the query is impossible.
  bool is_impossible(const SolverQuery& query, Outcomes& outcomes) {
    z3::solver solver = *tactic_ == '\0' ? z3::solver(context_, z3::solver::simple())
                                         : z3::tactic(context_, tactic_).mk_solver();
    solver.set(proofs::z3_limits(context_, limits_));
    for (const z3::expr& assertion : query.assertions) solver.add(assertion);
    switch (solver.check()) {
      case z3::unsat:
        outcomes.questions.push_back(proofs::question(context_, query.assertions));
        return true;
      case z3::unknown:
        outcomes.why = "Z3 gives up (" + reason(solver) + ")";
        return false;
      case z3::sat:
        break;
    }
    const z3::model model = solver.get_model();
    Witness witness;
    for (const z3::expr& e : query.variables) {
      witness.variables.push_back(static_cast<std::uint32_t>(value_of(model, e)));
    }
    for (const z3::expr& e : query.threads) witness.threads.push_back(value_of(model, e));
    outcomes.verdict = Verdict::refuted;
    outcomes.witness = std::move(witness);
    return false;
  }

 private:
  const char* tactic_;
  proofs::Limits limits_;
  z3::context context_;
};

/// Whether all of the property's queries are impossible.
template <class Arithmetic>
void ask(Solving& solving, const Question& question, const Property& property, Outcomes& outcomes) {
  const Queries<Arithmetic> queries(solving.context(), question);
  for (const SolverQuery& query : queries.violations(property)) {
    if (!solving.is_impossible(query, outcomes)) return;
  }
  outcomes.verdict = Verdict::proved;
}

Outcomes by_words(const Question& question, const Property& property,
                  const proofs::Limits& limits) {
  Outcomes outcomes;
  Solving solving("qfbv", limits);
  ask<WordArithmetic>(solving, question, property, outcomes);
  return outcomes;
}

Outcomes by_integers(const Question& question, const Property& property,
                     const proofs::Limits& limits) {
  Outcomes outcomes;
  Solving solving("", limits);
  try {
    const SolverQuery overflow =
        Queries<IntegerArithmetic>(solving.context(), question).overflow(property);
    if (!solving.is_impossible(overflow, outcomes)) {
      if (outcomes.verdict == Verdict::refuted) outcomes = {Verdict::unknown, "32 bits overflow"};
      return outcomes;
    }
    ask<IntegerArithmetic>(solving, question, property, outcomes);
  } catch (const NoIntegerForm& operation) {
    return {Verdict::unknown, fmt::format("{} has no form", operation.what())};
  }
  return outcomes;
}

Outcomes by_evaluation(const Question& question, const Property& property, const Effort& effort) {
  const auto combinations = question.combinations();
  if (!combinations || *combinations > most_evaluated ||
      *combinations * question.size > most_evaluated) {
    return {Verdict::unknown, fmt::format("more than {} threads × values", most_evaluated)};
  }
  std::uint64_t operations = question.permutation ? question.permutation->size() : 0;
  for (const Access& access : question.accesses) operations += access.formula.size();
  if (*combinations * question.size * operations > effort.most_operations) {
    return {Verdict::unknown, "the formulas are too long for so many threads"};
  }
  const auto witness = evaluate_all(question, property);
  return {witness ? Verdict::refuted : Verdict::proved, {}, witness};
}

/// A satisfiable query. A solver that calls every query impossible fails here, and cannot be the
/// second solver.
constexpr const char* possible =
    "(set-logic ALL)\n(declare-const x (_ BitVec 32))\n(assert (= (bvadd x #x00000001) "
    "#x00000000))\n"
    "(check-sat)\n";

/// Asks cvc5 the queries that Z3 has found impossible, after one satisfiable query.
void ask_again(Decision& decision, const Question& question,
               const std::vector<std::string>& questions, const proofs::Limits& limits) {
  if (questions.empty()) return;  // there was nothing to prove
  decision.solvers = {"z3"};
  std::vector<std::string> asked = {possible};
  asked.insert(asked.end(), questions.begin(), questions.end());
  const std::vector<Answer> answers = proofs::ask_cvc5(asked, limits);
  for (std::size_t k = 0; k < answers.size(); ++k) {
    const Answer& answer = answers[k];
    const proofs::Answer::Kind wanted =
        k == 0 ? proofs::Answer::satisfiable : proofs::Answer::unsatisfiable;
    if (answer.kind == wanted) continue;
    if (answer.kind == proofs::Answer::unsatisfiable) {
      throw proofs::SolverError("cvc5 answers unsat to a satisfiable query");
    }
    if (answer.kind == proofs::Answer::satisfiable) {
      throw proofs::SolverError("the solvers disagree on " + decision.property.name(question) +
                                ": Z3 proves it and cvc5 refutes it");
    }
    if (answer.kind == proofs::Answer::error && !answer.is_missing) {
      throw proofs::SolverError("cvc5 does not answer: " + answer.why);
    }
    decision.second = answer.why;
    break;
  }
  if (decision.second.empty()) decision.solvers.emplace_back("cvc5");
}

/// Adds the outcome of a method to the decision. Returns whether the outcome decides the property.
bool take(Decision& decision, const Question& question, Method method, const Outcomes& outcomes,
          const proofs::Limits& limits) {
  if (outcomes.verdict == Verdict::unknown) {
    decision.why +=
        fmt::format("{}{}: {}", decision.why.empty() ? "" : "; ", name_of(method), outcomes.why);
    return false;
  }
  decision.verdict = outcomes.verdict;
  decision.method = method;
  if (outcomes.verdict == Verdict::refuted) {
    decision.counterexample = Replay(question).confirm(decision.property, *outcomes.witness);
    if (!decision.counterexample) {
      throw std::logic_error(
          fmt::format("the counterexample to {} by {} does not hold when it is replayed",
                      decision.property.name(question), name_of(method)));
    }
  } else if (method != Method::exhaustive) {
    ask_again(decision, question, outcomes.questions, limits);
  }
  decision.why.clear();
  return true;
}

void decide_into(Decision& decision, const Question& question, const Effort& effort) {
  const Property& property = decision.property;
  const auto takes = [&](Method method, const Outcomes& outcomes) {
    return take(decision, question, method, outcomes, effort.solvers);
  };
  if (effort.search) {
    if (const auto found = search(question, property, std::uint64_t{1} << 26)) {
      takes(Method::exhaustive, {Verdict::refuted, {}, found});
      return;
    }
  }
  if (effort.words && takes(Method::words, by_words(question, property, effort.solvers))) return;
  if (effort.integers && takes(Method::integers, by_integers(question, property, effort.solvers))) {
    return;
  }
  if (effort.exhaustive) takes(Method::exhaustive, by_evaluation(question, property, effort));
}

}  // namespace

std::optional<std::uint32_t> large_value(const Question& question, std::size_t access) {
  constexpr std::uint64_t most_operations = std::uint64_t{1} << 22;
  const std::uint64_t operations = question.width() * question.accesses[access].formula.size();
  const std::uint64_t some = std::max<std::uint64_t>(1, most_operations / operations);
  const WarpAccesses all(question);
  Replay replay(question);
  std::uint32_t largest = 0;
  const auto look_at = [&](const Witness& at) {
    replay.set_variables(at.variables);
    const std::uint64_t first = at.threads.front();
    for (std::uint64_t lane = 0; lane < question.lanes_of(first / question.width()); ++lane) {
      const Outcome outcome = replay.value(access, first + lane);
      if (outcome.is_defined()) largest = std::max(largest, outcome.value);
    }
  };
  for (std::uint64_t k = 0; k < std::min(some, all.count()); ++k) {
    look_at(all[k]);
    look_at(all[all.count() - 1 - k]);
  }
  if (largest < std::uint32_t{1} << 31) return std::nullopt;
  return largest;
}

Decision decide(const Question& question, const Property& property, const Effort& effort) {
  const auto start = std::chrono::steady_clock::now();
  Decision decision;
  decision.property = property;
  decide_into(decision, question, effort);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  decision.seconds = taken.count();
  return decision;
}

std::vector<Decision> decide(const Question& question, const Effort& effort,
                             const std::function<void(const Property&)>& begin) {
  std::vector<Decision> decisions;
  for (const Property& property : properties_of(question)) {
    begin(property);
    decisions.push_back(decide(question, property, effort));
    const bool has_values = decisions.front().verdict == Verdict::proved;
    if (!has_values) break;
  }
  return decisions;
}

}  // namespace bankproof::formulas
