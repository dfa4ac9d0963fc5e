// Mathematical integers instead of machine words. The integers equal the words as long as nothing
// overflows, and solvers know more about integers, for example about division by numbers that are
// no powers of two.
//
// Some operators have no form on integers: | and ^; & unless one operand is a mask of low bits or
// the complement of such a mask; shifts unless the distance is a constant.
//
// Example: `i & 31` is i mod 32, `i << 5` is 32·i and fits if 32·i < 2³².
#pragma once

#include <z3++.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "translation.hpp"

namespace bankproof::formulas {

/// An operation that has no form on integers. what() names it.
class NoIntegerForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class IntegerArithmetic {
 public:
  static constexpr bool folds = true;

  explicit IntegerArithmetic(z3::context& context) : context_(context) {}

  z3::context& context() const { return context_; }
  /// Assumptions about the unknowns.
  const std::vector<z3::expr>& assumptions() const { return assumptions_; }

  z3::expr number(std::uint64_t value) const { return context_.int_val(value); }
  z3::expr of_truth(const z3::expr& condition) const {
    return z3::ite(condition, number(1), number(0));
  }
  z3::expr less(const z3::expr& a, const z3::expr& b) const { return a < b; }

  /// An unknown in 0 … limit−1.
  z3::expr below(const std::string& name, std::uint64_t limit) {
    z3::expr unknown = context_.int_const(name.c_str());
    assume(unknown >= 0 && unknown < number(limit));
    return unknown;
  }
  void assume(const z3::expr& fact) { assumptions_.push_back(fact); }

  z3::expr thread(const z3::expr& warp, const z3::expr& lane, std::uint64_t width) const {
    return warp * number(width) + lane;
  }
  z3::expr scaled(const z3::expr& a, std::uint64_t times, const z3::expr& plus) const {
    return times == 1 ? a : a * number(times) + plus;
  }
  z3::expr quotient(const z3::expr& a, std::uint64_t by) const { return a / number(by); }
  z3::expr remainder(const z3::expr& a, std::uint64_t by) const { return z3::mod(a, number(by)); }

  Term unary(UnaryOperator operation, const z3::expr& a) const {
    switch (operation) {
      case UnaryOperator::minus:
        return {-a, a == 0};
      case UnaryOperator::complement:
        return surely(number(all_bits) - a);
      default:
        return surely(a);
    }
  }
  Term binary(BinaryOperator operation, const z3::expr& a, const z3::expr& b) {
    switch (operation) {
      case BinaryOperator::multiply:
        return if_fits(a * b);
      case BinaryOperator::divide:
        return surely(division(a, b).first);
      case BinaryOperator::remainder:
        return surely(division(a, b).second);
      case BinaryOperator::add:
        return if_fits(a + b);
      case BinaryOperator::subtract:
        return {a - b, a >= b};
      case BinaryOperator::shift_left:
        return if_fits(a * power(b, "<<"));
      case BinaryOperator::shift_right:
        return surely(a / power(b, ">>"));
      case BinaryOperator::bit_and:
        return is_mask(constant(a)) ? masked(b, *constant(a)) : masked(a, constant(b));
      case BinaryOperator::bit_xor:
        throw NoIntegerForm("^");
      case BinaryOperator::bit_or:
        throw NoIntegerForm("|");
      default:
        throw std::logic_error("an operator that is no arithmetic");
    }
  }

 private:
  static constexpr std::uint64_t all_bits = 0xffff'ffff;

  static std::optional<std::uint64_t> constant(const z3::expr& e) {
    std::uint64_t value = 0;
    return e.is_numeral_u64(value) ? std::optional(value) : std::nullopt;
  }
  Term surely(const z3::expr& value) const { return {value, context_.bool_val(true)}; }
  Term if_fits(const z3::expr& value) const { return {value, value <= number(all_bits)}; }

  /// 2^exponent, provided that the shift is defined.
  z3::expr power(const z3::expr& exponent, const char* operation) const {
    const auto bits = constant(exponent);
    if (!bits) throw NoIntegerForm(std::string(operation) + " by what is no constant");
    return number(std::uint64_t{1} << (*bits & 31));
  }

  /// Whether the mask is the k low bits, or all bits except the k low bits, for some k.
  static bool is_mask(std::optional<std::uint64_t> mask) {
    return mask && (std::has_single_bit(*mask + 1) || std::has_single_bit(all_bits - *mask + 1));
  }
  Term masked(const z3::expr& a, std::optional<std::uint64_t> mask) const {
    if (!is_mask(mask)) throw NoIntegerForm("& with what is no mask of low bits");
    if (std::has_single_bit(*mask + 1)) return surely(remainder(a, *mask + 1));
    return surely(a - remainder(a, all_bits - *mask + 1));
  }

  /// Quotient and remainder, provided that the divisor is not 0. If the divisor is unknown, the
  /// quotient q is a new unknown, and the remainder is r = a − qb.
  std::pair<z3::expr, z3::expr> division(const z3::expr& a, const z3::expr& b) {
    const auto divisor = constant(b);
    if (divisor && *divisor > 0) return {quotient(a, *divisor), remainder(a, *divisor)};
    const std::string name = "q" + std::to_string(assumptions_.size());
    const z3::expr q = context_.int_const(name.c_str());
    const z3::expr r = a - b * q;
    // The dividend a is negative only after an overflow. Then no such q and r exist, so the
    // assumption says nothing about this case.
    assume(z3::implies(a >= 0 && b > 0, q >= 0 && r >= 0 && r < b));
    return {q, r};
  }

  z3::context& context_;
  std::vector<z3::expr> assumptions_;
};

}  // namespace bankproof::formulas
