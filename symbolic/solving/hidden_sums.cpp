// Hides sums; see hidden_sums.hpp.
#include "hidden_sums.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "../execution/substitute.hpp"

namespace bankproof::symbolic {

namespace {

/// Whether a sum has a product of unknowns, or the term is one.
bool has_product(const Pool& pool, Term term) {
  const Node& node = pool.node(term);
  if (node.op != Operator::sum) return node.op == Operator::product;
  return std::any_of(node.operands.begin(), node.operands.end(),
                     [&](Term one) { return pool.node(one).op == Operator::product; });
}

/// The sums with products in some statements, and which of them are widened.
struct Sums {
  std::set<Term> all;
  std::set<Term> widened;
  std::size_t products = 0;  // in all statements

  Sums(const Pool& pool, const std::vector<Term>& statements) {
    each_term(pool, statements, [&](Term term, const Node& node) {
      if (node.op == Operator::product) ++products;
      if (node.op == Operator::sum && has_product(pool, term)) all.insert(term);
      const bool widens = node.op == Operator::zero_extended || node.op == Operator::sign_extended;
      if (widens && pool.node(node.operands[0]).op == Operator::sum &&
          has_product(pool, node.operands[0])) {
        widened.insert(node.operands[0]);
      }
    });
  }
};

}  // namespace

std::vector<Term> with_sums_hidden(Pool& pool, const std::vector<Term>& statements) {
  const Sums sums(pool, statements);
  if (sums.widened.empty()) return statements;
  Substitution by(pool);
  std::vector<std::pair<Term, Term>> hidden;  // a sum, and its unknown
  const auto without_product = [&](Term a, Term b) -> std::optional<Term> {
    if (pool.width(a) != pool.width(b)) return std::nullopt;
    const Term apart = pool.subtract(a, b);
    if (has_product(pool, apart)) return std::nullopt;
    return apart;
  };
  for (const Term sum : sums.widened) {
    hidden.emplace_back(sum, pool.unknown("sum", pool.width(sum)));
    by.put(sum, hidden.back().second);
  }
  for (const Term sum : sums.all) {
    if (sums.widened.count(sum) != 0) continue;
    // The same but for a number, or but for what has no products.
    std::optional<std::pair<Term, Term>> nearest;
    for (const auto& [known, unknown] : hidden) {
      const auto apart = without_product(sum, known);
      if (!apart || (nearest && !pool.is_constant(*apart))) continue;
      nearest = {unknown, *apart};
    }
    if (nearest) by.put(sum, pool.add(nearest->first, nearest->second));
  }
  // The fewer statements, the more may be: those with products left are left out.
  std::vector<Term> all;
  for (const Term statement : statements) {
    const Term one = by(statement);
    if (Sums(pool, {one}).products == 0) all.push_back(one);
  }
  // How far two of them are apart.
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    for (std::size_t before = 0; before < k; ++before) {
      const auto& [sum, number] = hidden[k];
      const auto& [other_sum, other_number] = hidden[before];
      const auto apart = without_product(sum, other_sum);
      if (!apart) continue;
      all.push_back(pool.equal(pool.subtract(number, other_number), *apart));
      // Solvers decide quickly which of two is the larger one, if a statement asks it.
      all.push_back(pool.either(pool.either(pool.below(number, other_number, false),
                                            pool.below(other_number, number, false)),
                                pool.equal(*apart, pool.constant(0, pool.width(sum)))));
    }
  }
  return all;
}

}  // namespace bankproof::symbolic
