// Divisions, and indices that are taken apart by them; see integers.hpp.
//
// Kernels take an index apart into a row and a column, or into more digits, and put them together
// in another order:
//
//   x = i % w;   y = i / w % h;   z = i / (w * h);        out[(x * h + y) * depth + z]
//
// So that solvers see that different indices have different places, a quotient of a quotient is one
// by the product of the divisors, comparisons of the index are also made of its digits, and
// quotients by the same divisor are compared.
#include <algorithm>
#include <utility>

#include "integers.hpp"
#include "numbers.hpp"

namespace bankproof::symbolic {

using namespace numbers;

/// The quotient's number. i/a/b, i/b/a and i/(a·b) are the same.
unsigned Integers::quotient_of(const Sum& a, const Sum& b, Range bounds) {
  std::pair<Sum, Sum> whole{a, b};
  if (a.size() == 1 && a.begin()->second == 1 && a.begin()->first.size() == 1) {
    const auto inner = divided_.find(a.begin()->first.front());
    if (inner != divided_.end()) {
      const Sum both = times(inner->second.second, b);
      const Range of_both = range(both);
      if (is_bounded(of_both.least, of_both.most)) whole = {inner->second.first, both};
    }
  }
  const auto known = quotients_.find(whole);
  if (known != quotients_.end()) return known->second;
  const unsigned made = atom("quotient", bounds);
  divided_.emplace(made, whole);
  return quotients_.emplace(std::move(whole), made).first->second;
}

/// a = b·q + r, where r has the sign of a.
Integers::Sum Integers::divided(const Node& node, bool wants_quotient) {
  const bool is_signed =
      node.op == Operator::quotient_signed || node.op == Operator::remainder_signed;
  const auto known = divisions_.find({node.operands[0], node.operands[1], is_signed});
  if (known != divisions_.end()) {
    return of_atom(wants_quotient ? known->second.quotient : known->second.rest);
  }
  const unsigned width = node.width;
  const Sum a = value(node.operands[0], is_signed);
  const Sum b = value(node.operands[1], is_signed);
  const Range of_a = range(a);
  const Range of_b = range(b);
  if (of_b.least <= 0) {
    // It may be 0 or negative.
    is_exact_ = false;
    const Number half = power(width - 1);
    return of_atom(atom("quotient", is_signed ? Range{-half, half - 1} : Range{0, 2 * half - 1}));
  }
  const Number least = std::min<Number>(of_a.least, 0);
  const Number most = std::max<Number>(of_a.most, 0);
  const unsigned quotient = quotient_of(a, b, {least / of_b.least, most / of_b.least});
  const unsigned rest =
      atom("rest", {std::max(least, 1 - of_b.most), std::min(most, of_b.most - 1)});
  divisions_[{node.operands[0], node.operands[1], is_signed}] = {a, b, quotient, rest};
  const Sum divided_part = times(b, of_atom(quotient));
  define(expression(a) == expression(plus(of_atom(rest), divided_part, 1)));
  define(expression(of_atom(rest)) < expression(b));
  if (least < 0) {
    define(-expression(of_atom(rest)) < expression(b));
    define(z3::implies(expression(a) >= 0, atoms_[rest] >= 0));
    define(z3::implies(expression(a) <= 0, atoms_[rest] <= 0));
  }
  add_lemmas(divided_part);
  return of_atom(wants_quotient ? quotient : rest);
}

/// The sum with b·q + r in the place of a, if a multiple of a is in it, but for its constant: a
/// compiler divides n − 1 − i to tell how often i + stride·k is below n.
std::optional<Integers::Sum> Integers::with_digits(const Sum& sum, const Division& division,
                                                   const Sum& dividend) {
  const auto first = std::find_if(dividend.begin(), dividend.end(),
                                  [](const auto& one) { return !one.first.empty(); });
  if (first == dividend.end()) return std::nullopt;
  const Sum digits =
      plus(of_atom(division.rest), times(division.divisor, of_atom(division.quotient)), 1);
  for (const auto& [atoms, there] : sum) {
    if (there % first->second != 0) continue;
    if (!std::includes(atoms.begin(), atoms.end(), first->first.begin(), first->first.end())) {
      continue;
    }
    Atoms rest;
    std::set_difference(atoms.begin(), atoms.end(), first->first.begin(), first->first.end(),
                        std::back_inserter(rest));
    const Sum factor{{rest, there / first->second}};
    const Sum all = times(dividend, factor);
    const bool has_all = std::all_of(all.begin(), all.end(), [&](const auto& one) {
      const auto found = sum.find(one.first);
      return one.first == rest || (found != sum.end() && found->second == one.second);
    });
    if (has_all) return plus(plus(sum, all, -1), times(digits, factor), 1);
  }
  return std::nullopt;
}

// From i < rows·columns follows that the row of i is less than rows.
void Integers::add_divisions_of_comparisons() {
  constexpr int most_digits = 16;
  std::vector<Sum> more(compared_.begin(), compared_.end());
  for (Sum& sum : more) {
    for (const auto& [terms, division] : divisions_) {
      const Sum as_numbers = unwrapped(division.dividend);
      for (int digits = 0; digits < most_digits; ++digits) {
        auto with = with_digits(sum, division, division.dividend);
        if (!with) with = with_digits(sum, division, as_numbers);
        if (!with) break;
        sum = std::move(*with);
        add_lemmas(sum);
      }
    }
  }
}

// If quotients by d differ, so do their multiples of d, by at least d.
void Integers::add_comparisons_of_quotients() {
  for (auto one = divisions_.begin(); one != divisions_.end(); ++one) {
    for (auto other = std::next(one); other != divisions_.end(); ++other) {
      const Division& a = one->second;
      const Division& b = other->second;
      if (a.divisor != b.divisor || a.quotient == b.quotient) continue;
      add_lemma(plus(of_atom(a.quotient), of_atom(b.quotient), -1), a.divisor);
    }
  }
}

}  // namespace bankproof::symbolic
