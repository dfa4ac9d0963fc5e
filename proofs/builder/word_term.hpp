// Terms that stand for arbitrary machine words of 32 bits, without a sign: a number type for
// address maps that take words apart. A solver has signed and unsigned operators on words; only the
// unsigned operators are reachable here. Arithmetic wraps around, and a shift by 32 or more bits
// gives 0. x/0 has the value that SMT-LIB gives it; no code may rely on this value.
//
// Example: with k a word, (i << k) + (i ^ j) is the position of (i, j) in a swizzled tile.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <optional>

#include "terms.hpp"

namespace bankproof::proofs {

class WordTerm {
 public:
  static constexpr unsigned bits = 32;

  WordTerm(Query& query, std::uint32_t value);
  /// A constant that belongs to no query yet. Throws std::logic_error if it does not fit a word.
  explicit WordTerm(std::uint64_t value);
  WordTerm(const z3::expr& expression, Query& query)
      : query_(&query), expression_(expression.simplify()) {}

  z3::expr expression(z3::context& context) const {
    return expression_ ? *expression_ : context.bv_val(literal_, bits);
  }

  friend WordTerm operator+(const WordTerm& a, const WordTerm& b) { return a.with(b, Z3_mk_bvadd); }
  friend WordTerm operator-(const WordTerm& a, const WordTerm& b) { return a.with(b, Z3_mk_bvsub); }
  friend WordTerm operator*(const WordTerm& a, const WordTerm& b) { return a.with(b, Z3_mk_bvmul); }
  friend WordTerm operator/(const WordTerm& a, const WordTerm& b) {
    return a.with(b, Z3_mk_bvudiv);
  }
  friend WordTerm operator%(const WordTerm& a, const WordTerm& b) {
    return a.with(b, Z3_mk_bvurem);
  }
  friend WordTerm operator&(const WordTerm& a, const WordTerm& b) { return a.with(b, Z3_mk_bvand); }
  friend WordTerm operator|(const WordTerm& a, const WordTerm& b) { return a.with(b, Z3_mk_bvor); }
  friend WordTerm operator^(const WordTerm& a, const WordTerm& b) { return a.with(b, Z3_mk_bvxor); }
  friend WordTerm operator<<(const WordTerm& a, const WordTerm& b) {
    return a.with(b, Z3_mk_bvshl);
  }
  friend WordTerm operator>>(const WordTerm& a, const WordTerm& b) {
    return a.with(b, Z3_mk_bvlshr);
  }
  friend WordTerm operator~(const WordTerm& a) { return a ^ WordTerm(std::uint64_t{0xffffffff}); }

  friend Truth operator==(const WordTerm& a, const WordTerm& b) {
    return compared(a, b, a.literal_ == b.literal_,
                    [](const z3::expr& x, const z3::expr& y) { return x == y; });
  }
  friend Truth operator!=(const WordTerm& a, const WordTerm& b) { return !(a == b); }
  friend Truth operator<(const WordTerm& a, const WordTerm& b) {
    return compared(a, b, a.literal_ < b.literal_,
                    [](const z3::expr& x, const z3::expr& y) { return z3::ult(x, y); });
  }
  friend Truth operator<=(const WordTerm& a, const WordTerm& b) {
    return compared(a, b, a.literal_ <= b.literal_,
                    [](const z3::expr& x, const z3::expr& y) { return z3::ule(x, y); });
  }
  friend Truth operator>(const WordTerm& a, const WordTerm& b) { return b < a; }
  friend Truth operator>=(const WordTerm& a, const WordTerm& b) { return b <= a; }

  friend WordTerm select(const Truth& condition, const WordTerm& a, const WordTerm& b);

 private:
  using Make = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast);

  WordTerm with(const WordTerm& other, Make make) const;
  template <class Join>
  static Truth compared(const WordTerm& a, const WordTerm& b, bool of_literals, Join join) {
    Query* const query = a.query_ != nullptr ? a.query_ : b.query_;
    if (query == nullptr) {
      return {of_literals, [=](z3::context& context) {
                return join(a.expression(context), b.expression(context));
              }};
    }
    z3::context& context = (a.expression_ ? *a.expression_ : *b.expression_).ctx();
    return {*query, join(a.expression(context), b.expression(context))};
  }

  Query* query_ = nullptr;
  std::optional<z3::expr> expression_;  ///< if it belongs to a query
  std::uint32_t literal_ = 0;           ///< else
};

}  // namespace bankproof::proofs
