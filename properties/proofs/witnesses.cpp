// Tests the facts about the numbers that stand for quotients, ceilings, choices and logarithms.
// The facts about a number hold only for its right value, and suffice to compare several such
// numbers.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "canary.hpp"

namespace bankproof::proofs {
namespace {

using Valued = std::vector<std::pair<IntTerm, std::int64_t>>;

/// Whether the statement is true if the terms have these values.
bool is_true_of(z3::expr statement, const Valued& values) {
  z3::context& context = statement.ctx();
  z3::expr_vector terms(context);
  z3::expr_vector numbers(context);
  for (const auto& [term, value] : values) {
    terms.push_back(term.expression());
    numbers.push_back(context.int_val(value));
  }
  const z3::expr valued = statement.substitute(terms, numbers).simplify();
  EXPECT_TRUE(valued.is_true() || valued.is_false()) << valued;
  return valued.is_true();
}
bool are_facts_true(const Query& query, const Valued& values) {
  bool all = true;
  for (const Fact& fact : query.facts()) all = is_true_of(fact.expression, values) && all;
  return all;
}

void expect_proof(std::function<void(Query&)> proof) {
  const Checked checked = check(theorem(std::move(proof)));
  EXPECT_TRUE(checked.proved()) << checked.z3.why << "; " << checked.cvc5.why;
}
void expect_same_term(const IntTerm& a, const IntTerm& b) {
  z3::context none;  // for constants that belong to no query
  const auto text = [&](const IntTerm& term) {
    return (term.has_query() ? term.expression() : term.expression(none)).to_string();
  };
  EXPECT_EQ(text(a), text(b));
}

TEST(Witnesses, of_a_quotient_are_the_quotient_and_the_rest) {
  Query query;
  const IntTerm a = query.unknown("a");
  const IntTerm b = query.unknown("b");
  const IntTerm quotient = a / b;
  const IntTerm rest = a % b;
  for (std::int64_t n = -2; n <= 6; ++n) {
    for (std::int64_t d = 0; d <= 3; ++d) {
      for (std::int64_t q = -2; q <= 7; ++q) {
        for (std::int64_t r = -1; r <= 3; ++r) {
          const bool right = n == d * q + r && 0 <= r && r < d;
          EXPECT_EQ(are_facts_true(query, {{a, n}, {b, d}, {quotient, q}, {rest, r}}),
                    d == 0 || right)
              << n << " / " << d << " = " << q << ", " << r;
        }
      }
    }
  }
}

TEST(Witnesses, of_a_ceiling_are_the_ceiling) {
  Query query;
  const IntTerm a = query.unknown("a");
  const IntTerm b = query.unknown("b");
  const IntTerm ceiling = ceil_div(a, b);
  for (std::int64_t n = -3; n <= 6; ++n) {
    for (std::int64_t d = 0; d <= 3; ++d) {
      for (std::int64_t q = -3; q <= 7; ++q) {
        const bool right = n <= d * q && d * q < n + d;
        EXPECT_EQ(are_facts_true(query, {{a, n}, {b, d}, {ceiling, q}}), d == 0 || right)
            << n << " / " << d << " = " << q;
      }
    }
  }
}

TEST(Witnesses, of_choices_are_what_is_chosen) {
  const auto expect = [](auto choose, auto wanted) {
    Query query;
    const IntTerm a = query.unknown("a");
    const IntTerm b = query.unknown("b");
    const IntTerm chosen = choose(a, b);
    for (std::int64_t x = 0; x <= 3; ++x) {
      for (std::int64_t y = 0; y <= 3; ++y) {
        for (std::int64_t c = -1; c <= 4; ++c) {
          EXPECT_EQ(are_facts_true(query, {{a, x}, {b, y}, {chosen, c}}), c == wanted(x, y))
              << x << ", " << y << ": " << c;
        }
      }
    }
  };
  using Number = std::int64_t;
  expect([](const IntTerm& a, const IntTerm& b) { return smaller(a, b); },
         [](Number a, Number b) { return a < b ? a : b; });
  expect([](const IntTerm& a, const IntTerm& b) { return larger(a, b); },
         [](Number a, Number b) { return a < b ? b : a; });
  expect([](const IntTerm& a, const IntTerm& b) { return select(a == IntTerm(2), b, a); },
         [](Number a, Number b) { return a == 2 ? b : a; });
}

TEST(Witnesses, of_a_logarithm_are_the_least_exponent) {
  Query query;
  const IntTerm n = query.unknown("n");
  const IntTerm log = ceil_log2(n);
  const IntTerm power = query.power_of_two(log);
  for (std::int64_t number = 1; number <= 17; ++number) {
    std::int64_t least = 0;
    while (std::int64_t{1} << least < number) ++least;
    for (std::int64_t k = 0; k <= 6; ++k) {
      EXPECT_EQ(are_facts_true(query, {{n, number}, {log, k}, {power, std::int64_t{1} << k}}),
                k == least)
          << "the logarithm of " << number << " is " << k;
    }
  }
  // 0 has no logarithm: then the facts only say that `log` and `power` are in range.
  EXPECT_TRUE(are_facts_true(query, {{n, 0}, {log, 3}, {power, 9}}));
  EXPECT_FALSE(are_facts_true(query, {{n, 0}, {log, 3}, {power, 0}}));
  EXPECT_FALSE(are_facts_true(query, {{n, 0}, {log, -1}, {power, 1}}));
}

TEST(Witnesses, of_constants_are_constants) {
  Query query;
  const IntTerm n = query.unknown("n");
  expect_same_term(IntTerm(17) / IntTerm(5), IntTerm(3));
  expect_same_term(IntTerm(17) % IntTerm(5), IntTerm(2));
  expect_same_term(ceil_div(IntTerm(17), IntTerm(5)), IntTerm(4));
  expect_same_term(ceil_log2(IntTerm(17)), IntTerm(5));
  expect_same_term(query.power_of_two(IntTerm(0)), IntTerm(1));
  expect_same_term(query.power_of_two(IntTerm(62)), IntTerm(std::uint64_t{1} << 62));
  expect_same_term(select(IntTerm(1) < IntTerm(2), n, IntTerm(7)), n);
  expect_same_term(select(IntTerm(2) < IntTerm(1), n, IntTerm(7)), IntTerm(7));
  expect_same_term(IntTerm(17) / IntTerm(1), IntTerm(17));
  expect_same_term(ceil_div(IntTerm(17), IntTerm(1)), IntTerm(17));
  EXPECT_TRUE(query.facts().empty());
  // None of these terms is a constant.
  EXPECT_FALSE((n / IntTerm(5)).constant());
  EXPECT_FALSE(ceil_div(n, IntTerm(5)).constant());
  EXPECT_FALSE((query.constant(17) / IntTerm(0)).constant());
  EXPECT_FALSE(ceil_div(query.constant(17), IntTerm(0)).constant());
  EXPECT_FALSE(query.power_of_two(IntTerm(63)).constant());
}

TEST(Constants, of_no_query_compute_exactly_or_throw) {
  const IntTerm large(std::numeric_limits<std::uint64_t>::max());
  const IntTerm negative = IntTerm(3) - IntTerm(5);
  EXPECT_FALSE(negative.has_query());
  EXPECT_FALSE(negative.constant());
  EXPECT_TRUE((negative < IntTerm(0)).is_surely_true());
  EXPECT_TRUE((negative + IntTerm(2) == IntTerm(0)).is_surely_true());
  EXPECT_TRUE((large * IntTerm(2) == large + large).is_surely_true());
  EXPECT_FALSE((large * IntTerm(2)).constant());
  EXPECT_THROW(large * large * large, std::logic_error);
  EXPECT_THROW(IntTerm(17) / IntTerm(0), std::logic_error);
  EXPECT_THROW(negative / IntTerm(2), std::logic_error);
  EXPECT_THROW(negative.query(), std::logic_error);
  // A comparison of constants reaches the solvers as a comparison; nobody replaces it by true or
  // false.
  z3::context context;
  EXPECT_EQ((negative <= IntTerm(0)).expression(context).to_string(), "(<= (- 2) 0)");
  Query query;
  expect_same_term(query.constant(5) * large, query.unknown("n") * IntTerm(0) + IntTerm(5) * large);
}

TEST(Witnesses, are_the_same_of_the_same_numbers_only) {
  Query query;
  const IntTerm a = query.unknown("a");
  const IntTerm b = query.unknown("b");
  const auto expect = [&](auto witness) {
    const IntTerm first = witness(a, b);
    const std::size_t facts = query.facts().size();
    expect_same_term(witness(a, b), first);
    EXPECT_EQ(query.facts().size(), facts);
    EXPECT_NE(witness(b, a).expression().id(), first.expression().id());
    EXPECT_NE(witness(a + b, b).expression().id(), first.expression().id());
  };
  expect([](const IntTerm& x, const IntTerm& y) { return x / y; });
  expect([](const IntTerm& x, const IntTerm& y) { return ceil_div(x, y); });
  expect([&](const IntTerm& x, const IntTerm& y) { return select(a <= b, x, y); });
  expect([&](const IntTerm& x, const IntTerm& /*y*/) { return ceil_log2(x); });
}

TEST(Witnesses, of_one_divisor_are_in_the_order_of_what_is_divided) {
  expect_proof([](Query& q) {
    const IntTerm d = q.number("d", 1, 2);
    const IntTerm m = q.number("m", 0, 5);
    const IntTerm n = q.number("n", 0, 5);
    const IntTerm of_m = m / d;
    const IntTerm of_n = n / d;
    q.claim("up", implies(m <= n, of_m <= of_n));
    q.claim("down", implies(n <= m, of_n <= of_m));
    q.claim("equal", implies(of_m == of_n, m - m % d == n - n % d));
    q.claim("ceiling", of_m <= ceil_div(m, d));
  });
  // Divisions of several numbers by different divisors give no common facts.
  Query query;
  const IntTerm n = query.unknown("n");
  n / query.unknown("d");
  n / query.unknown("e");
  ceil_div(n, query.unknown("f"));
  EXPECT_TRUE(query.used().empty());
}

TEST(Witnesses, of_products_of_factors_are_not_negative) {
  expect_proof([](Query& q) {
    const IntTerm x = q.number("x", 0, 2);
    const IntTerm y = q.number("y", 0, 3);
    const IntTerm d = q.number("d", 1, 4);
    q.claim("quotient", (x * y) / d >= IntTerm(0));
    q.claim("ceiling", ceil_div(x * y, d) >= IntTerm(0));
    q.claim("no dividend", IntTerm(0) / d == IntTerm(0) && IntTerm(0) % d == IntTerm(0));
  });
}

TEST(Witnesses, of_logarithms_are_in_the_order_of_their_numbers) {
  expect_proof([](Query& q) {
    const IntTerm m = q.number("m", 1, 5);
    const IntTerm n = q.number("n", 1, 6);
    const IntTerm of_m = ceil_log2(m);
    const IntTerm of_n = ceil_log2(n);
    q.claim("up", implies(m <= n, of_m <= of_n));
    q.claim("down", implies(n <= m, of_n <= of_m));
  });
}

/// A whole number, which may be negative.
IntTerm whole(Query& query, std::int64_t value) {
  return {query, query.context().int_val(value), Written(value)};
}

TEST(LemmaStatements, say_what_is_so_where_it_is_so) {
  Query query;
  using Number = std::int64_t;
  const auto expect = [](const Truth& truth, bool wanted) {
    EXPECT_EQ(truth.is_surely_true(), wanted) << wanted;
    EXPECT_EQ(truth.is_surely_false(), !wanted) << wanted;
  };
  for (Number b = -2; b <= 3; ++b) {
    for (Number x = -2; x <= 3; ++x) {
      for (Number y = -2; y <= 3; ++y) {
        const Lemma::Terms terms = {whole(query, b), whole(query, x), whole(query, y)};
        expect(multiples_are_apart().premise(terms), b >= 0 && x < y);
        expect(multiples_are_apart().conclusion(terms), b * x + b <= b * y);
      }
      const Lemma::Terms terms = {whole(query, b), whole(query, x)};
      expect(powers_of_two_grow().premise(terms), 0 <= b && b < x);
      if (b >= 0 && x >= 0) {
        expect(powers_of_two_grow().conclusion(terms), 2 << b <= 1 << x);
      }
      expect(squares_are_not_negative().premise(terms), true);
      expect(squares_are_not_negative().conclusion(terms), 2 * b * x <= b * b + x * x);
    }
  }
}

TEST(LemmaStatements, are_these_each_of_so_many_numbers) {
  std::vector<std::string> names;
  Query query;
  for (const Lemma* lemma : lemmas()) {
    names.push_back(lemma->name);
    const Lemma::Terms terms(lemma->arity + 1, IntTerm(1));
    EXPECT_THROW(query.apply(*lemma, terms), std::logic_error);
    EXPECT_TRUE(check(*lemma).proved()) << lemma->name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"multiples", "powers-of-two", "squares"}));
  EXPECT_TRUE(query.facts().empty());
  EXPECT_TRUE(query.used().empty());
}

