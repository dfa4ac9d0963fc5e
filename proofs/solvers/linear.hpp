// Products of unknowns as unknowns of their own: a query over polynomials becomes one over their
// monomials, linear, which both solvers decide at once. It says less than the original, so that
// what follows from it follows; what it has to know of products are the multiples of its facts by
// terms that are not negative. The value of a function is an unknown, its arguments are polynomials
// themselves. Statements on machine words stay as they are.
//
// Example: from n ≥ p, multiplied by w, follows n·w ≥ p·w, in two unknowns.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace bankproof::proofs {

/// A product of unknowns, by the numbers of their expressions, in order; 1 if there are none.
using Monomial = std::vector<unsigned>;

/// A sum of monomials with factors that are not 0.
using Polynomial = std::map<Monomial, std::int64_t>;

/// Rewrites the statements of one query.
class Linearizer {
 public:
  explicit Linearizer(z3::context& context) : context_(&context) {}

  /// The statement with each product for an unknown, and every comparison of whole numbers in it
  /// multiplied by `factor`, which is not negative. Throws std::logic_error where a number has more
  /// than 64 bits.
  z3::expr linear(const z3::expr& statement, const z3::expr& factor);

  /// What a claim is to follow from, and that it does not hold: facts, and multiples of them by
  /// these factors as far as the products in them occur anywhere else.
  std::vector<z3::expr> negation(const std::vector<z3::expr>& facts,
                                 const std::vector<z3::expr>& factors, const z3::expr& claim);

 private:
  /// A statement in linear form, and the products in it by the numbers of their unknowns.
  struct Part {
    z3::expr statement;
    std::set<unsigned> products;
  };
  /// Of each statement and factor once, as most facts of a goal are those of the one before.
  const Part& part(const z3::expr& statement, const z3::expr& factor);
  Polynomial polynomial(const z3::expr& e);
  z3::expr expression(const Polynomial& polynomial);
  z3::expr of(const Monomial& monomial);

  z3::context* context_;
  std::map<unsigned, z3::expr> unknowns_;
  std::map<unsigned, Polynomial> polynomials_;  ///< of expressions that are kept
  std::vector<z3::expr> kept_;
  std::map<Monomial, z3::expr> products_;
  std::map<std::pair<unsigned, unsigned>, Part> parts_;  ///< of expressions that are kept
  std::set<unsigned> met_;  ///< products in the statement that is being rewritten
};

}  // namespace bankproof::proofs
