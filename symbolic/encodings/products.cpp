// Lemmas about products; see integers.hpp.
#include <algorithm>
#include <utility>

#include "integers.hpp"

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

void Integers::add_lemmas(const Sum& sum) {
  if (!explained_.insert(sum).second) return;
  std::set<unsigned> factors;
  for (const auto& [atoms, coefficient] : sum) {
    if (atoms.size() > 1) factors.insert(atoms.begin(), atoms.end());
  }
  for (const unsigned factor : factors) {
    if (ranges_[factor].least < 0) continue;
    Sum with;
    Sum cofactor;
    for (const auto& [atoms, coefficient] : sum) {
      const auto at = std::find(atoms.begin(), atoms.end(), factor);
      if (at == atoms.end()) continue;
      Atoms rest = atoms;
      rest.erase(rest.begin() + (at - atoms.begin()));
      with[atoms] += coefficient;
      cofactor = plus(cofactor, {{rest, 1}}, coefficient);
    }
    // From c·d ≥ 1 follows d ≥ 1, and so c·d·u ≥ c·u.
    const Number common = common_divisor(cofactor);
    for (auto* const some : {&with, &cofactor}) {
      for (auto& [atoms, coefficient] : *some) coefficient /= common;
    }
    const z3::expr u = atoms_[factor];
    const z3::expr d = expression(cofactor);
    const z3::expr all = expression(with);
    define(z3::implies(d >= 1, all >= u));
    define(z3::implies(d <= -1, all <= -u));
    define(z3::implies(d == 0, all == 0));
    add_lemmas(cofactor);
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

z3::expr Integers::at_most(const Sum& a, const Sum& b) {
  const Sum difference = plus(b, a, -1);
  const Sum other = unwrapped(difference);
  for (const Sum& one : {difference, other}) {
    add_lemmas(one);
    compared_.insert(one);
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
  std::vector<Atoms> pairs;
  for (const auto& [atoms, product] : products_) {
    if (atoms.size() == 2) pairs.push_back(atoms);
  }
  std::set<std::pair<const Sum*, unsigned>> wanted;
  for (const Sum& sum : compared_) {
    if (!is_linear(sum)) continue;
    for (const Atoms& pair : pairs) {
      for (const std::size_t at : {0U, 1U}) {
        if (sum.count({pair[at]}) != 0) wanted.emplace(&sum, pair[1 - at]);
      }
    }
  }
  for (const auto& [sum, factor] : wanted) add_lemmas(times(*sum, of_atom(factor)));
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
