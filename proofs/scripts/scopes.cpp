// Scopes: under a premise, for all numbers, and inductions; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "scripter.hpp"

namespace bankproof::proofs {

void Scripter::show_for_all(const Step& step) {
  Frame frame;
  std::string bound;
  std::string premises;
  std::string intros;
  std::string intro;
  std::vector<std::string> claims;
  std::vector<FactNumber> shown;
  for (const Step& one : step.inside) {
    if (one.kind == Kind::number) {
      frame.numbers.push_back(unified_(one.formula).get());
      bound += " " + coq_name(frame.numbers.back()->name);
      intro += " " + coq_name(frame.numbers.back()->name);
    }
    if (one.kind == Kind::guard || one.kind == Kind::premise) {
      frame.guards.emplace_back(one.fact, unified_(one.formula));
      introduced_.insert(one.fact);
      premises += plain(one.formula) + " -> ";
      intros += fmt::format(" P{}", one.fact);
    }
    if (one.kind == Kind::claim) {
      claims.push_back(plain(one.formula));
      shown.push_back(one.fact);
    }
  }
  if (claims.empty()) return;
  std::string claim;
  std::string proof;
  for (std::size_t k = 0; k < claims.size(); ++k) {
    const bool is_last = k + 1 == claims.size();
    claim += claims[k] + (is_last ? "" : " /\\ ");
    proof += is_last ? fact_name(shown[k]) : fmt::format("(conj {} ", fact_name(shown[k]));
  }
  proof += std::string(claims.size() - 1, ')');
  const std::string name = fmt::format("G{}", ++scopes_);
  const std::string text =
      fmt::format("({}{}{})", bound.empty() ? "" : "forall" + bound + ", ", premises, claim);
  write(fmt::format("assert ({} : {}).\n{{ intros{}{}.", name, text, intro, intros));
  within(frame, [&] {
    for (const Step& one : step.inside) {
      if (one.kind == Kind::guard || one.kind == Kind::premise) {
        know(one, fmt::format("exact P{}", one.fact));
      } else {
        follow(one);
      }
    }
    write(fmt::format("exact {}. }}", proof));
  });
  if (!is_inside()) {
    claims_.push_back(text);
    shown_.push_back(name);
  }
  if (bound.empty() && premises.empty()) {
    for (const Step& one : step.inside) {
      if (one.kind == Kind::claim) just_shown_[unified_(one.formula).get()] = name;
    }
  }
}

void Scripter::under_premise(const Step& step) {
  write(fmt::format("assert ({} : {}).", fact_name(step.fact), text(step)));
  const Step& premise = first_guard(step);
  write(fmt::format("{{ intro I{}.", premise.fact));
  Frame frame;
  frame.guards.emplace_back(premise.fact, unified_(premise.formula));
  introduced_.insert(premise.fact);
  within(frame, [&] {
    for (const Step& one : step.inside) {
      if (&one == &premise) {
        know(one, fmt::format("exact I{}", one.fact));
      } else {
        follow(one);
      }
    }
    write(fmt::format("exact {}. }}", fact_name(step.shown)));
  });
}

const Step& Scripter::first_guard(const Step& step) {
  for (const Step& one : step.inside) {
    if (one.kind == Kind::guard) return one;
  }
  throw NoScript("a scope without a premise");
}

void Scripter::induct(const Step& step) {
  std::vector<const Step*> guards;
  const Step* hypothesis = nullptr;
  Frame frame;
  for (const Step& one : step.inside) {
    if (one.kind == Kind::number && frame.numbers.empty()) {
      frame.numbers.push_back(unified_(one.formula).get());
    }
    if (one.kind == Kind::guard && guards.size() < 2) {
      guards.push_back(&one);
      introduced_.insert(one.fact);
      frame.guards.emplace_back(one.fact, unified_(one.formula));
    }
    if (one.kind == Kind::inductive && hypothesis == nullptr) hypothesis = &one;
  }
  const std::string k = coq_name(frame.numbers[0]->name);
  write(fmt::format("assert ({} : {}).\n{{ intro I{}. apply (from_to (fun {} => {}) ({}) ({})).",
                    fact_name(step.fact), text(step), step.fact, k, statement(hypothesis->formula),
                    number(step.terms.at(0)), number(step.terms.at(1))));
  write(fmt::format("exact {}.", fact_name(step.facts.at(0))));
  write(fmt::format("intros {} {} {} I{}.", k, fact_name(guards[0]->fact),
                    fact_name(guards[1]->fact), hypothesis->fact));
  within(frame, [&] {
    follow(step.inside);
    write(fmt::format("exact {}.", fact_name(step.shown)));
  });
  write(fmt::format("exact I{}. }}", step.fact));
}

}  // namespace bankproof::proofs
