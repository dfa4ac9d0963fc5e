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
    if (bound.least) add(std::to_string(*bound.least) + " <= " + name);
    add(name + " <= 1 << " + std::to_string(bound.exponent));
  }
  return text;
}

UsualBounds::UsualBounds(Subject& subject, const Request& request,
                         const std::vector<NamedValue>& values)
    : subject_(subject), request_(request) {
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
    // Narrower ones are remainders, such as the iterations that a compiler unrolls.
    if (node.op != Operator::product || node.width < 32) return;
    exponent = std::min(exponent, (node.width - 2) / (sizes_in(term) + 1));
  });
  return exponent;
}

/// The grid's axes that no --where bounds.
std::vector<UsualBounds::Size> UsualBounds::axes_of_grid() const {
  std::vector<Size> all;
  const auto& specials = subject_.inputs().specials();
  for (const char axis : {'x', 'y', 'z'}) {
    const auto found = specials.find(std::string("%nctaid.") + axis);
    NamedValue named{};
    named.name = std::string("gridDim.") + axis;
    named.numbered = named.name;
    if (found == specials.end() || is_bounded(request_, named)) continue;
    const auto index = specials.find(std::string("%ctaid.") + axis);
    all.push_back({found->second, named.name, false,
                   index == specials.end() ? found->second : index->second});
  }
  return all;
}

/// The numbers of elements of stated buffers, but for those that are known.
std::vector<UsualBounds::Size> UsualBounds::buffers() const {
  std::vector<Size> all;
  for (const auto& [text, elements] : subject_.elements_of_buffers) {
    if (subject_.pool.is_constant(elements)) continue;
    const bool has_weak_operator = text.find_first_of("?|&^<>=") != std::string::npos;
    all.push_back({elements, has_weak_operator ? "(" + text + ")" : text, false});
  }
  return all;
}

void UsualBounds::add_within(std::vector<Term>& all, const Size& size,
                             const SizeBound& bound) const {
  Pool& pool = subject_.pool;
  const unsigned width = pool.width(size.term);
  const Term most = pool.constant(std::uint64_t{1} << bound.exponent, width);
  // Without a sign, negative numbers are large ones.
  all.push_back(pool.at_most(size.term, most, size.is_signed && !bound.least));
  if (bound.least.value_or(0) > 0) {
    all.push_back(pool.negation(pool.equal(size.term, pool.constant(0, width))));
  }
}

std::vector<std::vector<Term>> UsualBounds::alternatives(
    const std::vector<Term>& statements) const {
  const unsigned exponent = largest_exponent(statements);
  std::vector<std::vector<Term>> all;
  for (const Most& most : {Most{exponent}, Most{exponent, true}, small_factors}) {
    std::vector<Term> bounds = at_most(most, statements).terms;
    const bool is_new = all.empty() || all.back() != bounds;
    if (!bounds.empty() && is_new) all.push_back(std::move(bounds));
  }
  return all;
}

std::vector<Term> UsualBounds::of(const SizeBounds& bounds) const {
  std::vector<Term> all;
  for (const std::vector<Size>& sizes : {sizes_, axes_of_grid(), buffers()}) {
    for (const Size& size : sizes) {
      const auto found = bounds.find(size.name);
      if (found != bounds.end()) add_within(all, size, found->second);
    }
  }
  return all;
}

Bounds UsualBounds::at_most(const Most& most, const std::vector<Term>& statements) const {
  std::unordered_map<Term, bool> divisors;
  each_term(subject_.pool, statements, [&](Term, const Node& node) {
    const bool divides = node.op == Operator::quotient || node.op == Operator::remainder ||
                         node.op == Operator::quotient_signed ||
                         node.op == Operator::remainder_signed;
    if (divides) each_unknown(subject_.pool, node.operands[1], divisors, [](Term) {});
  });
  std::unordered_map<Term, bool> factors;
  each_term(subject_.pool, statements, [&](Term, const Node& node) {
    if (node.op != Operator::product) return;
    for (const Term one : node.operands) each_unknown(subject_.pool, one, factors, [](Term) {});
  });
  std::vector<Size> sizes = sizes_;
  if (most.is_of_grid) {
    const std::vector<Size> axes = axes_of_grid();
    sizes.insert(sizes.end(), axes.begin(), axes.end());
  }
  Bounds all;
  std::unordered_map<Term, bool> met;
  for (const Term statement : statements) {
    each_unknown(subject_.pool, statement, met, [&](Term unknown) {
      for (const Size& one : sizes) {
        if (one.term != unknown && one.index != unknown) continue;
        const bool is_factor = factors.count(unknown) != 0;
        SizeBound bound{.exponent = most.exponent};
        if (most.is_from_zero && one.is_signed) bound.least = 0;
        if (most.of_others && !one.index) {
          if (is_factor) bound.least = 1;
          if (!is_factor) bound.exponent = *most.of_others;
        }
        if (divisors.count(unknown) != 0) bound.least = 1;
        if (all.sizes.emplace(one.name, bound).second) add_within(all.terms, one, bound);
      }
    });
  }
  if (!most.is_of_buffers) return all;
  for (const Size& one : buffers()) {
    bool is_met = false;
    std::unordered_map<Term, bool> unknowns;
    each_unknown(subject_.pool, one.term, unknowns,
                 [&](Term unknown) { is_met = is_met || met.count(unknown) != 0; });
    const SizeBound bound{.exponent = most.exponent};
    if (is_met && all.sizes.emplace(one.name, bound).second) add_within(all.terms, one, bound);
  }
  return all;
}

}  // namespace bankproof::symbolic
