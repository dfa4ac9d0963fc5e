// Terms of parsed formulas, with 64 bits and a sign.
#pragma once

#include <functional>
#include <stdexcept>
#include <utility>

#include "../../proofs/formulas/expression.hpp"
#include "../terms/pool.hpp"

namespace bankproof::symbolic {

/// Makes terms in a pool; `name` has those of names, by their slots, and `divisor` hears by what
/// the formula divides. Throws std::domain_error: that is 0.
class Computing {
 public:
  Computing(
      Pool& pool, std::function<Term(std::size_t)> name,
      std::function<void(Term)> divisor = [](Term) {})
      : pool_(pool), name_(std::move(name)), divisor_(std::move(divisor)) {}

  Term value(const formulas::Expression& e) {
    return e.visit([this](const auto& node) { return of(node); });
  }
  Term truth(const formulas::Expression& e) { return is_not_zero(value(e)); }

 private:
  Term number(std::uint64_t value) { return pool_.constant(value, 64); }
  Term is_not_zero(Term x) { return pool_.negation(pool_.equal(x, number(0))); }
  Term divisor(Term x) {
    if (pool_.is_constant(x, 0)) throw std::domain_error("a division by 0");
    if (!pool_.is_constant(x)) divisor_(x);
    return x;
  }
  Term of_bit(Term bit) { return pool_.zero_extended(bit, 64); }

  Term of(const formulas::Number& e) { return number(e.value); }
  Term of(const formulas::Name& e) { return name_(e.slot); }
  Term of(const formulas::Unary& e) {
    const Term x = value(e.operand);
    switch (e.operation) {
      case formulas::UnaryOperator::plus:
        return x;
      case formulas::UnaryOperator::minus:
        return pool_.negative(x);
      case formulas::UnaryOperator::complement:
        return pool_.bits_not(x);
      default:
        return of_bit(pool_.negation(is_not_zero(x)));
    }
  }
  Term of(const formulas::Conditional& e) {
    return pool_.choice(truth(e.condition), value(e.then), value(e.otherwise));
  }
  Term of(const formulas::Binary& e) {
    const Term a = value(e.left);
    const Term b = value(e.right);
    switch (e.operation) {
      case formulas::BinaryOperator::multiply:
        return pool_.multiply(a, b);
      case formulas::BinaryOperator::divide:
        return pool_.quotient(a, divisor(b), true);
      case formulas::BinaryOperator::remainder:
        return pool_.remainder(a, divisor(b), true);
      case formulas::BinaryOperator::add:
        return pool_.add(a, b);
      case formulas::BinaryOperator::subtract:
        return pool_.subtract(a, b);
      case formulas::BinaryOperator::shift_left:
        return pool_.shift_left(a, b);
      case formulas::BinaryOperator::shift_right:
        return pool_.shift_right(a, b, true);
      case formulas::BinaryOperator::less:
        return of_bit(pool_.below(a, b, true));
      case formulas::BinaryOperator::less_or_equal:
        return of_bit(pool_.at_most(a, b, true));
      case formulas::BinaryOperator::greater:
        return of_bit(pool_.below(b, a, true));
      case formulas::BinaryOperator::greater_or_equal:
        return of_bit(pool_.at_most(b, a, true));
      case formulas::BinaryOperator::equal:
        return of_bit(pool_.equal(a, b));
      case formulas::BinaryOperator::not_equal:
        return of_bit(pool_.negation(pool_.equal(a, b)));
      case formulas::BinaryOperator::bit_and:
        return pool_.bits_and(a, b);
      case formulas::BinaryOperator::bit_xor:
        return pool_.bits_exclusive_or(a, b);
      case formulas::BinaryOperator::bit_or:
        return pool_.bits_or(a, b);
      case formulas::BinaryOperator::logical_and:
        return of_bit(pool_.both(is_not_zero(a), is_not_zero(b)));
      case formulas::BinaryOperator::logical_or:
        return of_bit(pool_.either(is_not_zero(a), is_not_zero(b)));
      default:
        return b;
    }
  }

  Pool& pool_;
  std::function<Term(std::size_t)> name_;
  std::function<void(Term)> divisor_;
};

}  // namespace bankproof::symbolic
