// Functions of which the solvers know only what a proof assumes.
#pragma once

#include <z3++.h>

#include <string>
#include <utility>
#include <vector>

#include "terms.hpp"
#include "word_term.hpp"

namespace bankproof::proofs {

/// A function of numbers.
class Function {
 public:
  Function(Query& query, std::string name, z3::func_decl function)
      : query_(&query), name_(std::move(name)), function_(std::move(function)) {}

  template <class... Terms>
  IntTerm operator()(const Terms&... terms) const {
    return applied({IntTerm(terms)...});
  }

 private:
  IntTerm applied(const std::vector<IntTerm>& terms) const;

  friend class Query;

  Query* query_;
  std::string name_;
  z3::func_decl function_;
  std::vector<Written> depends_on_;  ///< the numbers of the scopes in which it was made
  bool counts_ = false;
};

/// A function of machine words.
class WordFunction {
 public:
  WordFunction(Query& query, z3::func_decl function)
      : query_(&query), function_(std::move(function)) {}

  WordTerm operator()(const WordTerm& i) const {
    return {function_(i.expression(function_.ctx())), *query_};
  }

 private:
  Query* query_;
  z3::func_decl function_;
};

/// The greatest common divisor g of positive numbers a and b, with its cofactors: a = g·of_a and b
/// = g·of_b. Bézout: g = a·x + b·y, where x and y may be negative.
struct CommonDivisor {
  IntTerm g;
  IntTerm of_a;
  IntTerm of_b;
  IntTerm x;
  IntTerm y;
};

}  // namespace bankproof::proofs
