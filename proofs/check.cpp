// Poses the questions of a theorem or a lemma, and judges the answers.
#include "check.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>

#include "counterexample.hpp"
#include "linear.hpp"

namespace bankproof::proofs {
namespace {

using Assertions = std::vector<z3::expr>;

/// A question as terms, too; its query has to be kept.
struct Posed {
  Question question;
  z3::context* context;
  Assertions assertions;
};

Posed pose(std::string what, Query& query, Assertions assertions, Answer wanted) {
  std::string text = question(query.context(), assertions);
  return {{std::move(what), std::move(text), wanted}, &query.context(), std::move(assertions)};
}

void pose_goals(Query& query, std::vector<Posed>& all) {
  if (query.goals().empty()) throw std::logic_error("nothing was checked");
  if (query.invariants_left() > 0) throw std::logic_error("an invariant that no sum takes");
  Linearizer linearizer(query.context());
  for (const Goal& goal : query.goals()) {
    all.push_back(pose(goal.what, query,
                       linearizer.negation(goal.facts, goal.multipliers, goal.claim),
                       Answer::unsatisfiable));
  }
}

/// The premises with the examples for its numbers.
Posed pose_premises(Query& query) {
  Assertions premises = query.facts();
  premises.insert(premises.end(), query.examples().begin(), query.examples().end());
  return pose("premises", query, premises, Answer::satisfiable);
}

/// What was built for a theorem or a lemma: queries first, as terms live in them.
struct Built {
  std::unique_ptr<Query> query = std::make_unique<Query>();
  std::unique_ptr<Query> twin;
  std::vector<Posed> posed;
};

Built build(const Theorem& theorem) {
  Built built;
  theorem.proof(*built.query);
  built.posed.push_back(pose_premises(*built.query));
  pose_goals(*built.query, built.posed);
  built.twin = std::make_unique<Query>();
  theorem.false_twin(*built.twin);
  if (built.twin->goals().size() != 1) throw std::logic_error("a false twin is one goal");
  const Goal& claim = built.twin->goals()[0];
  Assertions wrong = claim.facts;
  wrong.insert(wrong.end(), built.twin->examples().begin(), built.twin->examples().end());
  wrong.push_back(!claim.claim);
  built.posed.push_back(pose("false twin", *built.twin, wrong, Answer::satisfiable));
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
  built.posed.push_back(pose_premises(query));
  if (lemma.steps) lemma.steps(query, terms);
  query.prove(lemma.name, lemma.conclusion(terms));
  pose_goals(query, built.posed);
  return built;
}

Finding judge(const std::vector<Posed>& posed, const std::vector<Reply>& replies) {
  if (replies.size() != posed.size()) return {Verdict::error, "answers are missing"};
  for (std::size_t k = 0; k < posed.size(); ++k) {
    const auto& [answer, why] = replies[k];
    const auto& [what, text, wanted] = posed[k].question;
    if (answer == Answer::error) return {Verdict::error, what + ": " + why};
    if (answer == Answer::unknown) return {Verdict::unknown, what + ": " + why};
    if (answer == wanted) continue;
    if (what == "premises") return {Verdict::error, "its premises contradict each other"};
    if (what == "false twin") return {Verdict::error, "its false twin is not refuted"};
    return {Verdict::unknown, "does not follow: " + what};
  }
  return {Verdict::proved, {}};
}

/// A goal also follows from what contradicts itself, in a scope that no example reaches. So what
/// it is to follow from, all but its negation, has to be possible.
Finding judge_facts(const std::vector<Posed>& posed, const Solvers& solvers) {
  for (const Posed& one : posed) {
    if (one.question.wanted != Answer::unsatisfiable) continue;
    const Assertions facts(one.assertions.begin(), one.assertions.end() - 1);
    const auto [answer, why] = solvers.first(*one.context, facts);
    if (answer == Answer::satisfiable) continue;
    if (answer != Answer::unsatisfiable) return {Verdict::unknown, one.question.what + ": " + why};
    return {Verdict::error, "what it assumes contradicts itself: " + one.question.what};
  }
  return {Verdict::proved, {}};
}

Checked ask(const std::vector<Posed>& posed, const Solvers& solvers) {
  std::vector<Reply> first;
  std::vector<std::string> texts;
  for (const Posed& one : posed) {
    first.push_back(solvers.first(*one.context, one.assertions));
    texts.push_back(one.question.text);
  }
  Checked checked;
  checked.z3 = judge(posed, first);
  checked.cvc5 = judge(posed, solvers.second(texts));
  for (const Posed& one : posed) {
    if (one.question.wanted == Answer::unsatisfiable) ++checked.goals;
  }
  if (checked.proved()) {
    const Finding facts = judge_facts(posed, solvers);
    if (facts.verdict != Verdict::proved) checked.z3 = checked.cvc5 = facts;
  }
  return checked;
}

/// Runs it; an exception is an error of both.
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

std::vector<Question> of(const std::vector<Posed>& posed) {
  std::vector<Question> all;
  all.reserve(posed.size());
  for (const Posed& one : posed) all.push_back(one.question);
  return all;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::refuted:
      return "refuted";
    case Verdict::unknown:
      return "unknown";
    default:
      return "error";
  }
}

std::vector<Question> questions(const Theorem& theorem) { return of(build(theorem).posed); }

std::vector<Question> questions(const Lemma& lemma) { return of(build(lemma).posed); }

Checked check(const Theorem& theorem, const Solvers& solvers) {
  return timed([&] {
    const Built built = build(theorem);
    Checked checked = ask(built.posed, solvers);
    checked.lemmas = built.query->used();
    if (!checked.proved()) {
      if (const auto found = counterexample(theorem, *built.query)) {
        checked.z3 =
            checked.cvc5 = {found->agreed ? Verdict::refuted : Verdict::error, found->words};
      }
    }
    return checked;
  });
}

Checked check(const Lemma& lemma, const Solvers& solvers) {
  return timed([&] {
    const Built built = build(lemma);
    Checked checked = ask(built.posed, solvers);
    checked.lemmas = built.query->used();
    return checked;
  });
}

}  // namespace bankproof::proofs
