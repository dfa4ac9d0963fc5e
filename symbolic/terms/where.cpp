// Simplifies terms for places where some statements are known to hold.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "pool.hpp"

namespace bankproof::symbolic {

namespace {

/// Terms of more nodes stay as they are.
constexpr std::size_t most_nodes = 300;

}  // namespace

/// Whether a condition holds where all facts do, if they say so one by one.
std::optional<bool> Pool::decided(std::span<const Term> facts, Term condition) {
  const auto is_fact = [&](Term one) {
    return std::find(facts.begin(), facts.end(), one) != facts.end();
  };
  if (is_fact(condition)) return true;
  if (is_fact(negation(condition))) return false;
  const Node& n = node(condition);
  if (n.op != Operator::bits_and && n.op != Operator::bits_or) return std::nullopt;
  // One operand decides `and` if it is false, and `or` if it is true.
  const bool decides = n.op == Operator::bits_or;
  bool all_known = true;
  for (const Term operand : n.operands) {
    const std::optional<bool> is = decided(facts, operand);
    if (is == decides) return decides;
    all_known = all_known && is;
  }
  return all_known ? std::optional(!decides) : std::nullopt;
}

/// The term with each choice made that the facts decide.
Term Pool::where(std::span<const Term> facts, Term term) {
  if (facts.empty()) return term;
  std::unordered_map<Term, Term> known;
  std::vector<Term> waiting{term};
  const auto is_open = [&](Term one) { return known.count(one) == 0; };
  while (!waiting.empty()) {
    const Term next = waiting.back();
    if (!is_open(next)) {
      waiting.pop_back();
      continue;
    }
    if (known.size() > most_nodes) return term;
    const Node& n = node(next);
    if (n.width == 1 && n.op != Operator::constant) {
      if (const std::optional<bool> is = decided(facts, next)) {
        known[next] = truth(*is);
        continue;
      }
    }
    if (n.op == Operator::choice) {
      if (const std::optional<bool> is = decided(facts, n.operands[0])) {
        const Term chosen = n.operands[*is ? 1 : 2];
        if (is_open(chosen)) {
          waiting.push_back(chosen);
        } else {
          known[next] = known.at(chosen);
        }
        continue;
      }
    }
    const std::size_t before = waiting.size();
    std::copy_if(n.operands.begin(), n.operands.end(), std::back_inserter(waiting), is_open);
    if (waiting.size() != before) continue;
    std::vector<Term> operands;
    operands.reserve(n.operands.size());
    for (const Term operand : n.operands) operands.push_back(known.at(operand));
    known[next] = operands == n.operands ? next : rebuilt(next, operands);
  }
  return known.at(term);
}

}  // namespace bankproof::symbolic
