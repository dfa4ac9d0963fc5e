// Recognizes how compilers divide.
#include <algorithm>

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

namespace {

/// The product of a monomial and a polynomial.
Polynomial multiplied(const Polynomial& sum, const Monomial& by, std::uint64_t factor) {
  Polynomial all;
  for (const auto& [monomial, coefficient] : sum) {
    Monomial both = monomial;
    both.insert(both.end(), by.begin(), by.end());
    std::sort(both.begin(), both.end());
    all[both] += coefficient * factor;
  }
  return all;
}

}  // namespace

/// What has to be added to a sum with c·m·(a mod d) and c·m·d·(a/d) to get c·m·a there; nothing if
/// the second one is not in the sum. If d is 0, the rest is a, and so is the machine's.
std::optional<Polynomial> Pool::division_in(const Polynomial& sum, const Monomial& with_rest,
                                            std::size_t at, unsigned bits) const {
  const std::uint64_t c = sum.at(with_rest);
  const Node& rest = node(with_rest[at]);
  const bool is_signed = rest.op == Operator::remainder_signed;
  if (!is_signed && rest.op != Operator::remainder) return std::nullopt;
  Monomial m = with_rest;
  m.erase(m.begin() + static_cast<std::ptrdiff_t>(at));
  const Operator op = is_signed ? Operator::quotient_signed : Operator::quotient;
  for (const auto& [monomial, coefficient] : sum) {
    for (const Term factor : monomial) {
      if (node(factor).op != op || node(factor).operands != rest.operands) continue;
      Monomial m_and_quotient = m;
      m_and_quotient.push_back(factor);
      const Polynomial product = multiplied(polynomial(rest.operands[1]), m_and_quotient, c);
      const bool has_all = std::all_of(product.begin(), product.end(), [&](const auto& part) {
        const auto found = sum.find(part.first);
        return found != sum.end() && ((found->second - part.second) & mask_of(bits)) == 0;
      });
      if (!has_all) continue;
      Polynomial change = multiplied(polynomial(rest.operands[0]), m, c);
      add_to(change, product, ~std::uint64_t{0});
      change[with_rest] -= c;
      return change;
    }
  }
  return std::nullopt;
}

/// d·(a/d) + a mod d, as of an index that is taken apart into a row and a column, is a.
void Pool::join_divisions(Polynomial& sum, unsigned bits) const {
  const auto change = [&]() -> std::optional<Polynomial> {
    for (const auto& [monomial, coefficient] : sum) {
      if ((coefficient & mask_of(bits)) == 0) continue;
      for (std::size_t at = 0; at < monomial.size(); ++at) {
        if (auto found = division_in(sum, monomial, at, bits)) return found;
      }
    }
    return std::nullopt;
  };
  while (const auto more = change()) add_to(sum, *more, 1);
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
