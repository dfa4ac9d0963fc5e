// Statements that hold for some numbers hold for some numbers when their quotients are hidden.
#include "../../../symbolic/solving/opaque.hpp"

#include <gtest/gtest.h>

#include "../../../symbolic/solving/decide.hpp"
#include "../../../symbolic/terms/evaluate.hpp"

namespace bankproof::symbolic {
namespace {

/// Whether two numbers can have the quotients and the rests that the machine computes of them.
Decided::Kind decided(bool is_signed, std::uint64_t a, std::uint64_t b, std::uint64_t divisor) {
  Pool pool;
  const Term x = pool.unknown("x", 64);
  const Term y = pool.unknown("y", 64);
  const Term d = pool.unknown("d", 64);
  Values values(pool, [&](Term unknown) { return unknown == x ? a : unknown == y ? b : divisor; });
  std::vector<Term> statements;
  for (const auto& [term, value] : {std::pair(x, a), std::pair(y, b), std::pair(d, divisor)}) {
    statements.push_back(pool.equal(term, pool.constant(value, 64)));
  }
  const auto each = [&](Term dividend) {
    return std::pair(pool.quotient(dividend, d, is_signed), pool.remainder(dividend, d, is_signed));
  };
  const auto [q, r] = each(x);
  const auto [p, s] = each(y);
  for (const Term one : {q, r, p, s}) {
    statements.push_back(pool.equal(one, pool.constant(values(one), 64)));
  }
  Opaque opaque(pool);
  return decide(pool, opaque(statements)).kind;
}

TEST(HiddenQuotients, exclude_nothing_that_holds) {
  const std::uint64_t values[] = {0, 1, 7, 31, 32, 1ULL << 33U, 1ULL << 63U, ~0ULL};
  for (const bool is_signed : {false, true}) {
    for (const std::uint64_t a : values) {
      for (const std::uint64_t divisor : values) {
        EXPECT_NE(decided(is_signed, a, 33, divisor), Decided::Kind::never) << a << ' ' << divisor;
      }
    }
  }
}

TEST(HiddenQuotients, tell_different_numbers_apart) {
  Pool pool;
  const Term x = pool.unknown("x", 64);
  const Term y = pool.unknown("y", 64);
  const Term d = pool.unknown("d", 64);
  const Term differ = pool.negation(pool.equal(x, y));
  const Term quotients = pool.equal(pool.quotient(x, d, false), pool.quotient(y, d, false));
  const Term rests = pool.equal(pool.remainder(x, d, false), pool.remainder(y, d, false));
  Opaque opaque(pool);
  EXPECT_EQ(decide(pool, opaque({differ, quotients, rests})).kind, Decided::Kind::never);
  EXPECT_NE(decide(pool, opaque({differ, quotients})).kind, Decided::Kind::never);
  EXPECT_NE(decide(pool, opaque({quotients, rests})).kind, Decided::Kind::never);
}

}  // namespace
}  // namespace bankproof::symbolic
