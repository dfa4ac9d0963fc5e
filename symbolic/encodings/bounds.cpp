// Bounds of unknowns, from statements that hold; see integers.hpp.
#include <algorithm>

#include "integers.hpp"
#include "numbers.hpp"

namespace bankproof::symbolic {

namespace {

using namespace numbers;

/// Bounds become narrower at most so often.
constexpr int most_rounds = 4;

/// The least and the most of numbers that products can be made of, and of products that can be
/// added.
constexpr Number largest = Number{1} << 62;
constexpr Number largest_part = Number{1} << 100;

}  // namespace

/// The range of `factor` times a number, if it is small enough to be added to others.
std::optional<Integers::Range> Integers::multiple(const Range& range, Number factor) {
  if (std::max(range.most, -range.least) > largest) return std::nullopt;
  if (factor > largest || -factor > largest) return std::nullopt;
  const auto [least, most] = std::minmax({factor * range.least, factor * range.most});
  if (most > largest_part || -least > largest_part) return std::nullopt;
  return Range{least, most};
}

Integers::Range Integers::bounds(Term term, bool is_signed) const {
  const auto found = bounds_.find({term, is_signed});
  if (found != bounds_.end()) return found->second;
  return bounds_[{term, is_signed}] = found_bounds(term, is_signed);
}

/// Finds the range of the term's value by interval arithmetic.
Integers::Range Integers::found_bounds(Term term, bool is_signed) const {
  const Node& node = pool_.node(term);
  const Number half = Number{1} << (node.width - 1);
  const Range all = is_signed ? Range{-half, half - 1} : Range{0, 2 * half - 1};
  const auto fitting = [&](const Range& r) {
    return r.least >= all.least && r.most <= all.most ? r : all;
  };
  // A range of the other signedness counts if all of its numbers are the same with either.
  switch (node.op) {
    case Operator::constant:
      return is_signed
                 ? Range{signed_value(node.value, node.width), signed_value(node.value, node.width)}
                 : Range{static_cast<Number>(node.value), static_cast<Number>(node.value)};
    case Operator::unknown: {
      const auto found = known_.find(term);
      return found == known_.end() ? all : fitting(found->second);
    }
    case Operator::zero_extended:
      return bounds(node.operands[0], false);
    case Operator::sign_extended:
      return is_signed ? bounds(node.operands[0], true) : fitting(bounds(node.operands[0], true));
    case Operator::sum: {
      Range total{signed_value(node.value, node.width), signed_value(node.value, node.width)};
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Number factor = signed_value(node.coefficients[i], node.width);
        const auto part = multiple(bounds(node.operands[i], is_signed), factor);
        if (!part) return all;
        total.least += part->least;
        total.most += part->most;
      }
      return fitting(total);
    }
    default: {
      const Range possible{0, static_cast<Number>(pool_.possible_bits(term))};
      const auto found = bounds_of_operator(node);
      if (!found || found->least < 0 || found->most > possible.most) {
        return is_signed ? fitting(possible) : possible;
      }
      return fitting(*found);
    }
  }
}

/// The range of what an operator makes of numbers without a sign; nothing if it says no more than
/// the bits do.
std::optional<Integers::Range> Integers::bounds_of_operator(const Node& node) const {
  const auto of = [&](std::size_t operand) { return bounds(node.operands[operand], false); };
  const auto has_no_sign = [&](std::size_t operand) {
    return bounds(node.operands[operand], true).least >= 0;
  };
  switch (node.op) {
    case Operator::part: {
      const Number unit = power(static_cast<unsigned>(node.value));
      return Range{of(0).least / unit, of(0).most / unit};
    }
    case Operator::product: {
      Range all{1, 1};
      for (std::size_t k = 0; k < node.operands.size(); ++k) {
        all = {limited_product(all.least, of(k).least), limited_product(all.most, of(k).most)};
      }
      return all;
    }
    case Operator::choice:
      return Range{std::min(of(1).least, of(2).least), std::max(of(1).most, of(2).most)};
    case Operator::quotient_signed:
    case Operator::remainder_signed:
      if (!has_no_sign(0) || !has_no_sign(1)) return std::nullopt;
      [[fallthrough]];
    case Operator::quotient:
    case Operator::remainder: {
      const Range a = of(0);
      const Range b = of(1);
      if (b.least == 0) return std::nullopt;
      const bool is_quotient =
          node.op == Operator::quotient || node.op == Operator::quotient_signed;
      if (is_quotient) return Range{a.least / b.most, a.most / b.least};
      return Range{0, std::min(a.most, b.most - 1)};
    }
    default:
      return std::nullopt;
  }
}

