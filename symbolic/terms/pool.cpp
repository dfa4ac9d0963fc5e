// Keeps the nodes; see pool.hpp. The files beside it simplify.
#include "pool.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace bankproof::symbolic {

std::size_t Pool::Hash::operator()(const Node& node) const {
  std::size_t hash = static_cast<std::size_t>(node.op) * 64 + node.width;
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29U;
  };
  mix(node.value);
  for (const Term operand : node.operands) mix(static_cast<std::uint64_t>(operand));
  for (const std::uint64_t coefficient : node.coefficients) mix(coefficient);
  return hash;
}

Term Pool::intern(Node node) {
  if (node.width == 0 || node.width > 64) throw std::logic_error("a term of no width");
  const auto next = static_cast<Term>(nodes_.size());
  const auto [known, is_new] = known_.emplace(std::move(node), next);
  if (is_new) {
    possible_bits_.push_back(find_possible_bits(known->first) & mask_of(known->first.width));
    nodes_.push_back(&known->first);
  }
  return known->second;
}

Term Pool::constant(std::uint64_t value, unsigned width) {
  return intern({.op = Operator::constant,
                 .width = static_cast<std::uint8_t>(width),
                 .value = value & mask_of(width)});
}

Term Pool::unknown(const std::string& name, unsigned width, std::uint64_t align) {
  names_.push_back(name);
  const Term made = intern({.op = Operator::unknown,
                            .width = static_cast<std::uint8_t>(width),
                            .value = names_.size() - 1});
  possible_bits_[static_cast<std::size_t>(made)] &= ~(align - 1);
  return made;
}

Term Pool::binary(Operator op, Term a, Term b, unsigned width) {
  return intern({.op = op, .width = static_cast<std::uint8_t>(width), .operands = {a, b}});
}

namespace {

/// All bits up to the highest one of `bits`.
std::uint64_t filled(std::uint64_t bits) {
  return bits == 0 ? 0 : mask_of(static_cast<unsigned>(std::bit_width(bits)));
}

}  // namespace

/// Whether something else is chosen instead of a quotient by 0.
bool Pool::divides_unless_zero(const Node& choice) const {
  const Node& condition = node(choice.operands[0]);
  const Node& quotient = node(choice.operands[2]);
  if (quotient.op != Operator::quotient || condition.op != Operator::equal) return false;
  const Term divisor = quotient.operands[1];
  const auto compares = [&](std::size_t one, std::size_t other) {
    return condition.operands[one] == divisor && is_constant(condition.operands[other], 0);
  };
  return compares(0, 1) || compares(1, 0);
}

std::uint64_t Pool::find_possible_bits(const Node& node) const {
  const std::uint64_t all = mask_of(node.width);
  const auto of = [&](std::size_t i) { return possible_bits(node.operands[i]); };
  switch (node.op) {
    case Operator::constant:
      return node.value;
    case Operator::sum: {
      // The places below the lowest bit of every part stay 0.
      std::uint64_t any = node.value;
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        any |= node.coefficients[i] * (of(i) & (~of(i) + 1));
      }
      const auto limits = limits_of_sum(node);
      const std::uint64_t low = any & (~any + 1);
      const std::uint64_t high = limits ? filled(limits->most) : all;
      return low == 0 ? 0 : high & ~(low - 1);
    }
    case Operator::product: {
      Wide most = 1;
      for (const Term factor : node.operands) {
        most *= possible_bits(factor);
        if (most > all) return all;
      }
      return filled(static_cast<std::uint64_t>(most));
    }
    case Operator::quotient: {
      const Node& divisor = this->node(node.operands[1]);
      const bool is_known = divisor.op == Operator::constant && divisor.value != 0;
      return is_known ? filled(of(0) / divisor.value) : all;
    }
    case Operator::remainder:
      return filled(of(0));
    case Operator::bits_and: {
      std::uint64_t bits = all;
      for (const Term operand : node.operands) bits &= possible_bits(operand);
      return bits;
    }
    case Operator::bits_or:
    case Operator::bits_exclusive_or: {
      std::uint64_t bits = 0;
      for (const Term operand : node.operands) bits |= possible_bits(operand);
      return bits;
    }
    case Operator::shift_right:
      return filled(of(0));
    case Operator::part:
      return of(0) >> node.value;
    case Operator::zero_extended:
      return of(0);
    case Operator::sign_extended: {
      const unsigned from = width(node.operands[0]);
      return of(0) >> (from - 1) == 0 ? of(0) : of(0) | (all & ~mask_of(from));
    }
    case Operator::count_ones:
    case Operator::count_leading_zeros:
      return filled(width(node.operands[0]));
    case Operator::choice:
      return of(1) | (divides_unless_zero(node)
                          ? filled(possible_bits(this->node(node.operands[2]).operands[0]))
                          : of(2));
    default:
      return all;
  }
}

Term Pool::rebuilt(Term term, std::span<const Term> operands) {
  const Node copy = node(term);
  const auto at = [&](std::size_t i) { return operands[i]; };
  const auto folded = [&](Term (Pool::*join)(Term, Term)) {
    Term all = at(0);
    for (const Term one : operands.subspan(1)) all = (this->*join)(all, one);
    return all;
  };
  switch (copy.op) {
    case Operator::constant:
    case Operator::unknown:
      return term;
    case Operator::sum: {
      Term total = constant(copy.value, copy.width);
      for (std::size_t i = 0; i < operands.size(); ++i) {
        total = add(total, scale(at(i), copy.coefficients[i]));
      }
      return total;
    }
    case Operator::product:
      return folded(&Pool::multiply);
    case Operator::high_product:
    case Operator::high_product_signed:
      return high_product(at(0), at(1), copy.op == Operator::high_product_signed);
    case Operator::quotient:
    case Operator::quotient_signed:
      return quotient(at(0), at(1), copy.op == Operator::quotient_signed);
    case Operator::remainder:
    case Operator::remainder_signed:
      return remainder(at(0), at(1), copy.op == Operator::remainder_signed);
    case Operator::bits_and:
      return folded(&Pool::bits_and);
    case Operator::bits_or:
      return folded(&Pool::bits_or);
    case Operator::bits_exclusive_or:
      return folded(&Pool::bits_exclusive_or);
    case Operator::negation:
      return negation(at(0));
    case Operator::shift_left:
      return shift_left(at(0), at(1));
    case Operator::shift_right:
    case Operator::shift_right_signed:
      return shift_right(at(0), at(1), copy.op == Operator::shift_right_signed);
    case Operator::part:
      return part(at(0), static_cast<unsigned>(copy.value), copy.width);
    case Operator::zero_extended:
      return zero_extended(at(0), copy.width);
    case Operator::sign_extended:
      return sign_extended(at(0), copy.width);
    case Operator::count_ones:
      return count_ones(at(0), copy.width);
    case Operator::count_leading_zeros:
      return count_leading_zeros(at(0), copy.width);
    case Operator::equal:
      return equal(at(0), at(1));
    case Operator::below:
    case Operator::below_signed:
      return below(at(0), at(1), copy.op == Operator::below_signed);
    case Operator::choice:
      return choice(at(0), at(1), at(2));
  }
  return term;
}

}  // namespace bankproof::symbolic
