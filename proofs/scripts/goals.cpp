// Goals, decided from the facts that they need; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "scripter.hpp"

namespace bankproof::proofs {

std::string Scripter::keeping(const std::string& facts, const std::string& texts) {
  std::string kept = facts;
  std::set<std::string> seen;
  for (std::size_t k = 0; k < texts.size(); ++k) {
    if (texts[k] != 'v' || (k > 0 && (std::isalnum(static_cast<unsigned char>(texts[k - 1])) != 0 ||
                                      texts[k - 1] == '_' || texts[k - 1] == '\''))) {
      continue;
    }
    std::size_t end = k + 1;
    while (end < texts.size() && std::isdigit(static_cast<unsigned char>(texts[end])) != 0) ++end;
    const std::string name = texts.substr(k, end - k);
    const auto equal = equalities_.find(name);
    if (equal != equalities_.end() && seen.insert(name).second) kept += " " + equal->second;
  }
  return kept.empty() ? "idtac" : "clear -" + kept;
}

void Scripter::prove(const Step& step) {
  const auto& needed = needed_.of_goals.at(step.goal);
  if (!needed) throw NoScript("a goal that Z3 does not decide: " + step.name);
  const std::vector<WrittenPointer> parts = parts_of_claim(step.formula);
  if (parts.size() == 1) {
    prove_part(fact_name(step.fact), step.formula, needed->front(), goals_.at(step.goal));
  } else {
    for (std::size_t k = 0; k < parts.size(); ++k) {
      prove_part(part_name(step, k), parts[k], needed->at(k), goals_.at(step.goal));
    }
    std::size_t next = 0;
    write(fmt::format("assert ({} : {}) by (exact {}).", fact_name(step.fact),
                      statement(step.formula), joined(step, *step.formula, next)));
  }
  text(step);
  if (step.kind == Kind::claim && !is_inside()) {
    claims_.push_back(plain(step.formula));
    shown_.push_back(fact_name(step.fact));
  }
}

std::string Scripter::joined(const Step& step, const WrittenNode& claim, std::size_t& next) {
  if (claim.form != Form::both) return part_name(step, next++);
  const std::string left = joined(step, *claim.parts[0], next);
  return fmt::format("(conj {} {})", left, joined(step, *claim.parts[1], next));
}

void Scripter::prove_part(const std::string& fact, const WrittenPointer& formula,
                          const std::vector<NeededFact>& needed, const Goal& goal) {
  const std::string claim = statement(formula);
  std::string facts;
  std::string texts = claim;
  std::string multiples;
  std::size_t count = 0;
  for (const NeededFact& one : needed) {
    texts += text_of_[one.fact];
    if (!one.factor) {
      facts += " " + fact_name(one.fact);
      continue;
    }
    const Multiplier& factor = goal.multipliers.at(*one.factor);
    const std::string name = fmt::format("M{}", ++count);
    const std::string times = number(factor.written);
    multiples += fmt::format("multiply {} {} ({}) {}. ", name, fact_name(one.fact), times,
                             fact_name(factor.is_count));
    texts += times;
    facts += " " + name;
  }
  write(fmt::format("assert ({} : {}).\n{{ {}{}; {}. }}", fact, claim, multiples,
                    keeping(facts, texts), decision(texts)));
}

std::string Scripter::decision(const std::string& texts) {
  std::map<std::string, std::vector<std::string>> values;  // by function
  for (const auto& [part, name] : defined_.parts) {
    if (part->form == Form::application && is_in(name, texts)) values[part->name].push_back(name);
  }
  std::string alike;
  for (auto& [function, names] : values) {
    std::sort(names.begin(), names.end());
    for (std::size_t a = 0; a < names.size(); ++a) {
      for (std::size_t b = a + 1; b < names.size(); ++b) {
        alike += fmt::format("alike {} {}; ", names[a], names[b]);
      }
    }
  }
  return alike.empty() ? "linear" : fmt::format("first [linear | {}linear]", alike);
}

bool Scripter::is_in(const std::string& name, const std::string& texts) {
  for (std::size_t at = 0; (at = texts.find(name, at)) != std::string::npos; at += name.size()) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_of_name(texts[at - 1]);
    if (begins && (end == texts.size() || !is_of_name(texts[end]))) return true;
  }
  return false;
}

}  // namespace bankproof::proofs
