// Follows steps, and puts the statement and the proof together; see scripter.hpp.
#include <fmt/ranges.h>

#include "scripter.hpp"

namespace bankproof::proofs {
namespace {

constexpr std::size_t few_definitions = 8;

std::size_t count_of(const std::string& word, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace

Scripted Scripter::scripted() {
  if (claims_.empty()) throw NoScript("it claims nothing");
  std::string statement;
  if (!variables_.empty())
    statement += "forall " + fmt::format("{},\n", fmt::join(variables_, " "));
  for (const std::string& premise : premises_) statement += "  " + premise + " ->\n";
  for (const std::string& premise : hypotheses_) statement += "  " + premise + " ->\n";
  std::string proof = "Proof.\n";
  std::vector<std::string> intros = names_;
  intros.insert(intros.end(), premise_names_.begin(), premise_names_.end());
  intros.insert(intros.end(), hypothesis_names_.begin(), hypothesis_names_.end());
  if (!intros.empty()) proof += fmt::format("intros {}.\n", fmt::join(intros, " "));
  proof += out_;
  std::string claimed;
  std::string shown;
  for (std::size_t k = 0; k < claims_.size(); ++k) {
    const bool is_last = k + 1 == claims_.size();
    claimed += "  " + claims_[k] + (is_last ? "" : " /\\\n");
    shown += is_last ? shown_[k] : fmt::format("(conj {} ", shown_[k]);
  }
  shown += std::string(claims_.size() - 1, ')');
  proof += fmt::format("exact {}.\nQed.\n", shown);
  const bool has_many = claims_.size() == 1 && count_of("let ", claimed) > few_definitions;
  return {statement + claimed, has_many, proof};
}

void Scripter::follow(const Script& script) {
  for (const Step& step : script) follow(step);
}

void Scripter::follow(const Step& step) {
  if ((step.kind == Kind::product || step.kind == Kind::goal) && unneeded_.count(step.fact) != 0) {
    return;
  }
  switch (step.kind) {
    case Kind::number:
      return introduce(step.formula);
    case Kind::function:
      return introduce_function(step);
    case Kind::definition:
      return define(step);
    case Kind::label:
      return label(step);
    case Kind::premise:
      if (const auto known = just_shown_.find(unified_(step.formula).get());
          known != just_shown_.end()) {
        return know(step, fmt::format("apply {}", known->second));
      }
      return is_inside() ? suppose_for_all(step) : suppose_of_theorem(step);
    case Kind::guard:
      if (introduced_.count(step.fact) != 0) return;  // with its scope
      return is_inside() ? suppose_for_all(step) : suppose_of_theorem(step);
    case Kind::instance:
      return know(step, "instance");
    case Kind::inductive:
      return know(step, fmt::format("exact I{}", step.fact));
    case Kind::count:
      return know(step, fmt::format("exact (C_{}{})", coq_name(step.name), numbers(step.terms)));
    case Kind::law:
      return apply_law(step);
    case Kind::lemma:
      return know(step,
                  fmt::format("exact (lemma_{}{})", coq_name(step.name), numbers(step.terms)));
    case Kind::product: {
      std::string facts;
      for (const FactNumber fact : step.facts) facts += " " + fact_name(fact);
      return know(step, fmt::format("{}; product", keeping(facts, text(step))));
    }
    case Kind::goal:
    case Kind::claim:
      return prove(step);
    case Kind::suppose:
      return under_premise(step);
    case Kind::induct:
      return induct(step);
    case Kind::sum:
      return add_up(step);
    case Kind::scope:
      return show_for_all(step);
  }
  throw NoScript("a step without a script");
}

void Scripter::know(const Step& step, const std::string& proof) {
  write(fmt::format("assert ({} : {}) by ({}).", fact_name(step.fact), text(step), proof));
}

const std::string& Scripter::text(const Step& step) {
  formula_of_.emplace(step.fact, step.formula);
  return text_of_[step.fact] = statement(step.formula);
}

Scripted script_of(Query& query) { return Scripter(query, needed_by(query)).scripted(); }

std::string statement_of(Query& query) {
  Needed nothing;
  for (const Goal& goal : query.goals()) {
    nothing.of_goals.emplace_back(parts_of_claim(goal.written).size());
  }
  return Scripter(query, std::move(nothing)).scripted().statement;
}

}  // namespace bankproof::proofs
