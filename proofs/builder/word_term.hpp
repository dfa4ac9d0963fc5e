// Terms that stand for arbitrary machine words of 32 bits, without a sign: a number type for
// address maps that take words apart. A solver has signed and unsigned operators on words; only the
// unsigned operators are reachable here. Arithmetic wraps around, and a shift by 32 or more bits
// gives 0. x/0 is as in SMT-LIB; nothing may rely on it.
//
// Example: with k a word, (i << k) + (i ^ j) is the place of (i, j) in a swizzled tile.
#pragma once

#include <z3++.h>

#include <cstdint>

#include "terms.hpp"

namespace bankproof::proofs {

class WordTerm {
 public:
  static constexpr unsigned bits = 32;

  WordTerm(Query& query, std::uint32_t value);
  /// A constant of the query that is being built. It must fit a word.
  explicit WordTerm(std::uint64_t value);
  WordTerm(const z3::expr& expression, Query& query)
      : query_(&query), expression_(expression.simplify()) {}

  Query& query() const { return *query_; }
  const z3::expr& expression() const { return expression_; }

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
  friend WordTerm operator~(const WordTerm& a) { return {~a.expression_, *a.query_}; }

  friend Truth operator==(const WordTerm& a, const WordTerm& b) {
    return Truth(a.expression_ == b.expression_);
  }
  friend Truth operator!=(const WordTerm& a, const WordTerm& b) { return !(a == b); }
  friend Truth operator<(const WordTerm& a, const WordTerm& b) {
    return Truth(z3::ult(a.expression_, b.expression_));
  }
  friend Truth operator<=(const WordTerm& a, const WordTerm& b) {
    return Truth(z3::ule(a.expression_, b.expression_));
  }
  friend Truth operator>(const WordTerm& a, const WordTerm& b) { return b < a; }
  friend Truth operator>=(const WordTerm& a, const WordTerm& b) { return b <= a; }

  friend WordTerm select(const Truth& condition, const WordTerm& a, const WordTerm& b) {
    return {z3::ite(condition.expression(), a.expression_, b.expression_), *a.query_};
  }

 private:
  WordTerm with(const WordTerm& other, Z3_ast (*make)(Z3_context, Z3_ast, Z3_ast)) const {
    z3::context& context = expression_.ctx();
    return {z3::expr(context, make(context, expression_, other.expression_)), *query_};
  }

  Query* query_;
  z3::expr expression_;
};

}  // namespace bankproof::proofs
