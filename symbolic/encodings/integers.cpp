// Writes terms as whole numbers; see integers.hpp.
#include "integers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "numbers.hpp"

namespace bankproof::symbolic {

namespace {

using namespace numbers;

/// Numbers below this are taken apart into bits.
constexpr std::uint64_t few_bits = 1U << 10U;

}  // namespace

// ---- Atoms and sums

unsigned Integers::atom(const std::string& name, Range range) {
  const auto made = static_cast<unsigned>(atoms_.size());
  atoms_.push_back(context_.int_const((name + " #" + std::to_string(made)).c_str()));
  ranges_.push_back(range);
  define(number(range.least) <= atoms_.back());
  define(atoms_.back() <= number(range.most));
  return made;
}

unsigned Integers::unknown(Term term, Range range) {
  is_exact_ = false;
  return atom("bits " + std::to_string(static_cast<std::uint32_t>(term)), range);
}

z3::expr Integers::number(Number value) { return context_.int_val(text_of(value).c_str()); }

Integers::Sum Integers::plus(const Sum& a, const Sum& b, Number factor) {
  Sum all = a;
  for (const auto& [atoms, coefficient] : b) {
    Number& there = all[atoms];
    there = wrapped_sum(there, wrapped_product(factor, coefficient));
    if (there == 0) all.erase(atoms);
  }
  return all;
}

Integers::Sum Integers::times(const Sum& a, const Sum& b) {
  Sum all;
  for (const auto& [x, c] : a) {
    for (const auto& [y, d] : b) {
      Atoms both;
      std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(both));
      all = plus(all, {{both, 1}}, wrapped_product(c, d));
    }
  }
  return all;
}

// Modulo 2^width, coefficients of the least size do.
Integers::Sum Integers::reduced(const Sum& sum, unsigned width) {
  Sum all;
  for (const auto& [atoms, coefficient] : sum) {
    const auto bits = static_cast<std::uint64_t>(coefficient) & mask_of(width);
    if (bits != 0) all[atoms] = signed_value(bits, width);
  }
  return all;
}

Integers::Range Integers::range(const Atoms& atoms) const {
  Range all{1, 1};
  for (const unsigned one : atoms) {
    const Range& r = ranges_[one];
    const auto ends = {limited_product(all.least, r.least), limited_product(all.least, r.most),
                       limited_product(all.most, r.least), limited_product(all.most, r.most)};
    all = {std::min(ends), std::max(ends)};
  }
  if (all.least < 0) return all;
  for (const auto& [known, most] : known_products_) {
    if (!std::includes(atoms.begin(), atoms.end(), known.begin(), known.end())) continue;
    Atoms rest;
    std::set_difference(atoms.begin(), atoms.end(), known.begin(), known.end(),
                        std::back_inserter(rest));
    if (std::any_of(rest.begin(), rest.end(), [&](unsigned x) { return ranges_[x].least < 0; })) {
      continue;
    }
    Number of_rest = most;
    for (const unsigned one : rest) of_rest = limited_product(of_rest, ranges_[one].most);
    all.most = std::min(all.most, of_rest);
  }
  return all;
}

Integers::Range Integers::range(const Sum& sum) const {
  Range all;
  for (const auto& [atoms, coefficient] : sum) {
    const Range r = range(atoms);
    const Number a = limited_product(coefficient, r.least);
    const Number b = limited_product(coefficient, r.most);
    all = {least_of_sum(all.least, std::min(a, b)), most_of_sum(all.most, std::max(a, b))};
  }
  return all;
}

z3::expr Integers::product(const Atoms& atoms) {
  if (atoms.size() == 1) return atoms_[atoms[0]];
  const auto found = products_.find(atoms);
  if (found != products_.end()) return found->second;
  std::string name = "product";
  for (const unsigned one : atoms) name += " " + std::to_string(one);
  z3::expr made = context_.int_const(name.c_str());
  products_.emplace(atoms, made);
  const Range r = range(atoms);
  if (r.least > -far) define(number(r.least) <= made);
  if (r.most < far) define(made <= number(r.most));
  return made;
}

z3::expr Integers::expression(const Sum& sum) {
  z3::expr_vector parts(context_);
  for (const auto& [atoms, coefficient] : sum) {
    if (atoms.empty()) {
      parts.push_back(number(coefficient));
    } else if (coefficient == 1) {
      parts.push_back(product(atoms));
    } else {
      parts.push_back(number(coefficient) * product(atoms));
    }
  }
  if (parts.empty()) return number(0);
  return parts.size() == 1 ? parts[0] : z3::sum(parts);
}

// ---- Terms

