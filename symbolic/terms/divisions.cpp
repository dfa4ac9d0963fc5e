// Recognizes how compilers divide.
#include "pool.hpp"

namespace bankproof::symbolic {

namespace {

constexpr unsigned half = 32;

bool is_quotient(Operator op) {
  return op == Operator::quotient || op == Operator::quotient_signed;
}

}  // namespace

std::optional<Term> Pool::quotient_in(Term term) {
  const Node n = node(term);
  if (is_quotient(n.op)) return term;
  if (n.op != Operator::choice || !is_quotient(node(n.operands[2]).op)) return std::nullopt;
  const Term divisor = node(n.operands[2]).operands[1];
  const Term by_zero = equal(divisor, constant(0, width(divisor)));
  if (both(n.operands[0], by_zero) != n.operands[0]) return std::nullopt;
  return n.operands[2];
}

/// a − a/d·d, as compilers compute the rest, has no more bits than a. If d is 0, it is a, and so is
/// the machine's rest.
std::optional<Term> Pool::rest_of_division(Term a, Term b) {
  for (const auto& [monomial, coefficient] : polynomial(b)) {
    for (const Term factor : monomial) {
      const auto quotient = quotient_in(factor);
      if (!quotient || node(*quotient).operands[0] != a) continue;
      const Term divisor = node(*quotient).operands[1];
      if (multiply(factor, divisor) != b) continue;
      return remainder(a, divisor, node(*quotient).op == Operator::quotient_signed);
    }
  }
  return std::nullopt;
}

/// A division of 64 bits by one of 32 bits, where the higher halves are 0: the same as the one of
/// 64 bits, unless the divisor is 0.
std::optional<Term> Pool::division_by_halves(Term condition, Term yes, Term no) {
  const Node whole = node(no);
  const bool divides = is_quotient(whole.op);
  const bool is_rest = whole.op == Operator::remainder || whole.op == Operator::remainder_signed;
  if (whole.width != 2 * half || (!divides && !is_rest)) return std::nullopt;
  const Term a = whole.operands[0];
  const Term b = whole.operands[1];
  const auto higher = [&](Term term) { return masked(term, ~mask_of(half)); };
  const Term zero = constant(0, 2 * half);
  const bool is_small = equal(higher(a), zero) == truth(true);
  const bool is_of_divisor = is_small && condition == equal(higher(b), zero);
  if (!is_of_divisor && condition != equal(higher(bits_or(a, b)), zero)) return std::nullopt;
  const Term low_a = part(a, 0, half);
  const Term low_b = part(b, 0, half);
  const Term low = divides ? quotient(low_a, low_b, false) : remainder(low_a, low_b, false);
  if (yes != zero_extended(low, 2 * half)) return std::nullopt;
  // By 0, the rest is the dividend in either case.
  if (is_rest) return no;
  const Term by_zero = equal(b, zero);
  return choice(is_of_divisor ? by_zero : both(condition, by_zero),
                constant(mask_of(half), 2 * half), no);
}

}  // namespace bankproof::symbolic
