// Bounds parameters; see bounds.hpp.
#include "bounds.hpp"

#include <algorithm>
#include <unordered_map>

#include "../execution/substitute.hpp"
#include "premises.hpp"

namespace bankproof::symbolic {

std::string as_conditions(const SizeBounds& bounds) {
  std::string text;
  const auto add = [&](const std::string& condition) {
    text += (text.empty() ? "'" : ", '") + condition + "'";
  };
  for (const auto& [name, bound] : bounds) {
    if (bound.is_from_zero) add("0 <= " + name);
    add(name + " <= 1 << " + std::to_string(bound.exponent));
  }
  return text;
}

UsualBounds::UsualBounds(Subject& subject, const Request& request,
                         const std::vector<NamedValue>& values)
    : subject_(subject) {
  for (const NamedValue& one : values) {
    const bool is_size = one.is_number() && one.bytes >= 4;
    if (!is_size || is_bounded(request, one)) continue;
    if (const auto term = subject.inputs().reads(one.index, one.offset, one.bytes)) {
      sizes_.push_back({*term, one.name, one.is_signed});
    }
  }
}

/// How many of a factor's factors are sizes.
unsigned UsualBounds::sizes_in(Term factor) const {
  const Node& node = subject_.pool.node(factor);
  if (node.op == Operator::unknown) {
    return std::any_of(sizes_.begin(), sizes_.end(),
                       [&](const Size& one) { return one.term == factor; });
  }
  const bool has_factors = node.op == Operator::product || node.op == Operator::zero_extended ||
                           node.op == Operator::sign_extended;
  if (!has_factors) return 0;
  unsigned count = 0;
  for (const Term one : node.operands) count += sizes_in(one);
  return count;
}

unsigned UsualBounds::largest_exponent(const std::vector<Term>& statements) const {
  unsigned exponent = 30;
  each_term(subject_.pool, statements, [&](Term term, const Node& node) {
    if (node.op != Operator::product) return;
    exponent = std::min(exponent, (node.width - 2) / (sizes_in(term) + 1));
  });
  return exponent;
}

Term UsualBounds::is_within(const Size& size, const SizeBound& bound) const {
  Pool& pool = subject_.pool;
  const unsigned width = pool.width(size.term);
  const Term most = pool.constant(std::uint64_t{1} << bound.exponent, width);
  // Without a sign, negative numbers are large ones.
  return pool.at_most(size.term, most, size.is_signed && !bound.is_from_zero);
}

std::vector<Term> UsualBounds::of(const SizeBounds& bounds) const {
  std::vector<Term> all;
  for (const Size& size : sizes_) {
    const auto found = bounds.find(size.name);
    if (found != bounds.end()) all.push_back(is_within(size, found->second));
  }
  return all;
}

Bounds UsualBounds::at_most(unsigned exponent, bool is_from_zero,
                            const std::vector<Term>& statements) const {
  Bounds all;
  std::unordered_map<Term, bool> met;
  for (const Term statement : statements) {
    each_unknown(subject_.pool, statement, met, [&](Term unknown) {
      for (const Size& one : sizes_) {
        if (one.term != unknown) continue;
        const SizeBound bound{exponent, is_from_zero && one.is_signed};
        if (all.sizes.emplace(one.name, bound).second) all.terms.push_back(is_within(one, bound));
      }
    });
  }
  return all;
}

}  // namespace bankproof::symbolic
