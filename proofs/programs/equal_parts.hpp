// Proves that parts of formulas are the same, where the formulas' terms alone do not show it:
// quotients, choices and products, which the solvers know as new numbers.
#pragma once

#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "formula_terms.hpp"
#include "relations.hpp"
#include "samples.hpp"

namespace bankproof::proofs {

class EqualParts {
 public:
  EqualParts(Query& q, FormulaTerms& terms, const Samples& samples)
      : q_(q), terms_(terms), samples_(samples) {}

  /// Claims what samples say of the parts of these formulas, and of no part of a sum in them; that
  /// they are the same only if a relation has both formulas, on either side.
  void claim(const std::vector<WrittenPointer>& formulas, const std::vector<Relation>& relations);

 private:
  using Parts = std::vector<WrittenPointer>;

  void collect(const WrittenPointer& node, std::unordered_set<const WrittenNode*>& met,
               Parts& parts) const;
  static void add_products(const WrittenPointer& sum, const WrittenPointer& factor, Parts& parts);
  bool is_one(const WrittenPointer& formula) const;
  void know_factors_of_one(const WrittenPointer& part);
  void know_round(const WrittenPointer& part);
  bool know_at_least_one(const WrittenPointer& formula);
  void claim_same(const Parts& of_one, const Parts& of_other);
  void know_rounded(const WrittenPointer& ceiling, const WrittenPointer& other);
  void claim_same(const WrittenPointer& a, const WrittenPointer& b);
  void know_shift(const WrittenPointer& part, const Parts& of_one, const Parts& of_other);
  std::optional<Written> without_factor(const WrittenNode& product, const WrittenPointer& factor);
  void know_products(const WrittenPointer& sum);
  void claim_factors(const WrittenPointer& factor, const WrittenPointer& x,
                     const WrittenPointer& y);

  Query& q_;
  FormulaTerms& terms_;
  const Samples& samples_;
  std::set<unsigned> met_;  // products and rounds, by their ids
};

}  // namespace bankproof::proofs
