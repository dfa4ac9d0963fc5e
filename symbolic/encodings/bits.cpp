// Writes terms as bit-vectors; see bits.hpp.
#include "bits.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace bankproof::symbolic {

namespace {

z3::expr divide_unsigned(const z3::expr& a, const z3::expr& b) { return z3::udiv(a, b); }
z3::expr rest_unsigned(const z3::expr& a, const z3::expr& b) { return z3::urem(a, b); }

}  // namespace

z3::expr BitVectors::vector(Term term) {
  std::vector<Term> waiting{term};
  while (!waiting.empty()) {
    const Term next = waiting.back();
    const std::size_t before = waiting.size();
    for (const Term operand : pool_.node(next).operands) {
      if (known_.count(operand) == 0) waiting.push_back(operand);
    }
    if (waiting.size() != before) continue;
    waiting.pop_back();
    if (known_.count(next) == 0) known_.emplace(next, made(pool_.node(next), next));
  }
  return known_.at(term);
}

z3::expr BitVectors::statement(Term term) { return vector(term) == number(1, 1); }

z3::expr BitVectors::made(const Node& node, Term term) {
  const unsigned width = node.width;
  const auto at = [&](std::size_t i) { return known_.at(node.operands[i]); };
  const auto width_of = [&](std::size_t i) { return pool_.width(node.operands[i]); };
  const auto of_bit = [&](const z3::expr& truth) {
    return z3::ite(truth, number(1, 1), number(0, 1));
  };
  const auto folded = [&](const auto& join) {
    z3::expr all = at(0);
    for (std::size_t i = 1; i < node.operands.size(); ++i) all = join(all, at(i));
    return all;
  };
  // Where a solver divides otherwise than the machine.
  const auto divided = [&](const z3::expr& result, const z3::expr& by_zero) {
    return z3::ite(at(1) == number(0, width), by_zero, result);
  };
  // Numbers of few bits have quotients and remainders of few bits, and small circuits for them.
  const auto in_few_bits = [&](z3::expr (*divide)(const z3::expr&, const z3::expr&)) {
    const std::uint64_t possible =
        pool_.possible_bits(node.operands[0]) | pool_.possible_bits(node.operands[1]);
    const unsigned few = std::max(static_cast<unsigned>(std::bit_width(possible)), 1U);
    if (few >= width) return divide(at(0), at(1));
    return z3::zext(divide(at(0).extract(few - 1, 0), at(1).extract(few - 1, 0)), width - few);
  };
  // A division by a power of two is a shift to the right. Before it, a negative dividend gets 2^k -
  // 1 added, so that the quotient is rounded towards zero.
  const auto is_shift = [&] {
    const Term divisor = node.operands[1];
    return pool_.is_constant(divisor) && std::has_single_bit(pool_.node(divisor).value) &&
           pool_.node(divisor).value >> (width - 1) == 0;
  };
  const auto shifted = [&] {
    const auto by = static_cast<unsigned>(std::countr_zero(pool_.node(node.operands[1]).value));
    const z3::expr negative = z3::ashr(at(0), number(width - 1, width));
    const z3::expr rounded =
        by == 0 ? at(0) : at(0) + z3::lshr(negative, number(width - by, width));
    return z3::ashr(rounded, number(by, width));
  };
  // A shift's amount may have another width. Amounts of the width or more are one amount.
  const auto amount = [&] {
    const unsigned other = width_of(1);
    z3::expr raw = at(1);
    if (other == width) return raw;
    if (other < width) return z3::zext(raw, width - other);
    return z3::ite(z3::uge(raw, number(width, other)), number(width, width),
                   raw.extract(width - 1, 0));
  };
  const auto high = [&](const auto& extended) {
    return (extended(at(0), width) * extended(at(1), width)).extract(2 * width - 1, width);
  };
  switch (node.op) {
    case Operator::constant:
      return number(node.value, width);
    case Operator::unknown:
      return context_.bv_const((pool_.name(term) + " #" + std::to_string(node.value)).c_str(),
                               width);
    case Operator::sum: {
      z3::expr total = number(node.value, width);
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        total = total + number(node.coefficients[i], width) * at(i);
      }
      return total;
    }
    case Operator::product:
      return folded([](const z3::expr& a, const z3::expr& b) { return a * b; });
    case Operator::high_product:
      return high([](const z3::expr& e, unsigned by) { return z3::zext(e, by); });
    case Operator::high_product_signed:
      return high([](const z3::expr& e, unsigned by) { return z3::sext(e, by); });
    case Operator::quotient:
      return divided(in_few_bits(divide_unsigned), number(~std::uint64_t{0}, width));
    case Operator::quotient_signed:
      return is_shift() ? shifted() : divided(at(0) / at(1), number(~std::uint64_t{0}, width));
    case Operator::remainder:
      return divided(in_few_bits(rest_unsigned), at(0));
    case Operator::remainder_signed:
      return is_shift() ? at(0) - shifted() * at(1) : divided(z3::srem(at(0), at(1)), at(0));
    case Operator::bits_and:
      return folded([](const z3::expr& a, const z3::expr& b) { return a & b; });
    case Operator::bits_or:
      return folded([](const z3::expr& a, const z3::expr& b) { return a | b; });
    case Operator::bits_exclusive_or:
      return folded([](const z3::expr& a, const z3::expr& b) { return a ^ b; });
    case Operator::negation:
      return ~at(0);
    case Operator::shift_left:
      return z3::shl(at(0), amount());
    case Operator::shift_right:
      return z3::lshr(at(0), amount());
    case Operator::shift_right_signed:
      return z3::ashr(at(0), amount());
    case Operator::part: {
      const auto begin = static_cast<unsigned>(node.value);
      return at(0).extract(begin + width - 1, begin);
    }
    case Operator::zero_extended:
      return z3::zext(at(0), width - width_of(0));
    case Operator::sign_extended:
      return z3::sext(at(0), width - width_of(0));
    case Operator::count_ones: {
      z3::expr total = number(0, width);
      for (unsigned bit = 0; bit < width_of(0); ++bit) {
        total = total + z3::zext(at(0).extract(bit, bit), width - 1);
      }
      return total;
    }
    case Operator::count_leading_zeros: {
      z3::expr count = number(width_of(0), width);
      for (unsigned bit = 0; bit < width_of(0); ++bit) {
        count = z3::ite(at(0).extract(bit, bit) == number(1, 1),
                        number(width_of(0) - 1 - bit, width), count);
      }
      return count;
    }
    case Operator::equal:
      return of_bit(at(0) == at(1));
    case Operator::below:
      return of_bit(z3::ult(at(0), at(1)));
    case Operator::below_signed:
      return of_bit(at(0) < at(1));
    case Operator::choice:
      return z3::ite(at(0) == number(1, 1), at(1), at(2));
  }
  return number(0, width);
}

}  // namespace bankproof::symbolic
