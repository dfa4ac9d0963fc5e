// The terms of a query that formulas stand for.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "../builder/query.hpp"

namespace bankproof::proofs {

class FormulaTerms {
 public:
  using Names = std::map<std::string, IntTerm>;
  using Places = std::map<WrittenNumber, IntTerm>;

  /// Terms for the names of formulas, and for the places of sums that they lie in.
  FormulaTerms(Query& q, const Names& names, Places places)
      : q_(q), names_(names), places_(std::move(places)) {}

  /// The sum that this formula is.
  void know_sum(const WrittenPointer& sum, const IntTerm& term) {
    sums_.insert_or_assign(sum, term);
  }
  bool knows_sum(const WrittenPointer& sum) const { return sums_.count(sum) != 0; }
  /// The sums that these terms know are known here, too.
  void know_sums_of(const FormulaTerms& others) { sums_ = others.sums_; }

  /// The term of a number. Throws std::logic_error for a sum that is not known.
  IntTerm operator()(const WrittenPointer& number);

  /// A comparison of numbers.
  Truth truth(const WrittenNode& condition);

  /// Proves that a formula of sizes, which are positive, is positive, too.
  void know_positive(const WrittenPointer& number);

  /// Formulas with the same id have the same term.
  unsigned id_of(const WrittenPointer& number) {
    return (*this)(number).expression(q_.context()).id();
  }

 private:
  IntTerm made_of_parts(const WrittenNode& node);
  IntTerm divisor(const WrittenPointer& node);

  Query& q_;
  const Names& names_;
  Places places_;
  std::unordered_map<const WrittenNode*, IntTerm> terms_;
  std::map<WrittenPointer, IntTerm> sums_;
  std::vector<WrittenPointer> kept_;  // what terms_ knows by its address
  std::set<unsigned> positive_;       // products, by their ids
};

}  // namespace bankproof::proofs