/// Each operand of a sum that does not wrap is what the others leave.
bool Integers::narrow_operands(const Node& sum, bool is_signed, const Range& to) {
  const Number constant = signed_value(sum.value, sum.width);
  Range total{constant, constant};
  std::vector<Range> parts;
  for (std::size_t i = 0; i < sum.operands.size(); ++i) {
    const Number factor = signed_value(sum.coefficients[i], sum.width);
    const auto part = multiple(bounds(sum.operands[i], is_signed), factor);
    if (!part) return false;
    parts.push_back(*part);
    total.least += parts.back().least;
    total.most += parts.back().most;
  }
  const Number half = Number{1} << (sum.width - 1);
  const Range all = is_signed ? Range{-half, half - 1} : Range{0, 2 * half - 1};
  if (total.least < all.least || total.most > all.most) return false;
  bool more = false;
  for (std::size_t i = 0; i < sum.operands.size(); ++i) {
    const Number factor = signed_value(sum.coefficients[i], sum.width);
    // What the others are at most and at least.
    const Number least = to.least - (total.most - parts[i].most);
    const Number most = to.most - (total.least - parts[i].least);
    const Range quotient =
        factor > 0 ? Range{-floor_quotient(-least, factor), floor_quotient(most, factor)}
                   : Range{-floor_quotient(most, -factor), floor_quotient(-least, -factor)};
    more = narrow(sum.operands[i], is_signed, quotient) || more;
  }
  return more;
}

/// A factor of a product that does not wrap is at most what the others, at least, leave of it.
bool Integers::narrow_factors(const Node& product, const Range& to) {
  Range all{1, 1};
  // What becomes known of one factor may say more of another one.
  std::vector<Range> before;
  for (const Term factor : product.operands) {
    before.push_back(bounds(factor, false));
    all = {limited_product(all.least, before.back().least),
           limited_product(all.most, before.back().most)};
  }
  if (all.least == 0 || all.most >= power(product.width)) return false;
  bool more = false;
  for (std::size_t k = 0; k < before.size(); ++k) {
    const Number others = all.least / before[k].least;
    more = narrow(product.operands[k], false, {before[k].least, to.most / others}) || more;
  }
  return more;
}

/// The value of the term is in this range. Returns whether that says more of an unknown.
bool Integers::narrow(Term term, bool is_signed, const Range& to) {
  const Node& node = pool_.node(term);
  if (node.op == Operator::zero_extended) return narrow(node.operands[0], false, to);
  if (node.op == Operator::sign_extended && is_signed) return narrow(node.operands[0], true, to);
  if (node.op == Operator::sum) return narrow_operands(node, is_signed, to);
  if (node.op == Operator::product && to.least >= 0) return narrow_factors(node, to);
  if (node.op != Operator::unknown) return false;
  const Range before = bounds(term, is_signed);
  const Range after{std::max(before.least, to.least), std::min(before.most, to.most)};
  // What is known of an unknown are its bounds without a sign.
  if (after.least < 0 || after.least > after.most) return false;
  const Number all = Number{1} << node.width;
  Range& known = known_.try_emplace(term, Range{0, all - 1}).first->second;
  if (after.least <= known.least && after.most >= known.most) return false;
  known = {std::max(known.least, after.least), std::min(known.most, after.most)};
  bounds_.clear();
  return true;
}

