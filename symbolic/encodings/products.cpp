// Lemmas about products; see integers.hpp.
#include <algorithm>
#include <utility>

#include "integers.hpp"
#include "numbers.hpp"

namespace bankproof::symbolic {

Integers::Number Integers::common_divisor(const Sum& sum) {
  Number common = 0;
  for (const auto& [atoms, coefficient] : sum) {
    for (Number a = coefficient; a != 0;) {
      const Number rest = common % a;
      common = std::exchange(a, rest);
    }
  }
  return common < 0 ? -common : std::max<Number>(common, 1);
}

/// What a product of d and u ≥ 0 is. From c·d ≥ 1 follows d ≥ 1, and so d·u ≥ u.
void Integers::add_lemma(const Sum& multiple, const Sum& u) {
  const Number common = common_divisor(multiple);
  Sum d;
  for (const auto& [atoms, coefficient] : multiple) d[atoms] = coefficient / common;
  const z3::expr one = expression(d);
  const z3::expr least = expression(u);
  const z3::expr all = expression(times(d, u));
  define(z3::implies(one >= 1, all >= least));
  define(z3::implies(one <= -1, all <= -least));
  define(z3::implies(one == 0, all == 0));
}

void Integers::add_lemmas(const Sum& sum) {
  if (!explained_.insert(sum).second) return;
  std::set<unsigned> factors;
  for (const auto& [atoms, coefficient] : sum) {
    if (atoms.size() > 1) factors.insert(atoms.begin(), atoms.end());
  }
  for (const unsigned factor : factors) {
    if (ranges_[factor].least < 0) continue;
    Sum cofactor;
    for (const auto& [atoms, coefficient] : sum) {
      const auto at = std::find(atoms.begin(), atoms.end(), factor);
      if (at == atoms.end()) continue;
      Atoms rest = atoms;
      rest.erase(rest.begin() + (at - atoms.begin()));
      cofactor = plus(cofactor, {{rest, 1}}, coefficient);
    }
    add_lemma(cofactor, of_atom(factor));
    add_lemmas(cofactor);
  }
}

/// Says of a sum g·a + r, where r is between -g and g, that a decides whether it is positive or
/// negative: in an address, g is the size of a row, a is the row, and r is the column.
void Integers::add_lemmas_of_digits(const Sum& sum) {
  constexpr std::size_t most_terms = 12;
  if (sum.size() > most_terms) return;
  std::set<Number> units;
  for (const auto& [atoms, coefficient] : sum) {
    if (atoms.empty() || !numbers::is_bounded(coefficient, coefficient)) continue;
    units.insert(coefficient < 0 ? -coefficient : coefficient);
  }
  for (const Number unit : units) {
    if (unit == 1) continue;
    Sum digits;
    Sum rest;
    for (const auto& [atoms, coefficient] : sum) {
      const bool is_of_unit = !atoms.empty() && coefficient % unit == 0;
      (is_of_unit ? digits : rest)[atoms] = is_of_unit ? coefficient / unit : coefficient;
    }
    const Range r = range(rest);
    if (r.least <= -unit || r.most >= unit) continue;
    const z3::expr a = expression(digits);
    const z3::expr all = expression(sum);
    define(z3::implies(a >= 1, all >= number(unit + r.least)));
    define(z3::implies(a <= -1, all <= number(r.most - unit)));
    add_lemmas_of_digits(digits);
  }
}

// What a sum would be if none of its values had wrapped around.
Integers::Sum Integers::unwrapped(const Sum& sum) const {
  Sum all;
  for (const auto& [atoms, coefficient] : sum) {
    Sum product{{{}, coefficient}};
    for (const unsigned one : atoms) {
      const auto lazy = lazy_.find(one);
      product = times(product, lazy == lazy_.end() ? of_atom(one) : lazy->second);
    }
    all = plus(all, product, 1);
  }
  return all;
}

/// How often 2^width is in the product. Nothing if its coefficients are large.
std::optional<Integers::Sum> Integers::upper_half(const Node& high_product) {
  const Sum a = value(high_product.operands[0], false);
  const Sum b = value(high_product.operands[1], false);
  const auto is_small = [](const Sum& sum) {
    const Number large = numbers::power(32);
    return std::all_of(sum.begin(), sum.end(),
                       [&](const auto& one) { return one.second < large && -one.second < large; });
  };
  if (!is_small(a) || !is_small(b)) return std::nullopt;
  const Number all = numbers::power(high_product.width);
  const Sum whole = times(a, b);
  const unsigned upper = atom("upper", {0, all - 1});
  const unsigned lower = atom("lower", {0, all - 1});
  define(expression(whole) == expression(plus(of_atom(lower), of_atom(upper), all)));
  add_lemmas(whole);
  return of_atom(upper);
}

z3::expr Integers::at_most(const Sum& a, const Sum& b) {
  const Sum difference = plus(b, a, -1);
  const Sum other = unwrapped(difference);
  for (const Sum& one : {difference, other}) {
    add_lemmas(one);
    if (compared_.insert(one).second) add_lemmas_of_digits(one);
  }
  return expression(a) <= expression(b);
}

// From a < b follows a·u + u ≤ b·u, if u multiplies what is in a or b elsewhere.
void Integers::add_products_of_comparisons() {
  constexpr std::size_t most_terms = 8;
  const auto is_linear = [](const Sum& sum) {
    return sum.size() <= most_terms && std::all_of(sum.begin(), sum.end(), [](const auto& one) {
             return one.first.size() <= 1;
           });
  };
  std::vector<Atoms> products;
  for (const auto& [atoms, product] : products_) {
    if (atoms.size() == 2 || atoms.size() == 3) products.push_back(atoms);
  }
  std::set<std::pair<const Sum*, Atoms>> wanted;
  for (const Sum& sum : compared_) {
    if (!is_linear(sum)) continue;
    for (const Atoms& product : products) {
      for (std::size_t at = 0; at < product.size(); ++at) {
        if (sum.count({product[at]}) == 0) continue;
        Atoms rest = product;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
        wanted.emplace(&sum, std::move(rest));
      }
    }
  }
  for (const auto& [sum, rest] : wanted) {
    const Sum factor{{rest, 1}};
    if (range(factor).least >= 0) add_lemma(*sum, factor);
  }
}

// From index < size follows index·u + u ≤ size·u.
void Integers::add_products_of_indices() {
  for (const auto& [index, size] : indices_) {
    const Sum of_index = value(index, false);
    const Sum of_size = value(size, false);
    if (of_index.size() != 1 || of_index.begin()->first.size() != 1) continue;
    const unsigned atom = of_index.begin()->first.front();
    std::vector<Atoms> products;
    products.reserve(products_.size());
    for (const auto& [atoms, product] : products_) products.push_back(atoms);
    for (Atoms rest : products) {
      const auto at = std::find(rest.begin(), rest.end(), atom);
      if (at == rest.end()) continue;
      rest.erase(at);
      const Sum factor{{rest, 1}};
      if (range(factor).least < 0) continue;
      const Sum least = plus(times(factor, of_index), factor, 1);
      define(expression(least) <= expression(times(factor, of_size)));
    }
  }
}

}  // namespace bankproof::symbolic
