// Asks Z3, and leaves out what it turns out not to need.
#include "cores.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <utility>

#include "../solvers/refuter.hpp"
#include "../solvers/solvers.hpp"

namespace bankproof::proofs {
namespace {

using Statements = std::vector<Linearizer::Statement>;

std::vector<z3::expr> expressions_of(const Statements& statements) {
  std::vector<z3::expr> all;
  for (const auto& statement : statements) all.push_back(statement.expression);
  return all;
}

Statements picked(const Statements& from, const std::vector<std::size_t>& positions) {
  Statements some;
  for (const std::size_t position : positions) some.push_back(from.at(position));
  return some;
}

/// As long as it stays a contradiction, leaves out one statement after another.
void shrink(z3::context& context, Statements& core) {
  constexpr std::size_t most = 60;  // larger ones would take long
  const Limits little{.z3_steps = 500'000};
  if (core.size() > most) return;
  for (std::size_t k = core.size(); k-- > 0;) {
    if (k >= core.size() || !core[k].fact) continue;
    Statements fewer = core;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    const Answer answer = ask_z3(context, expressions_of(fewer), little);
    if (answer.kind == Answer::unsatisfiable) core = picked(fewer, answer.core);
  }
}

/// Facts that steps name themselves.
void collect_named(const Script& script, const std::set<FactNumber>& of_terms,
                   std::set<FactNumber>& facts) {
  for (const Step& step : script) {
    if (of_terms.count(step.fact) == 0) facts.insert(step.facts.begin(), step.facts.end());
    collect_named(step.inside, of_terms, facts);
  }
}
void collect_sums(const Script& script, std::vector<const Step*>& sums) {
  for (const Step& step : script) {
    if (step.kind == Step::Kind::sum) sums.push_back(&step);
    collect_sums(step.inside, sums);
  }
}
const Step* find_fact(const Script& script, FactNumber fact) {
  for (const Step& step : script) {
    if (step.fact == fact && (step.kind == Step::Kind::goal || step.kind == Step::Kind::product)) {
      return &step;
    }
    if (const Step* const inside = find_fact(step.inside, fact)) return inside;
  }
  return nullptr;
}

/// Collects the formula of each fact.
void collect_facts(const Script& script, std::map<FactNumber, WrittenPointer>& facts) {
  for (const Step& step : script) {
    if (step.formula) {
      facts.emplace(step.fact, step.formula);
      if (step.shown != 0) facts.emplace(step.shown, step.formula);
    }
    collect_facts(step.inside, facts);
  }
}

class Cores {
 public:
  explicit Cores(Query& query) : query_(query), linearizer_(query.context()) {
    collect_facts(query.script(), written_);
    needed_.of_goals.resize(query.goals().size());
  }

  Needed all() {
    for (std::size_t k = 0; k < query_.goals().size(); ++k) {
      if (!query_.goals()[k].is_of_term) find(k);
    }
    std::vector<const Step*> sums;
    collect_sums(query_.script(), sums);
    std::set<FactNumber> of_terms;
    for (const Step* const sum : sums) {
      of_terms.insert(sum->sum->terms_are_counts.begin(), sum->sum->terms_are_counts.end());
    }
    collect_named(query_.script(), of_terms, needed_.facts);
    // Inner sums are parts of the terms of outer ones, so what is needed may grow.
    std::set<FactNumber> found;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Step* const sum : sums) {
        for (std::size_t part = 0; part < sum->sum->terms.size(); ++part) {
          const FactNumber count = sum->sum->terms_are_counts[part];
          if (!is_counted(*sum, part, needed_) || !found.insert(count).second) continue;
          grows = true;
          const Step* const step = find_fact(sum->inside, count);
          needed_.facts.insert(count);
          if (step->kind == Step::Kind::goal) {
            find(step->goal);
          } else {
            needed_.facts.insert(step->facts.begin(), step->facts.end());
          }
        }
      }
    }
    return std::move(needed_);
  }

