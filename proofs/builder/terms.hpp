// Terms that stand for arbitrary whole numbers: a number type for the closed forms and address maps
// of algorithms/. They wrap a solver's terms and cannot be branched on.
//
// Operations on constants are carried out, so that the same code on stated values is arithmetic. A
// quotient enters a query as a witness: a/b is a new number q with a = bq + r and 0 ≤ r < b. Both
// solvers can handle this form, while division by an unknown stops them. A choice is a new number,
// too.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../algorithms/number.hpp"

namespace bankproof::proofs {

class Query;

/// The result of comparing terms.
class Truth {
 public:
  explicit Truth(z3::expr expression) : expression_(std::move(expression)) {}
  const z3::expr& expression() const { return expression_; }
  /// Whether arithmetic on constants alone shows that the result is true, or false.
  bool is_surely_true() const { return expression_.simplify().is_true(); }
  bool is_surely_false() const { return expression_.simplify().is_false(); }
  operator bool() const = delete;

  friend Truth operator&&(const Truth& a, const Truth& b) {
    return Truth(a.expression_ && b.expression_);
  }
  friend Truth operator||(const Truth& a, const Truth& b) {
    return Truth(a.expression_ || b.expression_);
  }
  friend Truth operator!(const Truth& a) { return Truth(!a.expression_); }
  friend Truth implies(const Truth& a, const Truth& b) {
    return Truth(z3::implies(a.expression_, b.expression_));
  }

 private:
  z3::expr expression_;
};

/// A whole number.
class IntTerm {
 public:
  /// A constant of the query that is being built.
  explicit IntTerm(std::uint64_t value = 0);
  IntTerm(Query& query, const z3::expr& expression)
      : query_(&query), expression_(expression.simplify()) {}

  Query& query() const { return *query_; }
  const z3::expr& expression() const { return expression_; }
  /// Its value, if it is a constant ≥ 0 of at most 63 bits.
  std::optional<std::uint64_t> constant() const {
    std::int64_t value = 0;
    if (!expression_.is_numeral_i64(value) || value < 0) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  }

  friend IntTerm operator+(const IntTerm& a, const IntTerm& b) {
    return {*a.query_, a.expression_ + b.expression_};
  }
  friend IntTerm operator-(const IntTerm& a, const IntTerm& b) {
    return {*a.query_, a.expression_ - b.expression_};
  }
  friend IntTerm operator*(const IntTerm& a, const IntTerm& b) {
    return {*a.query_, a.expression_ * b.expression_};
  }
  friend IntTerm operator/(const IntTerm& a, const IntTerm& b);
  friend IntTerm operator%(const IntTerm& a, const IntTerm& b);
  IntTerm& operator+=(const IntTerm& other) { return *this = *this + other; }

  friend Truth operator==(const IntTerm& a, const IntTerm& b) {
    return Truth(a.expression_ == b.expression_);
  }
  friend Truth operator!=(const IntTerm& a, const IntTerm& b) { return !(a == b); }
  friend Truth operator<=(const IntTerm& a, const IntTerm& b) {
    return Truth(a.expression_ <= b.expression_);
  }
  /// a < b as a + 1 ≤ b: right for whole numbers.
  friend Truth operator<(const IntTerm& a, const IntTerm& b) { return a + IntTerm(1) <= b; }
  friend Truth operator>(const IntTerm& a, const IntTerm& b) { return b < a; }
  friend Truth operator>=(const IntTerm& a, const IntTerm& b) { return b <= a; }

  friend IntTerm select(const Truth& condition, const IntTerm& a, const IntTerm& b);
  friend IntTerm ceil_log2(const IntTerm& n);
  friend IntTerm gcd(const IntTerm& a, const IntTerm& b);
  friend IntTerm ceil_div(const IntTerm& a, const IntTerm& b);
  friend IntTerm smaller(const IntTerm& a, const IntTerm& b);
  friend IntTerm larger(const IntTerm& a, const IntTerm& b);

 private:
  Query* query_;
  z3::expr expression_;
};

}  // namespace bankproof::proofs