TEST(Conclusions, leave_nothing_but_themselves) {
  Query query;
  const IntTerm x = query.number("x", 1, 2);
  const IntTerm y = query.number("y", 1, 2);
  query.multiply_by({x});
  const std::size_t before = query.facts().size();
  query.conclude("steps", [&] {
    query.multiply_by({x, y});
    query.claim("a step", x * y >= x);
    return x * y >= IntTerm(1);
  });
  ASSERT_EQ(query.facts().size(), before + 1);
  EXPECT_EQ(query.facts().back().expression.to_string(),
            (x * y >= IntTerm(1)).expression(query.context()).to_string());
  query.claim("after", y >= IntTerm(1));
  ASSERT_EQ(query.goals().size(), 3U);
  EXPECT_EQ(query.goals()[0].multipliers.size(), 2U);
  EXPECT_EQ(query.goals()[1].what, "steps");
  EXPECT_EQ(query.goals()[2].multipliers.size(), 1U);
}

TEST(Scaling, of_an_order_by_what_is_not_negative_keeps_it) {
  expect_proof([](Query& q) {
    const IntTerm b = q.number("b", 0, 2);
    const IntTerm x = q.number("x", 0, 3);
    const IntTerm y = q.number("y", 0, 4);
    q.scale(b, x, y);
    q.claim("less", implies(x < y, b * x + b <= b * y));
    q.claim("scaled", implies(x <= y, b * x <= b * y));
  });
  expect_proof([](Query& q) {
    const IntTerm b = q.number("b", 0, 2);
    const IntTerm x = q.number("x", 0, 3);
    const IntTerm y = q.number("y", 0, 4);
    q.assume(b >= IntTerm(1));
    q.scale(b - IntTerm(1), x, y);
    q.claim("scaled", implies(x <= y, (b - IntTerm(1)) * x <= (b - IntTerm(1)) * y));
  });
}

}  // namespace
}  // namespace bankproof::proofs
