// Hides quotients; see opaque.hpp.
#include "opaque.hpp"

#include <bit>

namespace bankproof::symbolic {

namespace {

bool is_division(Operator op) {
  return op == Operator::quotient || op == Operator::quotient_signed || op == Operator::remainder ||
         op == Operator::remainder_signed;
}

}  // namespace

/// Whether the term has a division by an unknown.
bool Opaque::divides(Term term) {
  std::vector<Term> waiting{term};
  while (!waiting.empty()) {
    const Term next = waiting.back();
    const Node& node = pool_.node(next);
    const std::size_t before = waiting.size();
    bool any = is_division(node.op) && !pool_.is_constant(node.operands[1]);
    for (const Term operand : node.operands) {
      const auto known = divides_.find(operand);
      if (known == divides_.end()) {
        waiting.push_back(operand);
      } else {
        any = any || known->second;
      }
    }
    if (waiting.size() != before) continue;
    divides_[next] = any;
    waiting.pop_back();
  }
  return divides_.at(term);
}

/// Puts unknowns in the places of the largest parts that are quotients, or are chosen among some.
void Opaque::hide_parts(Term statement) {
  std::vector<Term> waiting{statement};
  while (!waiting.empty()) {
    const Term term = waiting.back();
    waiting.pop_back();
    if (!divides(term) || !looked_at_.insert(term).second) continue;
    const Node node = pool_.node(term);
    const unsigned width = pool_.width(term);
    const auto bits = static_cast<unsigned>(std::bit_width(pool_.possible_bits(term)));
    if (width > 1 && bits > 0 && (node.op == Operator::choice || is_division(node.op))) {
      by_.put(term, pool_.zero_extended(pool_.unknown("quotient", bits), width));
    } else {
      waiting.insert(waiting.end(), node.operands.begin(), node.operands.end());
    }
  }
}

std::vector<Term> Opaque::operator()(const std::vector<Term>& statements) {
  std::vector<Term> all = statements;
  for (Term& one : all) {
    if (!divides(one)) continue;
    hide_parts(one);
    one = by_(one);
  }
  return all;
}

}  // namespace bankproof::symbolic
