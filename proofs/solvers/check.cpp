// Asks both solvers about the obligations of a theorem or a lemma, and judges the answers.
#include "check.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "counterexample.hpp"
#include "linear.hpp"
#include "refuter.hpp"

namespace bankproof::proofs {
namespace {

using Assertions = std::vector<z3::expr>;

/// A statement about a proof that the solvers have to confirm, as assertions for a solver. The
/// query that owns the terms must outlive the obligation.
struct Obligation {
  enum class Kind : std::uint8_t { premises_can_hold, goal_follows, twin_is_refuted };
  using enum Kind;

  Kind kind;
  std::string what;
  z3::context* context;
  Assertions assertions;  ///< the last assertion of a goal negates its claim
};

/// The answer that fulfills an obligation of this kind. A goal's assertions contain the negated
/// claim, so they must be unsatisfiable.
Answer::Kind wanted_for(Obligation::Kind kind) {
  return kind == Obligation::goal_follows ? Answer::unsatisfiable : Answer::satisfiable;
}

Obligation pose(Obligation::Kind kind, std::string what, Query& query, Assertions assertions) {
  return {kind, std::move(what), &query.context(), std::move(assertions)};
}

void pose_goals(Query& query, std::vector<Obligation>& all) {
  if (query.goals().empty()) throw std::logic_error("nothing was checked");
  query.invariants().require_all_taken();
  Linearizer linearizer(query.context());
  for (const Goal& goal : query.goals()) {
    if (goal.is_of_term) continue;
    Assertions assertions;
    for (const auto& statement : linearizer.negation(goal)) {
      assertions.push_back(statement.expression);
    }
    all.push_back(pose(Obligation::goal_follows, goal.what, query, std::move(assertions)));
  }
}

/// The premises, with the example values of the query's numbers.
Obligation pose_premises(Query& query) {
  Assertions premises;
  for (const Fact& fact : query.facts()) premises.push_back(fact.expression);
  premises.insert(premises.end(), query.examples().begin(), query.examples().end());
  return pose(Obligation::premises_can_hold, "premises", query, premises);
}

/// The queries and obligations of a theorem or a lemma. The queries own the terms, so they come
/// first and are destroyed last.
struct Built {
  std::unique_ptr<Query> query = std::make_unique<Query>();
  std::unique_ptr<Query> twin;
  std::vector<Obligation> obligations;
};

Built build(const Theorem& theorem) {
  Built built;
  theorem.prove(*built.query);
  const std::vector<const Lemma*> known = lemmas();
  for (const Lemma* lemma : built.query->used()) {
    if (std::find(known.begin(), known.end(), lemma) == known.end()) {
      throw std::logic_error("its lemma '" + lemma->name + "' is not in the catalog");
    }
  }
  built.obligations.push_back(pose_premises(*built.query));
  pose_goals(*built.query, built.obligations);
  built.twin = std::make_unique<Query>();
  theorem.claim_false_twin(*built.twin);
  if (built.twin->goals().size() != 1) throw std::logic_error("a false twin is one goal");
  const Goal& claim = built.twin->goals()[0];
  Assertions wrong;
  for (const Fact& fact : claim.facts) wrong.push_back(fact.expression);
  wrong.insert(wrong.end(), built.twin->examples().begin(), built.twin->examples().end());
  wrong.push_back(!claim.claim);
  built.obligations.push_back(pose(Obligation::twin_is_refuted, "false twin", *built.twin, wrong));
  return built;
}

Built build(const Lemma& lemma) {
  Built built;
  Query& query = *built.query;
  Lemma::Terms terms;
  for (std::size_t i = 0; i < lemma.arity; ++i) {
    terms.push_back(query.unknown("t" + std::to_string(i)));
  }
  query.assume(lemma.premise(terms));
  built.obligations.push_back(pose_premises(query));
  if (lemma.steps) lemma.steps(query, terms);
  query.claim(lemma.name, lemma.conclusion(terms));
  pose_goals(query, built.obligations);
  return built;
}

Finding judge(const std::vector<Obligation>& obligations, const std::vector<Answer>& answers) {
  if (answers.size() != obligations.size()) return {Verdict::error, "answers are missing"};
  for (std::size_t k = 0; k < obligations.size(); ++k) {
    const Answer& answer = answers[k];
    const std::string& what = obligations[k].what;
    if (answer.kind == Answer::error) return {Verdict::error, what + ": " + answer.why};
    if (answer.kind == Answer::unknown) return {Verdict::unknown, what + ": " + answer.why};
    if (answer.kind == wanted_for(obligations[k].kind)) continue;
    switch (obligations[k].kind) {
      case Obligation::premises_can_hold:
        return {Verdict::error, "its premises contradict each other"};
      case Obligation::twin_is_refuted:
        return {Verdict::error, "its false twin is not refuted"};
      case Obligation::goal_follows:
        return {Verdict::unknown, "does not follow: " + what};
    }
  }
  return {Verdict::proved, {}};
}

/// The assertions that the first solver needed, or all assertions if the solver does not say which.
/// If it found an example, the values of the example are added, so that the second solver only has
/// to check them.
Obligation needed(const Obligation& of, const Answer& answer) {
  if (answer.core.empty()) {
    Obligation all = of;
    all.assertions.insert(all.assertions.end(), answer.example.begin(), answer.example.end());
    return all;
  }
  Obligation core{of.kind, of.what, of.context, {}};
  for (const std::size_t k : answer.core) core.assertions.push_back(of.assertions.at(k));
  return core;
}

/// An example for premises with products may take Z3 long, and another search finds it at once.
Answer ask_z3_in_turns(const Obligation& one) {
  Limits short_search;
  short_search.seconds = 1;
  for (; short_search.z3_seed < 3; ++short_search.z3_seed) {
    Answer answer = ask_z3(*one.context, one.assertions, short_search);
    if (answer.kind != Answer::unknown) return answer;
  }
  return ask_z3(*one.context, one.assertions);
}

/// The first solver's answers, one for each obligation.
std::vector<Answer> ask_first(const std::vector<Obligation>& obligations, const Solvers& solvers) {
  Refuter refuter;
  std::vector<Answer> answers;
  answers.reserve(obligations.size());
  for (const Obligation& one : obligations) {
    if (solvers.first) {
      answers.push_back(solvers.first(*one.context, one.assertions));
      continue;
    }
    Answer answer{Answer::unknown, {}};
    if (one.kind == Obligation::goal_follows) answer = refuter.refute(*one.context, one.assertions);
    if (answer.kind == Answer::unknown) answer = ask_z3_in_turns(one);
    answers.push_back(std::move(answer));
  }
  return answers;
}

/// Checks, for each goal, that the facts that imply the goal do not contradict each other.
/// Contradictory facts would imply every goal, and the example for the premises does not reveal a
/// contradiction inside a scope.
Finding judge_facts(const std::vector<Obligation>& obligations,
                    const std::vector<Obligation>& cores, const Solvers& solvers) {
  for (std::size_t k = 0; k < obligations.size(); ++k) {
    const Obligation& core = cores[k];
    if (core.kind != Obligation::goal_follows) continue;
    Assertions facts;
    for (const z3::expr& one : core.assertions) {
      if (one.id() != obligations[k].assertions.back().id()) facts.push_back(one);
    }
    const Answer answer =
        solvers.first ? solvers.first(*core.context, facts) : ask_z3(*core.context, facts);
    if (answer.kind == Answer::satisfiable) continue;
    if (answer.kind != Answer::unsatisfiable)
      return {Verdict::unknown, core.what + ": " + answer.why};
    return {Verdict::error, "its assumptions are contradictory: " + core.what};
  }
  return {Verdict::proved, {}};
}

/// Asks the second solver again about each obligation that it answered with `unknown`, now with all
/// facts. Either the solver got too few facts, or an earlier `unknown` ended its run before it came
/// to this obligation.
void ask_again(const std::vector<Obligation>& obligations, const Solvers& solvers,
               std::vector<AskedObligation>& asked, std::vector<Answer>& answers) {
  for (std::size_t k = 0; k < obligations.size() && k < answers.size(); ++k) {
    if (answers[k].kind != Answer::unknown) continue;
    asked[k].text = question(*obligations[k].context, obligations[k].assertions);
    answers[k] = solvers.second({asked[k].text}).at(0);
  }
}

Checked ask(const std::vector<Obligation>& obligations, const Solvers& solvers) {
  Checked checked;
  const std::vector<Answer> first = ask_first(obligations, solvers);
  std::vector<Obligation> cores;
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < obligations.size(); ++k) {
    const Obligation& one = obligations[k];
    cores.push_back(needed(one, first[k]));
    texts.push_back(question(*one.context, cores.back().assertions));
    checked.asked.push_back({one.what, texts.back(), wanted_for(one.kind)});
    if (one.kind == Obligation::goal_follows) ++checked.goals;
  }
  checked.z3 = judge(obligations, first);
  std::vector<Answer> second = solvers.second(texts);
  ask_again(obligations, solvers, checked.asked, second);
  checked.cvc5 = judge(obligations, second);
  if (checked.proved()) {
    const Finding facts = judge_facts(obligations, cores, solvers);
    if (facts.verdict != Verdict::proved) checked.z3 = checked.cvc5 = facts;
  }
  return checked;
}

/// Runs `check`. An exception becomes an error of both solvers.
template <class Check>
Checked timed(Check check) {
  const auto begin = std::chrono::steady_clock::now();
  Checked checked;
  try {
    checked = check();
  } catch (const std::exception& error) {
    checked.z3 = checked.cvc5 = {Verdict::error, error.what()};
  }
  checked.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return checked;
}

}  // namespace

Checked check(const Theorem& theorem, const Solvers& solvers) {
  return timed([&] {
    const Built built = build(theorem);
    Checked checked = ask(built.obligations, solvers);
    checked.lemmas = built.query->used();
    if (!checked.proved()) {
      if (const auto found = counterexample(theorem, *built.query)) {
        const Verdict verdict = !found->is_of_claim ? Verdict::unknown
                                : found->agreed     ? Verdict::refuted
                                                    : Verdict::error;
        checked.z3 = checked.cvc5 = {verdict, found->words};
      }
    }
    return checked;
  });
}

Checked check(const Lemma& lemma, const Solvers& solvers) {
  return timed([&] {
    const Built built = build(lemma);
    if (!built.query->used().empty()) throw std::logic_error("a lemma uses another one");
    Checked checked = ask(built.obligations, solvers);
    checked.lemmas = built.query->used();
    return checked;
  });
}

}  // namespace bankproof::proofs
