// Evaluates expressions. Tests compare all other methods with this plain evaluation.
//
// Division and remainder by 0 and shifts by 32 or more are undefined if they are evaluated. In `a
// && b`, `a || b` and `c ? a : b`, only the operands that C evaluates count.
//
// Example: `i != 0 && 5 / i` is defined for i = 0, `5 / i` is not.
#pragma once

#include <cstdint>
#include <optional>

#include "expression.hpp"

namespace bankproof::formulas {

/// A value, or the position of the operator that has no value.
struct Outcome {
  std::uint32_t value = 0;
  std::optional<std::size_t> undefined_at = {};  ///< the operator's position in the text

  bool is_defined() const { return !undefined_at; }
};

inline std::uint32_t apply(UnaryOperator operation, std::uint32_t operand) {
  switch (operation) {
    case UnaryOperator::plus:
      return operand;
    case UnaryOperator::minus:
      return 0 - operand;
    case UnaryOperator::complement:
      return ~operand;
    case UnaryOperator::logical_not:
      return operand == 0;
  }
  return 0;
}

/// The result of the operation, or std::nullopt if C leaves it undefined.
inline std::optional<std::uint32_t> apply(BinaryOperator operation, std::uint32_t a,
                                          std::uint32_t b) {
  const auto if_defined = [](bool defined, auto value) {
    return defined ? std::optional<std::uint32_t>(value()) : std::nullopt;
  };
  switch (operation) {
    case BinaryOperator::multiply:
      return a * b;
    case BinaryOperator::divide:
      return if_defined(b != 0, [&] { return a / b; });
    case BinaryOperator::remainder:
      return if_defined(b != 0, [&] { return a % b; });
    case BinaryOperator::add:
      return a + b;
    case BinaryOperator::subtract:
      return a - b;
    case BinaryOperator::shift_left:
      return if_defined(b < 32, [&] { return a << b; });
    case BinaryOperator::shift_right:
      return if_defined(b < 32, [&] { return a >> b; });
    case BinaryOperator::less:
      return a < b;
    case BinaryOperator::less_or_equal:
      return a <= b;
    case BinaryOperator::greater:
      return a > b;
    case BinaryOperator::greater_or_equal:
      return a >= b;
    case BinaryOperator::equal:
      return a == b;
    case BinaryOperator::not_equal:
      return a != b;
    case BinaryOperator::bit_and:
      return a & b;
    case BinaryOperator::bit_xor:
      return a ^ b;
    case BinaryOperator::bit_or:
      return a | b;
    case BinaryOperator::logical_and:
      return a != 0 && b != 0;
    case BinaryOperator::logical_or:
      return a != 0 || b != 0;
    case BinaryOperator::comma:
      return b;
  }
  return std::nullopt;
}

/// Whether the left operand decides the result, so that C does not evaluate the right operand.
inline bool is_decided_by(BinaryOperator operation, std::uint32_t left) {
  return (operation == BinaryOperator::logical_and && left == 0) ||
         (operation == BinaryOperator::logical_or && left != 0);
}

/// Evaluates expressions. `value_of(slot)` returns the Outcome of a name.
template <class Values>
class Evaluation {
 public:
  explicit Evaluation(const Values& value_of) : value_of_(value_of) {}

  Outcome operator()(const Expression& expression) const { return expression.visit(*this); }
  Outcome operator()(const Number& number) const { return {number.value}; }
  Outcome operator()(const Name& name) const { return value_of_(name.slot); }
  Outcome operator()(const Unary& e) const {
    const Outcome operand = (*this)(e.operand);
    return operand.is_defined() ? Outcome{apply(e.operation, operand.value)} : operand;
  }
  Outcome operator()(const Binary& e) const {
    const Outcome left = (*this)(e.left);
    if (!left.is_defined()) return left;
    if (is_decided_by(e.operation, left.value)) return {left.value != 0};
    const Outcome right = (*this)(e.right);
    if (!right.is_defined()) return right;
    const auto value = apply(e.operation, left.value, right.value);
    return value ? Outcome{*value} : Outcome{0, e.at};
  }
  Outcome operator()(const Conditional& e) const {
    const Outcome condition = (*this)(e.condition);
    if (!condition.is_defined()) return condition;
    return (*this)(condition.value != 0 ? e.then : e.otherwise);
  }

 private:
  const Values& value_of_;
};

}  // namespace bankproof::formulas
