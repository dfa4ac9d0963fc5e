// Operations on terms, and on constants that belong to no query.
#include "terms.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include "query.hpp"

namespace bankproof::proofs {
namespace {

z3::expr digits_of(z3::context& context, Literal value) {
  const bool negative = value < 0;
  std::string digits;
  for (Literal rest = value; rest != 0; rest /= 10) {
    digits += static_cast<char>('0' + (negative ? -(rest % 10) : rest % 10));
  }
  const std::string number(digits.rbegin(), digits.rend());
  return context.int_val((negative ? "-" + number : number.empty() ? "0" : number).c_str());
}

/// The query of two terms, of which at least one belongs to a query.
Query& query_of(const IntTerm& a, const IntTerm& b) {
  return a.has_query() ? a.query() : b.query();
}

void require_exact(bool overflows) {
  if (overflows) throw std::logic_error("arithmetic on constants beyond 127 bits");
}

}  // namespace

Query& IntTerm::query() const {
  if (query_ == nullptr) throw std::logic_error("a constant that belongs to no query");
  return *query_;
}
const z3::expr& IntTerm::expression() const {
  if (!expression_) throw std::logic_error("a constant that belongs to no query");
  return *expression_;
}
z3::expr IntTerm::expression(z3::context& context) const {
  return expression_ ? *expression_ : digits_of(context, literal_);
}
std::optional<std::uint64_t> IntTerm::constant() const {
  std::int64_t value = 0;
  if (!expression_) {
    if (literal_ < 0 || literal_ > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return static_cast<std::uint64_t>(literal_);
  }
  if (!expression_->is_numeral_i64(value) || value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

IntTerm IntTerm::of_literal(Literal value, Written written) {
  IntTerm term;
  term.literal_ = value;
  term.written_ = std::move(written);
  return term;
}

template <class Exact, class Join>
IntTerm IntTerm::combined(const IntTerm& a, const IntTerm& b, Written written, Exact exact,
                          Join join) {
  if (!a.expression_ && !b.expression_) {
    Literal result = 0;
    require_exact(exact(a.literal_, b.literal_, &result));
    return of_literal(result, std::move(written));
  }
  Query& query = query_of(a, b);
  return {query, join(a.expression(query.context()), b.expression(query.context())),
          std::move(written)};
}
template <class Exact, class Join>
Truth IntTerm::compared(const IntTerm& a, const IntTerm& b, WrittenTruth written, Exact exact,
                        Join join) {
  if (!a.expression_ && !b.expression_) {
    return {exact(a.literal_, b.literal_),
            [x = a.literal_, y = b.literal_, join](z3::context& context) {
              return join(digits_of(context, x), digits_of(context, y));
            },
            std::move(written)};
  }
  Query& query = query_of(a, b);
  return {query, join(a.expression(query.context()), b.expression(query.context())),
          std::move(written)};
}

IntTerm operator+(const IntTerm& a, const IntTerm& b) {
  return IntTerm::combined(
      a, b, a.written_ + b.written_,
      [](Literal x, Literal y, Literal* sum) { return __builtin_add_overflow(x, y, sum); },
      [](const z3::expr& x, const z3::expr& y) { return x + y; });
}
IntTerm operator-(const IntTerm& a, const IntTerm& b) {
  return IntTerm::combined(
      a, b, a.written_ - b.written_,
      [](Literal x, Literal y, Literal* rest) { return __builtin_sub_overflow(x, y, rest); },
      [](const z3::expr& x, const z3::expr& y) { return x - y; });
}
IntTerm operator*(const IntTerm& a, const IntTerm& b) {
  return IntTerm::combined(
      a, b, a.written_ * b.written_,
      [](Literal x, Literal y, Literal* all) { return __builtin_mul_overflow(x, y, all); },
      [](const z3::expr& x, const z3::expr& y) { return x * y; });
}
Truth operator==(const IntTerm& a, const IntTerm& b) {
  return IntTerm::compared(
      a, b, a.written_ == b.written_, [](Literal x, Literal y) { return x == y; },
      [](const z3::expr& x, const z3::expr& y) { return x == y; });
}
Truth operator<=(const IntTerm& a, const IntTerm& b) {
  return IntTerm::compared(
      a, b, a.written_ <= b.written_, [](Literal x, Literal y) { return x <= y; },
      [](const z3::expr& x, const z3::expr& y) { return x <= y; });
}
Truth operator<(const IntTerm& a, const IntTerm& b) {
  const IntTerm next = a + 1;
  return IntTerm::compared(
      next, b, a.written_ < b.written_, [](Literal x, Literal y) { return x <= y; },
      [](const z3::expr& x, const z3::expr& y) { return x <= y; });
}

namespace {

/// Whether both terms are constants that belong to no query. If so, the functions on machine words
/// compute the result.
bool are_literals(const IntTerm& a, const IntTerm& b) { return !a.has_query() && !b.has_query(); }
std::uint64_t word_of(const IntTerm& literal) {
  if (const auto value = literal.constant()) return *value;
  throw std::logic_error("a constant that is negative, or beyond 63 bits");
}

}  // namespace

IntTerm operator/(const IntTerm& a, const IntTerm& b) {
  if (are_literals(a, b)) {
    if (b.literal_ == 0) throw std::logic_error("a constant divided by 0");
    return IntTerm::of_literal(static_cast<Literal>(word_of(a) / word_of(b)),
                               a.written_ / b.written_);
  }
  return query_of(a, b).quotient(a, b).first;
}
IntTerm operator%(const IntTerm& a, const IntTerm& b) {
  if (are_literals(a, b)) return a - a / b * b;
  return query_of(a, b).quotient(a, b).second;
}
IntTerm ceil_div(const IntTerm& a, const IntTerm& b) {
  if (are_literals(a, b)) return (a + b - 1) / b;
  return query_of(a, b).ceiling(a, b);
}
IntTerm ceil_log2(const IntTerm& n) {
  if (!n.has_query()) {
    return IntTerm::of_literal(static_cast<Literal>(bankproof::ceil_log2(word_of(n))),
                               ceil_log2(n.written_));
  }
  return n.query().logarithm(n);
}
IntTerm gcd(const IntTerm& a, const IntTerm& b) {
  if (are_literals(a, b)) {
    return IntTerm::of_literal(static_cast<Literal>(bankproof::gcd(word_of(a), word_of(b))),
                               gcd(a.written_, b.written_));
  }
  return query_of(a, b).divisor(a, b).g;
}

IntTerm select(const Truth& condition, const IntTerm& a, const IntTerm& b) {
  if (are_literals(a, b) && condition.query() == nullptr) {
    return IntTerm::of_literal((condition.is_surely_true() ? a : b).literal_,
                               select(condition.written(), a.written_, b.written_));
  }
  Query& query = condition.query() != nullptr ? *condition.query() : query_of(a, b);
  return query.choice(condition, a, b);
}
IntTerm smaller(const IntTerm& a, const IntTerm& b) {
  IntTerm chosen = select(a < b, a, b);
  if (!are_literals(a, b)) {
    query_of(a, b).know(chosen <= a && chosen <= b, {"smaller_law", {a, b}});
  }
  return chosen;
}
IntTerm larger(const IntTerm& a, const IntTerm& b) {
  IntTerm chosen = select(a < b, b, a);
  if (!are_literals(a, b)) {
    query_of(a, b).know(chosen >= a && chosen >= b, {"larger_law", {a, b}});
  }
  return chosen;
}

}  // namespace bankproof::proofs