Integers::Sum Integers::sum(Term term) {
  const auto found = sums_.find(term);
  if (found != sums_.end()) return found->second;
  Sum result = made(term);
  const Range r = range(result);
  if (!is_bounded(r.least, r.most)) {
    result = of_atom(unknown(term, {0, power(pool_.width(term)) - 1}));
  }
  return sums_.emplace(term, std::move(result)).first->second;
}

Integers::Sum Integers::value(Term term, bool is_signed) {
  const auto found = values_.find({term, is_signed});
  if (found != values_.end()) return found->second;
  const unsigned width = pool_.width(term);
  Sum lazy = sum(term);
  const Number all = power(width);
  const Number least = is_signed ? -power(width - 1) : 0;
  const Range r = range(lazy);
  // How often 2^width has to be taken away, at least and at most.
  const Number fewest = floor_quotient(r.least - least, all);
  const Number most = floor_quotient(r.most - least, all);
  if (fewest == most) {
    lazy = plus(lazy, {{{}, all}}, -fewest);
  } else {
    const unsigned times_taken = atom("wraps", {fewest, most});
    const unsigned rest = atom("value", {least, least + all - 1});
    define(expression(lazy) == expression(plus(of_atom(rest), of_atom(times_taken), all)));
    // Numbers of few bits are meant to wrap around.
    if (width >= 32) add_lemmas(lazy_.emplace(rest, unwrapped(lazy)).first->second);
    lazy = of_atom(rest);
  }
  return values_[{term, is_signed}] = lazy;
}

Integers::Sum Integers::part(const Node& node) {
  const Term inner = node.operands[0];
  if (node.value == 0) return sum(inner);
  const Sum whole = value(inner, false);
  const Number unit = power(static_cast<unsigned>(node.value));
  const Range r = range(whole);
  const unsigned upper =
      atom("upper", {floor_quotient(r.least, unit), floor_quotient(r.most, unit)});
  const unsigned lower = atom("lower", {0, unit - 1});
  define(expression(whole) == expression(plus(of_atom(lower), of_atom(upper), unit)));
  return of_atom(upper);
}

std::vector<z3::expr> Integers::bits_of(Term term) {
  const auto found = bits_.find(term);
  if (found != bits_.end()) return found->second;
  std::vector<z3::expr> bits;
  Sum whole = value(term, false);
  for (std::uint64_t place = 1; place <= pool_.possible_bits(term); place *= 2) {
    if ((pool_.possible_bits(term) & place) == 0) {
      bits.push_back(context_.bool_val(false));
      continue;
    }
    const unsigned bit = atom("bit", {0, 1});
    bits.push_back(atoms_[bit] == 1);
    whole = plus(whole, of_atom(bit), -static_cast<Number>(place));
  }
  define(expression(whole) == 0);
  return bits_.emplace(term, std::move(bits)).first->second;
}

/// An operator on bits, of numbers that have few of them.
Integers::Sum Integers::bit_by_bit(const Node& node) {
  std::vector<z3::expr> bits = bits_of(node.operands[0]);
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    std::vector<z3::expr> others = bits_of(node.operands[i]);
    const std::size_t count = std::max(bits.size(), others.size());
    bits.resize(count, context_.bool_val(false));
    others.resize(count, context_.bool_val(false));
    for (std::size_t k = 0; k < count; ++k) {
      bits[k] = node.op == Operator::bits_and  ? bits[k] && others[k]
                : node.op == Operator::bits_or ? bits[k] || others[k]
                                               : bits[k] != others[k];
    }
  }
  Sum total;
  Number place = 1;
  for (const z3::expr& holds : bits) {
    const unsigned bit = atom("bit", {0, 1});
    define((atoms_[bit] == 1) == holds);
    total = plus(total, of_atom(bit), place);
    place *= 2;
  }
  return total;
}

