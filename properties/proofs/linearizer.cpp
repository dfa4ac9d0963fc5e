// The exact linear form of statements over polynomials: products as unknowns, multiples of facts,
// and which multiples the linearizer omits.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../proofs/solvers/linear.hpp"

namespace bankproof::proofs {
namespace {

using Statements = std::vector<z3::expr>;

std::string text_of(const Statements& statements) {
  std::string text;
  for (const z3::expr& one : statements) text += one.to_string() + "\n";
  return text;
}

/// Some unknowns. The name of a product lists its factors in the order of these unknowns.
struct LinearStatements : ::testing::Test {
  z3::expr product(const char* name) { return unknown(name); }
  z3::expr unknown(const char* name) { return context.int_const(name); }
  z3::expr number(std::int64_t value) { return context.int_val(value); }

  /// Expects that the statement, multiplied by `factor`, has the linear form `wanted`.
  void expect(const z3::expr& statement, const z3::expr& factor, const z3::expr& wanted) {
    EXPECT_EQ(linearizer.linear(statement, factor).to_string(), wanted.to_string());
  }
  void expect(const z3::expr& statement, const z3::expr& wanted) {
    expect(statement, number(1), wanted);
  }
  void expect_negation(const Statements& facts, const Statements& factors, const z3::expr& claim,
                       const Statements& wanted) {
    Goal goal{"a goal", {}, claim, {}};
    for (const z3::expr& fact : facts) goal.facts.push_back({fact, goal.facts.size()});
    for (const z3::expr& factor : factors) goal.multipliers.push_back({factor, nullptr, 0});
    Statements found;
    for (const auto& statement : linearizer.negation(goal)) found.push_back(statement.expression);
    EXPECT_EQ(text_of(found), text_of(wanted));
  }

