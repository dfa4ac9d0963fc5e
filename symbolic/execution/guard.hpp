// Under which condition control reaches a place: a conjunction, whose parts are kept apart, so that
// what two paths have in common is found again where they meet.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "../terms/pool.hpp"

namespace bankproof::symbolic {

class Guard {
 public:
  const std::vector<Term>& parts() const { return parts_; }

  Guard with(Pool& pool, Term condition) const {
    Guard more = *this;
    if (pool.is_constant(condition, 1)) return more;
    if (pool.node(condition).op == Operator::bits_and) {
      const std::vector<Term> parts = pool.node(condition).operands;
      for (const Term part : parts) more = more.with(pool, part);
      return more;
    }
    if (std::find(parts_.begin(), parts_.end(), condition) == parts_.end()) {
      more.parts_.push_back(condition);
    }
    return more;
  }
  /// Whether the parts alone show that it never holds.
  bool is_never(Pool& pool) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](Term part) {
      return pool.is_constant(part, 0) ||
             std::find(parts_.begin(), parts_.end(), pool.negation(part)) != parts_.end();
    });
  }
  Term term(Pool& pool) const {
    Term all = pool.truth(true);
    for (const Term part : parts_) all = pool.both(all, part);
    return all;
  }

 private:
  std::vector<Term> parts_;
};

/// What two guards have in common, and what the others of their parts say.
struct Met {
  Guard both;
  Term rest_of_a;
  Term rest_of_b;
};

inline Met meet(Pool& pool, const Guard& a, const Guard& b) {
  Met met{.both = {}, .rest_of_a = pool.truth(true), .rest_of_b = pool.truth(true)};
  const auto has = [](const Guard& of, Term part) {
    return std::find(of.parts().begin(), of.parts().end(), part) != of.parts().end();
  };
  for (const Term part : a.parts()) {
    if (has(b, part)) {
      met.both = met.both.with(pool, part);
    } else {
      met.rest_of_a = pool.both(met.rest_of_a, part);
    }
  }
  for (const Term part : b.parts()) {
    if (!has(a, part)) met.rest_of_b = pool.both(met.rest_of_b, part);
  }
  return met;
}

}  // namespace bankproof::symbolic