Integers::Sum Integers::made(Term term) {
  const Node& node = pool_.node(term);
  const Range all{0, power(node.width) - 1};
  switch (node.op) {
    case Operator::constant:
      return node.value == 0 ? Sum{} : Sum{{{}, signed_value(node.value, node.width)}};
    case Operator::unknown: {
      const auto bound = known_.find(term);
      return of_atom(atom(pool_.name(term), bound == known_.end() ? all : bound->second));
    }
    case Operator::sum: {
      Sum total;
      if (node.value != 0) total[{}] = signed_value(node.value, node.width);
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        const Sum part = reduced(sum(node.operands[i]), node.width);
        total =
            reduced(plus(total, part, signed_value(node.coefficients[i], node.width)), node.width);
      }
      return total;
    }
    case Operator::product: {
      Sum total{{{}, 1}};
      for (const Term factor : node.operands) {
        total = reduced(times(total, reduced(sum(factor), node.width)), node.width);
      }
      return total;
    }
    case Operator::part:
      return part(node);
    case Operator::zero_extended:
      return value(node.operands[0], false);
    case Operator::sign_extended:
      return value(node.operands[0], true);
    case Operator::high_product:
      if (const auto upper = upper_half(node)) return *upper;
      break;
    case Operator::quotient:
    case Operator::quotient_signed:
      return divided(node, true);
    case Operator::remainder:
    case Operator::remainder_signed:
      return divided(node, false);
    case Operator::choice: {
      Sum yes = sum(node.operands[1]);
      const Sum no = sum(node.operands[2]);
      if (yes == no) return yes;  // as a number with and without its sign, where it has none
      const Range a = range(yes);
      const Range b = range(no);
      const unsigned chosen =
          atom("choice", {std::min(a.least, b.least), std::max(a.most, b.most)});
      const z3::expr condition = statement(node.operands[0]);
      define(z3::implies(condition, atoms_[chosen] == expression(yes)));
      define(z3::implies(!condition, atoms_[chosen] == expression(no)));
      return of_atom(chosen);
    }
    case Operator::bits_and:
    case Operator::bits_or:
    case Operator::bits_exclusive_or: {
      const auto has_few = [&](Term operand) { return pool_.possible_bits(operand) < few_bits; };
      if (node.width > 1 && std::all_of(node.operands.begin(), node.operands.end(), has_few)) {
        return bit_by_bit(node);
      }
      break;
    }
    default:
      break;
  }
  if (node.width == 1) {
    const unsigned bit = atom("bit", {0, 1});
    define((atoms_[bit] == 1) == statement(term));
    return of_atom(bit);
  }
  return of_atom(unknown(term, {0, static_cast<Number>(pool_.possible_bits(term))}));
}

/// A comparison of sums that needs no number of wraps: of numbers that are equal modulo
/// 2^width and too close for that, or of one that is small without a sign only if it is not
/// negative.
std::optional<z3::expr> Integers::without_wraps(const Node& node) {
  if (node.op != Operator::equal && node.op != Operator::below) return std::nullopt;
  const Number all = power(pool_.width(node.operands[0]));
  const bool is_equality = node.op == Operator::equal;
  if (!is_equality && !pool_.is_constant(node.operands[1])) return std::nullopt;
  Sum sums = sum(node.operands[0]);
  if (is_equality) sums = plus(sums, sum(node.operands[1]), -1);
  const Range r = range(sums);
  const Number end = is_equality ? 1 : Number{pool_.node(node.operands[1]).value};
  if (r.least < end - all || r.most >= all) return std::nullopt;
  const Sum last = end == 1 ? Sum{} : Sum{{{}, end - 1}};
  return at_most({}, sums) && at_most(sums, last);
}

const std::vector<z3::expr>& Integers::definitions() {
  add_divisions_of_comparisons();
  add_comparisons_of_quotients();
  add_products_of_comparisons();
  compared_.clear();
  add_products_of_indices();
  indices_.clear();
  return definitions_;
}

z3::expr Integers::statement(Term term) {
  const auto found = statements_.find(term);
  if (found != statements_.end()) return found->second;
  const Node& node = pool_.node(term);
  const auto at = [&](std::size_t i) { return statement(node.operands[i]); };
  const auto folded = [&](bool is_and) {
    z3::expr all = at(0);
    for (std::size_t i = 1; i < node.operands.size(); ++i)
      all = is_and ? all && at(i) : all || at(i);
    return all;
  };
  z3::expr made(context_);
  if (node.op == Operator::constant) {
    made = context_.bool_val(node.value != 0);
  } else if (node.op == Operator::negation) {
    made = !at(0);
  } else if (node.op == Operator::bits_and) {
    made = folded(true);
  } else if (node.op == Operator::bits_or) {
    made = folded(false);
  } else if (node.op == Operator::bits_exclusive_or) {
    made = at(0);
    for (std::size_t i = 1; i < node.operands.size(); ++i) made = made != at(i);
  } else if (auto linear = without_wraps(node)) {
    made = *linear;
  } else if (node.op == Operator::equal) {
    const Sum a = value(node.operands[0], false);
    const Sum b = value(node.operands[1], false);
    made = at_most(a, b) && at_most(b, a);
  } else if (node.op == Operator::below || node.op == Operator::below_signed) {
    const bool is_signed = node.op == Operator::below_signed;
    made = !at_most(value(node.operands[1], is_signed), value(node.operands[0], is_signed));
  } else {
    made = expression(value(term, false)) == 1;
  }
  statements_.emplace(term, made);
  return made;
}

}  // namespace bankproof::symbolic