  z3::context context;
  z3::expr x = unknown("x");
  z3::expr y = unknown("y");
  z3::expr z = unknown("z");
  Linearizer linearizer{context};
};

TEST_F(LinearStatements, have_one_unknown_for_equal_products) {
  expect(x * y <= z, product("x*y") <= z);
  expect(y * x >= z * x, product("x*y") >= product("x*z"));
  expect(x * (y * x) == z, product("x*x*y") == z);
}

TEST_F(LinearStatements, are_sums_of_products_with_numbers) {
  expect(2 * x * 3 + y <= 5 + z + 4, 6 * x + y <= 9 + z);
  expect((x + y) * (x + 2) <= z, 2 * x + product("x*x") + product("x*y") + 2 * y <= z);
  expect(x - y - 3 == -z, number(-3) + x + number(-1) * y == number(-1) * z);
  expect(-(x + 2) <= y, number(-2) + number(-1) * x <= y);
}

TEST_F(LinearStatements, say_nothing_of_what_is_left_of_nothing) {
  expect(x - x <= y, number(0) <= y);
  expect(0 * x * y >= z + 0, number(0) >= z);
  expect(x + y - x == 3 * y - y, y == 2 * y);
}

TEST_F(LinearStatements, are_multiplied_where_they_are_not_denied_or_supposed) {
  const z3::expr less = x <= y;
  const z3::expr multiplied = product("x*z") <= product("y*z");
  expect(less, z, multiplied);
  expect(x >= y, z, product("x*z") >= product("y*z"));
  expect(x == 1, z, product("x*z") == z);
  expect(less, 2 + z, 2 * x + product("x*z") <= 2 * y + product("y*z"));
  expect(!less, z, !less);
  expect(z3::implies(less, less), z, z3::implies(less, multiplied));
  expect(less && x == 1, z, multiplied && product("x*z") == z);
  expect(less || x == 1, z, multiplied || product("x*z") == z);
}

TEST_F(LinearStatements, have_functions_of_polynomials) {
  const z3::sort whole = context.int_sort();
  const z3::func_decl f = context.function("f", whole, whole);
  const z3::func_decl g = context.function("g", whole, context.bool_sort(), whole);
  const z3::expr b = context.bool_const("b");
  expect(f(y + x) <= f(x + y), f(x + y) <= f(x + y));
  expect(f(x * y + 0) <= z, f(product("x*y")) <= z);
  expect(g(y + x, b) <= z, g(x + y, b) <= z);
  const z3::expr value = linearizer.linear(z * f(x + 0) <= 1, number(1)).arg(0);
  EXPECT_EQ(value.decl().name().str(), "z*(f x)");
}

TEST_F(LinearStatements, that_are_not_of_whole_numbers_stay_as_they_are) {
  const z3::expr b = context.bool_const("b");
  const z3::expr word = context.bv_const("w", 32);
  const z3::expr narrow = z3::ult(word, context.bv_val(7, 32));
  expect(b, z, b);
  expect(narrow, z, narrow);
  expect(word == word + 1, z, word == word + 1);
  expect(b && narrow, z, b && narrow);
}

TEST_F(LinearStatements, that_cannot_be_linear_are_refused) {
  const z3::expr one = number(1);
  EXPECT_THROW(linearizer.linear(x / y <= z, one), std::logic_error);
  EXPECT_THROW(linearizer.linear(z <= z3::ite(x <= y, x, y), one), std::logic_error);
  EXPECT_THROW(linearizer.linear(x < y, one), std::logic_error);
  const z3::func_decl relation =
      context.function("r", context.int_sort(), context.bool_sort(), context.bool_sort());
  EXPECT_THROW(linearizer.linear(relation(x, context.bool_const("b")), one), std::logic_error);
}

TEST_F(LinearStatements, have_numbers_of_64_bits) {
  const z3::expr most = context.int_val("9223372036854775807");
  const z3::expr least = context.int_val("-9223372036854775808");
  expect(most * x <= y + least, most * x <= least + y);
  const z3::expr one = number(1);
  const z3::expr more = context.int_val("9223372036854775808");
  EXPECT_THROW(linearizer.linear(more <= x, one), std::logic_error);
  EXPECT_THROW(linearizer.linear(most * x + x <= y, one), std::logic_error);
  EXPECT_THROW(linearizer.linear(most * x * 2 <= y, one), std::logic_error);
  EXPECT_THROW(linearizer.linear(most * x <= y, number(2)), std::logic_error);
}

TEST_F(LinearStatements, are_the_same_for_other_statements_in_between) {
  // If nobody keeps a reference to a term, Z3 may give the term's id to a later term.
  for (int k = 2; k < 100; ++k) {
    expect((x + k) * y <= z, product("x*y") + k * y <= z);
    expect_negation({(x + k) * y <= z}, {}, x <= k, {product("x*y") + k * y <= z, !(x <= k)});
  }
}

using Negations = LinearStatements;

TEST_F(Negations, are_the_same_for_other_facts_in_between) {
  // If nobody keeps a reference to a fact, Z3 may give the fact's id to a later fact about the same
  // terms.
  const std::vector<z3::expr> terms = {x * y, x * z, y * z};
  const std::vector<z3::expr> products = {product("x*y"), product("x*z"), product("y*z")};
  for (std::size_t k = 0; k < 3; ++k) {
    expect_negation({terms[k] <= z}, {}, x <= y, {products[k] <= z, !(x <= y)});
    expect_negation({terms[k] >= x}, {}, x <= y, {products[k] >= x, !(x <= y)});
    expect_negation({terms[k] == y}, {}, x <= y, {products[k] == y, !(x <= y)});
  }
}

TEST_F(Negations, have_facts_and_multiples_that_lead_to_the_claim) {
  const z3::expr claim = x * z <= y * z;
  const z3::expr multiplied = product("x*z") <= product("y*z");
  expect_negation({x <= y}, {z}, claim, {x <= y, multiplied, !multiplied});
  // The same statement again: now the linearizer knows all its parts.
  expect_negation({x <= y}, {z}, claim, {x <= y, multiplied, !multiplied});
  expect_negation({x <= y}, {}, claim, {x <= y, !multiplied});
}

TEST_F(Negations, have_one_statement_for_each_part_of_a_fact) {
  const z3::expr first = x <= y;
  const z3::expr second = y <= z;
  const z3::expr third = z >= 1;
  expect_negation({first && second}, {}, third, {first, second, !third});
  expect_negation({first && (second && third)}, {}, x >= 1, {first, second, third, !(x >= 1)});
  expect_negation({z3::implies(first, second && third)}, {}, x >= 1,
                  {z3::implies(first, second), z3::implies(first, third), !(x >= 1)});
}

TEST_F(Negations, have_no_statement_twice) {
  const z3::expr fact = x <= y;
  const z3::expr claim = z >= 1;
  expect_negation({fact, y <= z, fact}, {}, claim, {fact, y <= z, !claim});
  expect_negation({fact, x + 0 <= y}, {number(1)}, claim, {fact, !claim});
}

TEST_F(Negations, leave_out_multiples_with_a_product_that_nothing_else_has) {
  const z3::expr v = unknown("v");
  const z3::expr multiplied = product("x*z") <= product("y*z");
  const z3::expr claim = x * z <= y * z;
  expect_negation({x <= y}, {v}, claim, {x <= y, !multiplied});
  expect_negation({x <= y}, {v, z}, claim, {x <= y, multiplied, !multiplied});
  // The linearizer never omits a fact itself, whatever products it contains.
  expect_negation({x * v <= 1}, {}, z <= 1, {product("x*v") <= 1, !(z <= 1)});
}

TEST_F(Negations, leave_out_what_only_led_to_multiples_that_are_left_out) {
  // The facts multiplied by z are x·z ≤ y·z, y·z ≤ v·z and v·z ≤ w·z. Of these products the claim
  // has only x·z.
  const z3::expr v = unknown("v");
  const z3::expr w = unknown("w");
  const Statements facts = {x <= y, y <= v, v <= w};
  const z3::expr claim = x * z <= 7;
  Statements wanted = facts;
  wanted.push_back(!(product("x*z") <= 7));
  expect_negation(facts, {z}, claim, wanted);
}

TEST_F(Negations, keep_multiples_of_cases) {
  const z3::expr cases = x <= y || y <= 2;
  const z3::expr multiplied = product("x*z") <= product("y*z") || product("y*z") <= 2 * z;
  expect_negation({cases}, {z}, z >= 1, {cases, multiplied, !(z >= 1)});
}

}  // namespace
}  // namespace bankproof::proofs