 private:
  void find(std::size_t goal) {
    const Goal& of = query_.goals()[goal];
    std::vector<z3::expr> claims;
    collect_parts(of.claim, *of.written, claims);
    std::vector<Cases> parts;
    for (const z3::expr& claim : claims) {
      Goal part = of;
      part.claim = claim;
      auto needed = needed_for(part);
      if (!needed) return;
      parts.push_back(std::move(*needed));
    }
    needed_.of_goals[goal] = std::move(parts);
  }
  static void collect_parts(const z3::expr& claim, const WrittenNode& written,
                            std::vector<z3::expr>& parts) {
    if (written.form != Form::both) return parts.push_back(claim);
    if (claim.decl().decl_kind() != Z3_OP_AND || claim.num_args() != 2) {
      throw std::logic_error("a claim that is written otherwise");
    }
    for (unsigned k = 0; k < 2; ++k) collect_parts(claim.arg(k), *written.parts[k], parts);
  }

  std::optional<Cases> needed_for(const Goal& goal) {
    const Statements statements = linearizer_.negation(goal);
    const std::vector<z3::expr> expressions = expressions_of(statements);
    Answer answer = refuter_.refute(query_.context(), expressions);
    if (answer.kind == Answer::unknown) answer = ask_z3(query_.context(), expressions);
    if (answer.kind != Answer::unsatisfiable) return std::nullopt;
    Core core{picked(statements, answer.core), {}, {}};
    shrink(query_.context(), core.statements);
    for (const auto& statement : core.statements) {
      if (!statement.fact) continue;
      core.facts.push_back({*statement.fact, statement.factor});
      needed_.facts.insert(*statement.fact);
      if (statement.factor) needed_.facts.insert(goal.multipliers.at(*statement.factor).is_count);
    }
    std::sort(core.facts.begin(), core.facts.end());
    core.facts.erase(std::unique(core.facts.begin(), core.facts.end()), core.facts.end());
    collect_conditions(goal, core);
    return cases_of(query_.context(), core);
  }

  void collect_conditions(const Goal& goal, Core& core) {
    std::set<unsigned> met;
    for (const Fact& fact : goal.facts) {
      const bool is_needed = std::any_of(core.facts.begin(), core.facts.end(),
                                         [&](const auto& one) { return one.fact == fact.number; });
      const auto written = written_.find(fact.number);
      if (!is_needed || written == written_.end()) continue;
      add_conditions(fact.expression, written->second, false, core.conditions);
    }
    std::erase_if(core.conditions,
                  [&](const Condition& one) { return !met.insert(one.linear.id()).second; });
  }
  /// The comparisons in the premises of an implication, and of those that it implies.
  void add_conditions(const z3::expr& e, const WrittenPointer& written, bool is_premise,
                      std::vector<Condition>& conditions) {
    const auto kind = e.decl().decl_kind();
    const auto part = [&](unsigned k, bool premise) {
      add_conditions(e.arg(k), written->parts.at(k), premise, conditions);
    };
    if (kind == Z3_OP_IMPLIES && written->form == Form::implication) {
      part(0, true);
      part(1, is_premise);
    } else if (kind == Z3_OP_NOT && written->form == Form::negation) {
      part(0, is_premise);
    } else if ((kind == Z3_OP_AND && written->form == Form::both) ||
               (kind == Z3_OP_OR && written->form == Form::either)) {
      for (unsigned k = 0; k < 2; ++k) part(k, is_premise);
    } else if (is_premise) {
      conditions.push_back({linearizer_.linear(e, query_.context().int_val(1)), written});
    }
  }

  Query& query_;
  Linearizer linearizer_;
  Refuter refuter_;
  std::map<FactNumber, WrittenPointer> written_;
  Needed needed_;
};

}  // namespace

std::vector<WrittenPointer> parts_of_claim(const WrittenPointer& claim) {
  if (claim->form != Form::both) return {claim};
  std::vector<WrittenPointer> all = parts_of_claim(claim->parts[0]);
  for (const WrittenPointer& more : parts_of_claim(claim->parts[1])) all.push_back(more);
  return all;
}

Needed needed_by(Query& query) { return Cores(query).all(); }

bool is_counted(const Step& sum, std::size_t part, const Needed& needed) {
  std::size_t guards = 0;
  for (const Step& step : sum.inside) {
    if (step.kind != Step::Kind::guard) continue;
    if (guards++ == part)
      return needed.facts.count(step.fact) != 0 ||
             needed.facts.count(sum.sum->is_count.at(part)) != 0;
  }
  return false;
}

}  // namespace bankproof::proofs