bool Integers::learn(Term statement, bool is_negated) {
  const Node& node = pool_.node(statement);
  if (node.op == Operator::negation) return learn(node.operands[0], !is_negated);
  // All of some hold, or none.
  if (node.op == (is_negated ? Operator::bits_or : Operator::bits_and)) {
    bool more = false;
    for (const Term part : node.operands) more = learn(part, is_negated) || more;
    return more;
  }
  if (node.op == Operator::equal && !is_negated) {
    bool more = false;
    for (const bool is_signed : {false, true}) {
      const Range a = bounds(node.operands[0], is_signed);
      const Range b = bounds(node.operands[1], is_signed);
      more = narrow(node.operands[0], is_signed, b) || more;
      more = narrow(node.operands[1], is_signed, a) || more;
    }
    return more;
  }
  if (node.op == Operator::equal) {
    // x ≠ 0
    const bool is_zero = pool_.is_constant(node.operands[1], 0);
    const Term other = node.operands[is_zero ? 0 : 1];
    if (!is_zero && !pool_.is_constant(node.operands[0], 0)) return false;
    return narrow(other, false, {1, (Number{1} << pool_.width(other)) - 1});
  }
  if (node.op != Operator::below && node.op != Operator::below_signed) return false;
  const bool is_signed = node.op == Operator::below_signed;
  // small < large, or small ≤ large.
  const Term small = node.operands[is_negated ? 1 : 0];
  const Term large = node.operands[is_negated ? 0 : 1];
  const Number gap = is_negated ? 0 : 1;
  const Range of_small = bounds(small, is_signed);
  const Range of_large = bounds(large, is_signed);
  const bool of_first = narrow(small, is_signed, {of_small.least, of_large.most - gap});
  return narrow(large, is_signed, {of_small.least + gap, of_large.most}) || of_first;
}

void Integers::learn(const std::vector<Term>& statements) {
  bool more = true;
  for (int round = 0; more && round < most_rounds; ++round) {
    more = false;
    for (const Term statement : statements) more = learn(statement, false) || more;
  }
  for (const Term statement : statements) {
    const Node& node = pool_.node(statement);
    if (node.op != Operator::below) continue;
    if (pool_.node(node.operands[0]).op == Operator::unknown) {
      indices_.emplace_back(node.operands[0], node.operands[1]);
    }
  }
  for (const Term statement : statements) learn_product(statement);
}

// c·u·v ≤ most. If an index is less than u, the same holds with the index.
void Integers::learn_product(Term statement) {
  const Node& outer = pool_.node(statement);
  if (outer.op != Operator::negation) return;
  const Node& node = pool_.node(outer.operands[0]);
  if (node.op != Operator::below || !pool_.is_constant(node.operands[0])) return;
  const Sum sides = sum(node.operands[1]);
  if (sides.size() != 1 || sides.begin()->first.size() < 2) return;
  const auto& [atoms, factor] = *sides.begin();
  const Range all = range(sides);
  // The statement is about a number that may have wrapped around, unless no product can.
  if (factor <= 0 || all.least < 0 || all.most > bounds(node.operands[1], false).most) return;
  if (std::any_of(atoms.begin(), atoms.end(), [&](unsigned x) { return ranges_[x].least < 0; })) {
    return;
  }
  const Number most = static_cast<Number>(pool_.node(node.operands[0]).value) / factor;
  known_products_[atoms] = most;
  // The atom that a term is, without a factor: 4·n is none.
  const auto atom = [&](Term term) -> std::optional<unsigned> {
    const Sum terms = sum(term);
    if (terms.size() != 1 || terms.begin()->second != 1) return std::nullopt;
    if (terms.begin()->first.size() != 1) return std::nullopt;
    return terms.begin()->first.front();
  };
  for (const auto& [index, size] : indices_) {
    const std::optional<unsigned> of_index = atom(index);
    const std::optional<unsigned> of_size = atom(size);
    if (!of_index || !of_size || ranges_[*of_index].least < 0) continue;
    Atoms other = atoms;
    const auto at = std::find(other.begin(), other.end(), *of_size);
    if (at == other.end()) continue;
    *at = *of_index;
    std::sort(other.begin(), other.end());
    known_products_.emplace(std::move(other), most);
  }
}

}  // namespace bankproof::symbolic
