// Terms with other terms in place of unknowns.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

class Substitution {
 public:
  explicit Substitution(Pool& pool) : pool_(pool) {}

  /// `by` has to have the width of the unknown.
  void put(Term unknown, Term by) { known_[unknown] = by; }
  Term operator()(Term term) {
    std::vector<Term> waiting{term};
    while (!waiting.empty()) {
      const Term next = waiting.back();
      if (known_.count(next) != 0) {
        waiting.pop_back();
        continue;
      }
      const std::vector<Term> operands = pool_.node(next).operands;
      const std::size_t before = waiting.size();
      for (const Term operand : operands) {
        if (known_.count(operand) == 0) waiting.push_back(operand);
      }
      if (waiting.size() != before) continue;
      std::vector<Term> replaced;
      bool changes = false;
      for (const Term operand : operands) {
        replaced.push_back(known_.at(operand));
        changes = changes || replaced.back() != operand;
      }
      known_[next] = changes ? pool_.rebuilt(next, replaced) : next;
      waiting.pop_back();
    }
    return known_.at(term);
  }

 private:
  Pool& pool_;
  std::unordered_map<Term, Term> known_;
};

/// Calls see(term, node) for each term of some, and of their operands, once.
template <class See>
void each_term(const Pool& pool, std::vector<Term> terms, const See& see) {
  std::unordered_set<Term> met;
  while (!terms.empty()) {
    const Term next = terms.back();
    terms.pop_back();
    if (!met.insert(next).second) continue;
    const Node& node = pool.node(next);
    see(next, node);
    terms.insert(terms.end(), node.operands.begin(), node.operands.end());
  }
}

/// Calls see(unknown) for each unknown of a term, once for each of `met`.
template <class See>
void each_unknown(const Pool& pool, Term term, std::unordered_map<Term, bool>& met,
                  const See& see) {
  std::vector<Term> waiting{term};
  while (!waiting.empty()) {
    const Term next = waiting.back();
    waiting.pop_back();
    if (!met.emplace(next, true).second) continue;
    if (pool.node(next).op == Operator::unknown) see(next);
    for (const Term operand : pool.node(next).operands) waiting.push_back(operand);
  }
}

}  // namespace bankproof::symbolic
