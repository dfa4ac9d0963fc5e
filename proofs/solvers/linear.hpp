// Replaces each product of unknowns by a new unknown. A query over polynomials becomes a linear
// query over their monomials, which both solvers decide quickly. The linear query assumes less than
// the original query, so a claim that follows from the linear query also follows from the original.
// The linear query knows about products only from facts multiplied by terms ≥ 0. The value of a
// function is an unknown, and the arguments of the function are polynomials. Statements on machine
// words stay unchanged.
//
// Example: n ≥ p, multiplied by w, gives n·w ≥ p·w, in two unknowns.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../builder/goal.hpp"

namespace bankproof::proofs {

/// A product of unknowns: the sorted ids of their expressions. The empty product is 1.
using Monomial = std::vector<unsigned>;

/// A sum of monomials with coefficients ≠ 0.
using Polynomial = std::map<Monomial, std::int64_t>;

/// Rewrites the statements of one query.
class Linearizer {
 public:
  explicit Linearizer(z3::context& context) : context_(&context) {}

  /// The statement with an unknown in place of each product, and with each comparison of whole
  /// numbers multiplied by `factor`, which is ≥ 0. Throws std::logic_error if a number has more
  /// than 64 bits.
  z3::expr linear(const z3::expr& statement, const z3::expr& factor);

  /// A linear statement, and what it comes from: a fact, or a fact and the position of the factor
  /// that it is multiplied by; the negated claim comes from none.
  struct Statement {
    z3::expr expression;
    std::optional<FactNumber> fact;
    std::optional<std::size_t> factor;
  };
  /// The facts and their multiples by the goal's factors, and the negated claim at the end. A
  /// multiple is kept only if each of its products also occurs in another statement.
  std::vector<Statement> negation(const Goal& goal);

 private:
  /// A statement in linear form, and the ids of the unknowns that stand for its products.
  struct Part {
    z3::expr statement;
    std::set<unsigned> products;
  };
  /// Computed once for each statement and factor, because most facts of a goal were facts of the
  /// goal before it.
  const Part& part(const z3::expr& statement, const z3::expr& factor);
  Polynomial polynomial(const z3::expr& e);
  z3::expr expression(const Polynomial& polynomial);
  z3::expr of(const Monomial& monomial);

  z3::context* context_;
  std::map<unsigned, z3::expr> unknowns_;
  std::map<unsigned, Polynomial> polynomials_;  ///< by the ids of expressions in kept_
  std::vector<z3::expr> kept_;
  std::map<Monomial, z3::expr> products_;
  std::map<std::pair<unsigned, unsigned>, Part> parts_;  ///< by the ids of expressions in kept_
  std::set<unsigned> met_;  ///< products in the statement that is being rewritten
};

}  // namespace bankproof::proofs
