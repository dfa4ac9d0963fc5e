// Terms that stand for arbitrary whole numbers: a number type for the closed forms and address maps
// of algorithms/. They wrap a solver's terms and cannot be branched on.
//
// Operations on constants compute their results, so the same code does plain arithmetic on stated
// values. A constant that the code writes, such as N(1), belongs to no query until an operation
// combines it with a term of a query. A quotient enters a query as a witness: a/b is a new number q
// with a = bq + r and 0 ≤ r < b. Both solvers can handle this form, while division by an unknown
// stops them. A choice is also a new number.
//
// Each term also carries the formula that it stands for, as it is written (proofs/written/): there,
// a quotient is a quotient. Scripts for Coq are made of these formulas (script.hpp).
#pragma once

#include <z3++.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "../../algorithms/number.hpp"
#include "../written/written.hpp"

namespace bankproof::proofs {

class Query;

/// Whole numbers that the code writes, and the results of arithmetic on them.
__extension__ using Literal = __int128;

/// The result of comparing terms.
class Truth {
 public:
  Truth(Query& query, z3::expr expression, WrittenTruth written = WrittenTruth::of_words())
      : query_(&query), expression_(std::move(expression)), written_(std::move(written)) {}
  /// The result `value` of comparing constants that belong to no query. `write` puts the comparison
  /// into a query, so that both solvers decide it, too.
  Truth(bool value, std::function<z3::expr(z3::context&)> write,
        WrittenTruth written = WrittenTruth::of_words())
      : value_(value), write_(std::move(write)), written_(std::move(written)) {}

  /// The query that the compared terms belong to, or nullptr.
  Query* query() const { return query_; }
  z3::expr expression(z3::context& context) const {
    return expression_ ? *expression_ : write_(context);
  }
  const WrittenTruth& written() const { return written_; }
  /// Whether arithmetic on constants alone shows that the result is true, or false.
  bool is_surely_true() const { return expression_ ? expression_->simplify().is_true() : value_; }
  bool is_surely_false() const {
    return expression_ ? expression_->simplify().is_false() : !value_;
  }
  operator bool() const = delete;

  friend Truth operator&&(const Truth& a, const Truth& b) {
    return joined(a, b, a.value_ && b.value_, a.written_ && b.written_,
                  [](const z3::expr& x, const z3::expr& y) { return x && y; });
  }
  friend Truth operator||(const Truth& a, const Truth& b) {
    return joined(a, b, a.value_ || b.value_, a.written_ || b.written_,
                  [](const z3::expr& x, const z3::expr& y) { return x || y; });
  }
  friend Truth operator!(const Truth& a) {
    if (a.expression_) return {*a.query_, !*a.expression_, !a.written_};
    return {!a.value_, [write = a.write_](z3::context& context) { return !write(context); },
            !a.written_};
  }
  friend Truth implies(const Truth& a, const Truth& b) {
    return joined(a, b, !a.value_ || b.value_, implies(a.written_, b.written_),
                  [](const z3::expr& x, const z3::expr& y) { return z3::implies(x, y); });
  }

 private:
  template <class Join>
  static Truth joined(const Truth& a, const Truth& b, bool value, WrittenTruth written, Join join) {
    if (Query* const query = a.query_ != nullptr ? a.query_ : b.query_) {
      z3::context& context = (a.expression_ ? *a.expression_ : *b.expression_).ctx();
      return {*query, join(a.expression(context), b.expression(context)), std::move(written)};
    }
    return {value,
            [a = a.write_, b = b.write_, join](z3::context& context) {
              return join(a(context), b(context));
            },
            std::move(written)};
  }

  Query* query_ = nullptr;
  std::optional<z3::expr> expression_;  ///< if it belongs to a query
  bool value_ = false;                  ///< else
  std::function<z3::expr(z3::context&)> write_;
  WrittenTruth written_;
};

/// A whole number.
class IntTerm {
 public:
  /// A constant that belongs to no query yet. The conversion is implicit, so that `2 * n + 1` and
  /// `n >= 1` are terms and read as in the papers.
  template <std::integral Value = int>
  // NOLINTNEXTLINE(google-explicit-constructor)
  IntTerm(Value value = 0) : literal_(value), written_(value) {}
  IntTerm(Query& query, const z3::expr& expression, Written written)
      : query_(&query), expression_(expression.simplify()), written_(std::move(written)) {}

  /// The query that the term belongs to. Throws std::logic_error for a constant that belongs to no
  /// query.
  Query& query() const;
  bool has_query() const { return query_ != nullptr; }
  /// The solver's expression. Requires that the term belongs to a query.
  const z3::expr& expression() const;
  z3::expr expression(z3::context& context) const;
  const Written& written() const { return written_; }
  /// Its value, if it is a constant ≥ 0 of at most 63 bits.
  std::optional<std::uint64_t> constant() const;

  friend IntTerm operator+(const IntTerm& a, const IntTerm& b);
  friend IntTerm operator-(const IntTerm& a, const IntTerm& b);
  friend IntTerm operator*(const IntTerm& a, const IntTerm& b);
  friend IntTerm operator/(const IntTerm& a, const IntTerm& b);
  friend IntTerm operator%(const IntTerm& a, const IntTerm& b);
  IntTerm& operator+=(const IntTerm& other) { return *this = *this + other; }

  friend Truth operator==(const IntTerm& a, const IntTerm& b);
  friend Truth operator!=(const IntTerm& a, const IntTerm& b) { return !(a == b); }
  friend Truth operator<=(const IntTerm& a, const IntTerm& b);
  /// For whole numbers, a < b is the same as a + 1 ≤ b.
  friend Truth operator<(const IntTerm& a, const IntTerm& b);
  friend Truth operator>(const IntTerm& a, const IntTerm& b) { return b < a; }
  friend Truth operator>=(const IntTerm& a, const IntTerm& b) { return b <= a; }

  friend IntTerm select(const Truth& condition, const IntTerm& a, const IntTerm& b);
  friend IntTerm ceil_log2(const IntTerm& n);
  friend IntTerm gcd(const IntTerm& a, const IntTerm& b);
  friend IntTerm ceil_div(const IntTerm& a, const IntTerm& b);
  friend IntTerm smaller(const IntTerm& a, const IntTerm& b);
  friend IntTerm larger(const IntTerm& a, const IntTerm& b);

 private:
  static IntTerm of_literal(Literal value, Written written);
  /// The result of an operation. If both operands are constants that belong to no query, `exact`
  /// computes the result; otherwise `join` makes an expression.
  template <class Exact, class Join>
  static IntTerm combined(const IntTerm& a, const IntTerm& b, Written written, Exact exact,
                          Join join);
  template <class Exact, class Join>
  static Truth compared(const IntTerm& a, const IntTerm& b, WrittenTruth written, Exact exact,
                        Join join);

  Query* query_ = nullptr;
  std::optional<z3::expr> expression_;  ///< if it belongs to a query
  Literal literal_ = 0;                 ///< else
  Written written_;
};

/// The functions of algorithms/number.hpp, also for numbers that the code writes.
inline IntTerm select(const Truth& condition, int a, int b) {
  return select(condition, IntTerm(a), IntTerm(b));
}
using bankproof::minus_or_zero;
inline IntTerm minus_or_zero(const IntTerm& a, const IntTerm& b) {
  return bankproof::minus_or_zero<IntTerm>(a, b);
}

}  // namespace bankproof::proofs
