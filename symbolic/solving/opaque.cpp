// Hides quotients; see opaque.hpp.
#include "opaque.hpp"

#include <bit>
#include <iterator>

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
      const Term hidden = pool_.zero_extended(pool_.unknown("quotient", bits), width);
      by_.put(term, hidden);
      remember(term, hidden);
    } else {
      waiting.insert(waiting.end(), node.operands.begin(), node.operands.end());
    }
  }
}

void Opaque::remember(Term term, Term hidden) {
  const auto quotient = pool_.quotient_in(term);
  const Node division = pool_.node(quotient.value_or(term));
  if (!is_division(division.op)) return;
  const bool is_signed =
      division.op == Operator::quotient_signed || division.op == Operator::remainder_signed;
  const Term a = division.operands[0];
  const Term b = division.operands[1];
  if (divides(a) || divides(b)) return;
  Division& known = divisions_[{a, b, is_signed}];
  known.dividend = a;
  known.divisor = b;
  (quotient ? known.quotient : known.rest) = hidden;
}

/// Each dividend is divisor · quotient + rest, also if the divisor is 0: then the rest is the
/// dividend.
void Opaque::tell_apart(std::vector<Term>& statements) {
  std::unordered_map<Term, bool> met;
  for (const Term one : statements) each_unknown(pool_, one, met, [](Term) {});
  const auto is_there = [&](const Division& one) {
    return one.quotient && one.rest && met.count(*one.quotient) != 0 && met.count(*one.rest) != 0;
  };
  for (auto first = divisions_.begin(); first != divisions_.end(); ++first) {
    for (auto second = std::next(first); second != divisions_.end(); ++second) {
      const Division& x = first->second;
      const Division& y = second->second;
      if (x.divisor != y.divisor || !is_there(x) || !is_there(y)) continue;
      if (std::get<bool>(first->first) != std::get<bool>(second->first)) continue;
      const Term are_same =
          pool_.both(pool_.equal(*x.quotient, *y.quotient), pool_.equal(*x.rest, *y.rest));
      statements.push_back(
          pool_.either(pool_.equal(x.dividend, y.dividend), pool_.negation(are_same)));
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
  tell_apart(all);
  return all;
}

}  // namespace bankproof::symbolic
