// Goals, decided from the facts that they need; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "scripter.hpp"

namespace bankproof::proofs {
namespace {

template <class Visit>
void each_needed(const Cases& cases, Visit visit) {
  for (const NeededFact& needed : cases.needed) visit(needed);
  for (const auto& part : {cases.holds, cases.fails}) {
    if (part) each_needed(*part, visit);
  }
}

}  // namespace

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
  return kept.empty() ? "clear" : "clear -" + kept;
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
    shown_.push_back(with_values(step.fact));
  }
}

/// Definitions of constants have parts that have parts, and to compare a number with them takes
/// less time than to compare them with one another.
std::string Scripter::with_values(FactNumber fact) {
  std::string rewritten;
  for (const auto& [name, equality] : equalities_) {
    if (constants_.count(name) == 0 || !is_in(name, text_of_.at(fact))) continue;
    rewritten += fmt::format("rewrite {} in Q{}. ", equality, fact);
  }
  if (rewritten.empty()) return fact_name(fact);
  write(fmt::format("pose proof {} as Q{}. {}", fact_name(fact), fact, rewritten));
  return fmt::format("Q{}", fact);
}

std::string Scripter::joined(const Step& step, const WrittenNode& claim, std::size_t& next) {
  if (claim.form != Form::both) return part_name(step, next++);
  const std::string left = joined(step, *claim.parts[0], next);
  return fmt::format("(conj {} {})", left, joined(step, *claim.parts[1], next));
}

void Scripter::prove_part(const std::string& fact, const WrittenPointer& formula,
                          const Cases& cases, const Goal& goal) {
  each_needed(cases, [this](const NeededFact& needed) { name_again(needed.fact); });
  const std::string claim = statement(formula);
  write(fmt::format("assert ({} : {}).\n{{ {} }}", fact, claim, in_cases(cases, claim, goal, {})));
}

std::string Scripter::in_cases(const Cases& cases, const std::string& claim, const Goal& goal,
                               std::vector<std::string> conditions) {
  if (!cases.condition) return of_case(cases, claim, goal, conditions);
  const std::string condition = statement(cases.condition);
  const std::string split = fmt::format("cases_of ({}) C{}.", condition, conditions.size() + 1);
  conditions.push_back(condition);
  return fmt::format("{}\n{{ {} }}\n{{ {} }}", split,
                     in_cases(*cases.holds, claim, goal, conditions),
                     in_cases(*cases.fails, claim, goal, conditions));
}

std::string Scripter::of_case(const Cases& one, const std::string& claim, const Goal& goal,
                              const std::vector<std::string>& conditions) {
  std::string facts;
  std::string texts = claim;
  std::string multiples;
  std::size_t count = 0;
  for (const NeededFact& needed : one.needed) {
    texts += text_of_[needed.fact];
    if (!needed.factor) {
      facts += " " + fact_name(needed.fact);
      continue;
    }
    const Multiplier& factor = goal.multipliers.at(*needed.factor);
    const std::string name = fmt::format("M{}", ++count);
    const std::string times = number(factor.written);
    multiples += fmt::format("multiply {} {} ({}) {}. ", name, fact_name(needed.fact), times,
                             fact_name(factor.is_count));
    texts += times;
    facts += " " + name;
  }
  for (const std::size_t k : one.conditions) {
    texts += conditions.at(k);
    facts += fmt::format(" C{}", k + 1);
  }
  const std::string alike = values_alike(texts);
  return fmt::format("{}{}; {}linear.", multiples, keeping(facts, texts), alike);
}

std::string Scripter::values_alike(std::string& texts) {
  std::map<std::string, std::set<std::string>> values;  // by function
  for (const auto& [part, name] : defined_.parts) {
    if (part->form == Form::application && is_in(name, texts)) collect_values(*part, values);
  }
  std::string alike;
  for (const auto& [function, names] : values) {
    for (const std::string& name : names) texts += text_of_value_[name];
    for (auto a = names.begin(); a != names.end(); ++a) {
      for (auto b = std::next(a); b != names.end(); ++b) {
        alike += fmt::format("alike {} {}; ", *a, *b);
      }
    }
  }
  return alike;
}

void Scripter::collect_values(const WrittenNode& node,
                              std::map<std::string, std::set<std::string>>& values) const {
  const auto name = defined_.parts.find(&node);
  if (node.form == Form::application && name != defined_.parts.end() &&
      !values[node.name].insert(name->second).second) {
    return;
  }
  for (const WrittenPointer& part : node.parts) collect_values(*part, values);
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
