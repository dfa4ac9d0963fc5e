// Translates expressions for a solver. This file handles names, decides which operands are
// evaluated, and finds undefined values. The arithmetic is in words.hpp or integers.hpp.
//
// An Arithmetic has
//   number(value)            a constant
//   unary(operation, a)      the value, and the condition under which it is that of 32-bit words
//   binary(operation, a, b)  the same, for all operators but &&, ||, comparisons and the comma
//   folds                    whether constants must be known as numbers
//   less(a, b)               whether a < b
//   of_truth(condition)      1 or 0
#pragma once

#include <z3++.h>

#include <optional>
#include <utility>
#include <vector>

#include "evaluate.hpp"
#include "formula.hpp"

namespace bankproof::formulas {

/// A value, the condition under which it is defined, and the condition under which the terms equal
/// the machine's words. Integers equal the words if nothing overflows.
struct Meaning {
  z3::expr value;
  z3::expr defined;
  z3::expr fits;
};

/// The result of one operation in a solver's arithmetic.
struct Term {
  z3::expr value;
  z3::expr fits;
};

template <class Arithmetic>
class Translation {
 public:
  Translation(Arithmetic& arithmetic, std::vector<z3::expr> inputs)
      : arithmetic_(arithmetic),
        yes_(arithmetic.context().bool_val(true)),
        values_(std::move(inputs)),
        constants_(values_.size()) {}

  /// The formula's value for the inputs.
  Meaning operator()(const Formula& formula) {
    const std::size_t inputs = values_.size();
    z3::expr defined = yes_;
    z3::expr fits = yes_;
    const auto with_let = [&](std::size_t k, const Expression& definition) {
      const Meaning meaning = (*this)(definition);
      values_.resize(inputs + k, arithmetic_.number(0));  // the values of unused lets
      constants_.resize(inputs + k);
      constants_.push_back(constant(definition));
      values_.push_back(meaning.value);
      defined = defined && meaning.defined;
      fits = fits && meaning.fits;
    };
    Meaning whole =
        formula.in_order(with_let, [&](const Expression& body) { return (*this)(body); });
    values_.resize(inputs, arithmetic_.number(0));
    constants_.resize(inputs);
    return {whole.value, defined && whole.defined, fits && whole.fits};
  }

  Meaning operator()(const Expression& expression) {
    if (Arithmetic::folds) {
      if (const auto value = constant(expression)) return surely(arithmetic_.number(*value));
    }
    return expression.visit(*this);
  }
  Meaning operator()(const Number& number) { return surely(arithmetic_.number(number.value)); }
  Meaning operator()(const Name& name) { return surely(values_[name.slot]); }
  Meaning operator()(const Unary& e) {
    const Meaning operand = (*this)(e.operand);
    if (e.operation == UnaryOperator::logical_not) {
      return of_truth(!truth(operand), operand.defined, operand.fits);
    }
    const Term term = arithmetic_.unary(e.operation, operand.value);
    return {term.value, operand.defined, operand.fits && term.fits};
  }
  Meaning operator()(const Binary& e) {
    const Meaning a = (*this)(e.left);
    const Meaning b = (*this)(e.right);
    if (e.operation == BinaryOperator::logical_and || e.operation == BinaryOperator::logical_or) {
      const bool is_and = e.operation == BinaryOperator::logical_and;
      const z3::expr evaluated = is_and ? truth(a) : !truth(a);
      const z3::expr value = is_and ? truth(a) && truth(b) : truth(a) || truth(b);
      return {arithmetic_.of_truth(value), a.defined && z3::implies(evaluated, b.defined),
              a.fits && z3::implies(evaluated, b.fits)};
    }
    const z3::expr defined = a.defined && b.defined;
    const z3::expr fits = a.fits && b.fits;
    switch (e.operation) {
      case BinaryOperator::comma:
        return {b.value, defined, fits};
      case BinaryOperator::less:
        return of_truth(arithmetic_.less(a.value, b.value), defined, fits);
      case BinaryOperator::greater:
        return of_truth(arithmetic_.less(b.value, a.value), defined, fits);
      case BinaryOperator::less_or_equal:
        return of_truth(!arithmetic_.less(b.value, a.value), defined, fits);
      case BinaryOperator::greater_or_equal:
        return of_truth(!arithmetic_.less(a.value, b.value), defined, fits);
      case BinaryOperator::equal:
        return of_truth(a.value == b.value, defined, fits);
      case BinaryOperator::not_equal:
        return of_truth(a.value != b.value, defined, fits);
      default:
        break;
    }
    const Term term = arithmetic_.binary(e.operation, a.value, b.value);
    return {term.value, defined && has_value(e.operation, b.value), fits && term.fits};
  }
  Meaning operator()(const Conditional& e) {
    const Meaning condition = (*this)(e.condition);
    const Meaning a = (*this)(e.then);
    const Meaning b = (*this)(e.otherwise);
    const z3::expr c = truth(condition);
    return {z3::ite(c, a.value, b.value), condition.defined && z3::ite(c, a.defined, b.defined),
            condition.fits && z3::ite(c, a.fits, b.fits)};
  }

 private:
  Meaning surely(const z3::expr& value) const { return {value, yes_, yes_}; }
  Meaning of_truth(const z3::expr& truth, const z3::expr& defined, const z3::expr& fits) const {
    return {arithmetic_.of_truth(truth), defined, fits};
  }
  z3::expr truth(const Meaning& of) const { return of.value != arithmetic_.number(0); }

  z3::expr has_value(BinaryOperator operation, const z3::expr& right) const {
    switch (operation) {
      case BinaryOperator::divide:
      case BinaryOperator::remainder:
        return right != arithmetic_.number(0);
      case BinaryOperator::shift_left:
      case BinaryOperator::shift_right:
        return arithmetic_.less(right, arithmetic_.number(32));
      default:
        return yes_;
    }
  }

  /// The value of an expression that no input changes.
  std::optional<std::uint32_t> constant(const Expression& expression) const {
    const auto value_of = [this](std::size_t slot) {
      const auto& value = constants_[slot];
      return value ? Outcome{*value} : Outcome{0, 0};
    };
    const Outcome outcome = Evaluation(value_of)(expression);
    return outcome.is_defined() ? std::optional(outcome.value) : std::nullopt;
  }

  Arithmetic& arithmetic_;
  z3::expr yes_;
  std::vector<z3::expr> values_;
  std::vector<std::optional<std::uint32_t>> constants_;
};

}  // namespace bankproof::formulas
