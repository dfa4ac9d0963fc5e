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
    std::set<Term> met;
    std::vector<Term> waiting = statements;
    while (!waiting.empty()) {
      const Term term = waiting.back();
      waiting.pop_back();
      if (!met.insert(term).second) continue;
      const Node& node = pool.node(term);
      if (node.op == Operator::product) ++products;
      if (node.op == Operator::sum && has_product(pool, term)) all.insert(term);
      const bool widens = node.op == Operator::zero_extended || node.op == Operator::sign_extended;
      if (widens && pool.node(node.operands[0]).op == Operator::sum &&
          has_product(pool, node.operands[0])) {
        widened.insert(node.operands[0]);
      }
      waiting.insert(waiting.end(), node.operands.begin(), node.operands.end());
    }
  }
};

/// blockIdx·blockDim + threadIdx, along one axis.
struct GridPlace {
  Term block_size{};
  Term block{};
  Term thread{};
};

std::optional<GridPlace> grid_place(const Pool& pool, Term sum) {
  const Node& node = pool.node(sum);
  if (node.op != Operator::sum || node.operands.size() != 2 || node.value != 0) return std::nullopt;
  if (node.coefficients != std::vector<std::uint64_t>{1, 1}) return std::nullopt;
  const auto named = [&](Term term, const std::string& name) {
    return pool.node(term).op == Operator::unknown && pool.name(term).rfind(name, 0) == 0;
  };
  for (const auto& [thread, product] : {std::pair(node.operands[0], node.operands[1]),
                                        std::pair(node.operands[1], node.operands[0])}) {
    const Node& factors = pool.node(product);
    if (factors.op != Operator::product || factors.operands.size() != 2) continue;
    for (const auto& [size, block] : {std::pair(factors.operands[0], factors.operands[1]),
                                      std::pair(factors.operands[1], factors.operands[0])}) {
      if (named(size, "ntid.") && named(block, "ctaid.") && named(thread, "tid.") &&
          pool.name(size)[5] == pool.name(thread)[4]) {
        return GridPlace{size, block, thread};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Term> with_sums_hidden(Pool& pool, const std::vector<Term>& statements) {
  const Sums sums(pool, statements);
  if (sums.widened.empty()) return statements;
  Substitution by(pool);
  std::vector<std::pair<Term, Term>> hidden;  // a sum, and its unknown
  const auto hide = [&](Term sum) {
    hidden.emplace_back(sum, pool.unknown("sum", pool.width(sum)));
    by.put(sum, hidden.back().second);
  };
  const auto without_product = [&](Term a, Term b) -> std::optional<Term> {
    if (pool.width(a) != pool.width(b)) return std::nullopt;
    const Term apart = pool.subtract(a, b);
    if (has_product(pool, apart)) return std::nullopt;
    return apart;
  };
  std::for_each(sums.widened.begin(), sums.widened.end(), hide);
  for (const Term sum : sums.all) {
    if (sums.widened.count(sum) != 0) continue;
    // The same but for a number, a place in the grid, or the same but for what has no products.
    std::optional<std::pair<Term, Term>> nearest;
    for (const auto& [known, unknown] : hidden) {
      const auto apart = without_product(sum, known);
      if (!apart || (nearest && !pool.is_constant(*apart))) continue;
      nearest = {unknown, *apart};
    }
    if (grid_place(pool, sum) && !(nearest && pool.is_constant(nearest->second))) {
      hide(sum);
    } else if (nearest) {
      by.put(sum, pool.add(nearest->first, nearest->second));
    }
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
      const Term sum = hidden[k].first;
      const Term other_sum = hidden[before].first;
      const Term hidden_sum = hidden[k].second;
      const Term hidden_other = hidden[before].second;
      // Solvers decide quickly which of two is the larger one, if a statement asks it.
      const auto differ_unless = [&](Term same) {
        all.push_back(pool.either(pool.either(pool.below(hidden_sum, hidden_other, false),
                                              pool.below(hidden_other, hidden_sum, false)),
                                  same));
      };
      if (const auto apart = without_product(sum, other_sum)) {
        all.push_back(pool.equal(pool.subtract(hidden_sum, hidden_other), *apart));
        differ_unless(pool.equal(*apart, pool.constant(0, pool.width(sum))));
        continue;
      }
      // A launch has at most 2^30 threads: places in a grid do not wrap around, and those of
      // different blocks differ.
      const auto a = grid_place(pool, sum);
      const auto b = grid_place(pool, other_sum);
      if (!a || !b || a->block_size != b->block_size) continue;
      differ_unless(pool.both(pool.equal(a->block, b->block), pool.equal(a->thread, b->thread)));
    }
  }
  return all;
}

}  // namespace bankproof::symbolic
