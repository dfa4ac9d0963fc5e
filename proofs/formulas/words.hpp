// 32-bit machine words as bit vectors of a solver.
#pragma once

#include <z3++.h>

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "translation.hpp"

namespace bankproof::formulas {

class WordArithmetic {
 public:
  static constexpr bool folds = false;

  explicit WordArithmetic(z3::context& context) : context_(context) {}

  z3::context& context() const { return context_; }
  /// Assumptions about the unknowns.
  const std::vector<z3::expr>& assumptions() const { return assumptions_; }

  z3::expr number(std::uint64_t value) const { return context_.bv_val(value, 32); }
  z3::expr of_truth(const z3::expr& condition) const {
    return z3::ite(condition, number(1), number(0));
  }
  z3::expr less(const z3::expr& a, const z3::expr& b) const { return z3::ult(a, b); }

  /// An unknown in 0 … limit−1, where 1 ≤ limit ≤ 2³². Its high bits are constants.
  z3::expr below(const std::string& name, std::uint64_t limit) {
    const auto bits = static_cast<unsigned>(std::bit_width(limit - 1));
    if (bits == 0) return number(0);
    const z3::expr low = context_.bv_const(name.c_str(), bits);
    if (!std::has_single_bit(limit)) assume(z3::ult(low, context_.bv_val(limit, bits)));
    return bits == 32 ? low : z3::zext(low, 32 - bits);
  }
  void assume(const z3::expr& fact) { assumptions_.push_back(fact); }

  /// warp · width + lane, a number of 32 bits. If the width is a power of two, the low bits are the
  /// lane.
  z3::expr thread(const z3::expr& warp, const z3::expr& lane, std::uint64_t width) const {
    if (!std::has_single_bit(width)) return warp * number(width) + lane;
    const auto bits = static_cast<unsigned>(std::countr_zero(width));
    return bits == 0 ? warp : z3::concat(warp.extract(31 - bits, 0), lane.extract(bits - 1, 0));
  }

  /// times · a + plus, without overflow.
  z3::expr scaled(const z3::expr& a, std::uint64_t times, const z3::expr& plus) const {
    constexpr unsigned more = 8;
    if (times == 1) return a;
    return z3::zext(a, more) * context_.bv_val(times, 32 + more) + z3::zext(plus, more);
  }
  z3::expr quotient(const z3::expr& a, std::uint64_t by) const {
    if (std::has_single_bit(by))
      return z3::lshr(a, like(a, static_cast<std::uint64_t>(std::countr_zero(by))));
    return z3::udiv(a, like(a, by));
  }
  z3::expr remainder(const z3::expr& a, std::uint64_t by) const {
    if (std::has_single_bit(by)) return a & like(a, by - 1);
    return z3::urem(a, like(a, by));
  }

  Term unary(UnaryOperator operation, const z3::expr& a) const {
    switch (operation) {
      case UnaryOperator::minus:
        return surely(-a);
      case UnaryOperator::complement:
        return surely(~a);
      default:
        return surely(a);
    }
  }
  Term binary(BinaryOperator operation, const z3::expr& a, const z3::expr& b) const {
    switch (operation) {
      case BinaryOperator::multiply:
        return surely(a * b);
      case BinaryOperator::divide:
        return surely(z3::udiv(a, b));
      case BinaryOperator::remainder:
        return surely(z3::urem(a, b));
      case BinaryOperator::add:
        return surely(a + b);
      case BinaryOperator::subtract:
        return surely(a - b);
      case BinaryOperator::shift_left:
        return surely(z3::shl(a, b));
      case BinaryOperator::shift_right:
        return surely(z3::lshr(a, b));
      case BinaryOperator::bit_and:
        return surely(a & b);
      case BinaryOperator::bit_xor:
        return surely(a ^ b);
      case BinaryOperator::bit_or:
        return surely(a | b);
      default:
        throw std::logic_error("an operator that is no arithmetic");
    }
  }

 private:
  z3::expr like(const z3::expr& a, std::uint64_t value) const {
    return context_.bv_val(value, a.get_sort().bv_size());
  }
  Term surely(const z3::expr& value) const { return {value, context_.bool_val(true)}; }

  z3::context& context_;
  std::vector<z3::expr> assumptions_;
};

}  // namespace bankproof::formulas
