// Premises of the theorem, which hold for all numbers of scopes; see scripter.hpp.
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "scripter.hpp"

namespace bankproof::proofs {

void Scripter::introduce(const WrittenPointer& formula) {
  const WrittenPointer node = unified_(formula);
  for (std::size_t f = 1; f < frames_.size(); ++f) {
    for (const auto* const own : {&frames_[f].numbers, &frames_[f].sums}) {
      if (std::find(own->begin(), own->end(), node.get()) != own->end()) return;
    }
  }
  if (node->form != Form::name) throw NoScript("a place outside of sums");
  frames_.front().numbers.push_back(node.get());
  names_.push_back(coq_name(node->name));
  variables_.push_back(coq_name(node->name));
}

void Scripter::introduce_function(const Step& step) {
  const std::string name = coq_name(step.name);
  names_.push_back(name);
  variables_.push_back(fmt::format("({} : {}Z)", name, arrows(step.arity)));
  if (!step.counts) return;
  std::string numbers;
  for (unsigned k = 0; k < step.arity; ++k) numbers += fmt::format(" x{}", k);
  premises_.push_back(fmt::format("(forall{}, 0 <= {}{})", numbers, name, numbers));
  premise_names_.push_back("C_" + name);
}

void Scripter::suppose_of_theorem(const Step& step) {
  const std::string name = fmt::format("P{}", step.fact);
  premises_.push_back(plain(step.formula));
  premise_names_.push_back(name);
  know(step, "exact " + name);
}

void Scripter::suppose_for_all(const Step& step) {
  const WrittenPointer formula = unified_(step.formula);
  std::unordered_set<const WrittenNode*> used = unknowns_of(*formula);
  std::string bound;
  std::string guards;
  std::string applied;
  std::string proofs;
  const DefinedInCoq places = plain_with_places();
  for (std::size_t f = 1; f < frames_.size(); ++f) {
    for (const WrittenNode* const one : frames_[f].numbers) {
      if (used.count(one) == 0) continue;
      bound += " " + printed_name(*one);
      applied += " " + printed_name(*one);
    }
  }
  for (std::size_t f = 1; f < frames_.size(); ++f) {
    for (const auto& [fact, guard] : frames_[f].guards) {
      const auto of_guard = unknowns_of(*guard);
      bool applies = true;
      for (std::size_t g = 1; g < frames_.size(); ++g) {
        for (const WrittenNode* const one : frames_[g].numbers) {
          if (of_guard.count(one) != 0 && used.count(one) == 0) applies = false;
        }
      }
      if (!applies) continue;
      guards += statement_in_coq(*guard, places) + " -> ";
      proofs += " " + fact_name(fact);
    }
  }
  const std::string name = fmt::format("H{}", step.fact);
  const std::string all = bound.empty() ? "" : "forall" + bound + ", ";
  hypotheses_.push_back(fmt::format("({}{}{})", all, guards, plain(step.formula)));
  hypothesis_names_.push_back(name);
  know(step, fmt::format("exact ({}{}{})", name, applied, proofs));
}

}  // namespace bankproof::proofs
