// Invariants belong to sums by their order (proofs/builder/invariants.hpp). An invariant that no
// sum uses is an error, and so is a sum without an invariant. The error names the invariant. If the
// sum without an invariant is inside a term of another sum, the error names that other sum.
#include "../../proofs/builder/invariants.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "../../proofs/builder/sums.hpp"
#include "canary.hpp"

namespace bankproof::proofs {
namespace {

/// The invariant that a sum of k terms, all equal to `each`, is k·each. `step` gives the invariants
/// of the sums in a term.
OverNumbers<IntTerm> counts(const std::string& name, const IntTerm& each = IntTerm(1),
                            const std::function<void(const IntTerm&)>& step = nullptr) {
  return OverNumbers<IntTerm>(name)
      .holds([=](const IntTerm& k, const IntTerm& sum) { return sum == k * each; })
      .step(step);
}
/// A sum of n terms. Each term is itself a sum of m ones.
IntTerm sum_of_sums(const IntTerm& n, const IntTerm& m) {
  return sum_over(
      n, [&](const IntTerm&) { return sum_over(m, [](const IntTerm&) { return IntTerm(1); }); });
}
Checked check_sum_of_sums(const std::function<void(Query&, const IntTerm& m)>& give) {
  return check(theorem([=](Query& q) {
    const IntTerm n = q.number("n", 1, 3);
    const IntTerm m = q.number("m", 1, 2);
    give(q, m);
    q.claim("the product", sum_of_sums(n, m) == n * m);
  }));
}

TEST(Invariants, belong_to_sums_and_to_the_sums_in_their_terms) {
  const Checked checked = check_sum_of_sums([](Query& q, const IntTerm& m) {
    q.give(counts("rows", m, [&q](const IntTerm&) { q.give(counts("columns")); }));
  });
  EXPECT_TRUE(checked.proved()) << checked.z3.why << "; " << checked.cvc5.why;
}

TEST(Invariants, that_no_sum_uses_are_errors_that_name_them) {
  expect_failure(check(theorem([](Query& q) {
                   q.claim("some", q.number("w", 1, 4) >= IntTerm(1));
                   q.give(counts("rows"));
                 })),
                 Verdict::error, "an invariant that no sum uses: 'rows'");
  expect_failure(check_sum_of_sums([](Query& q, const IntTerm& m) {
                   q.give(counts("rows", m, [&q](const IntTerm&) {
                     q.give(counts("columns"));
                     q.give(counts("pages"));
                   }));
                 }),
                 Verdict::error, "an invariant that no sum uses: 'pages', in a term of 'rows'");
}

TEST(Invariants, that_sums_lack_are_errors_that_name_the_sum_around) {
  expect_failure(check_sum_of_sums([](Query&, const IntTerm&) {}), Verdict::error,
                 "a sum over numbers for which no invariant is given");
  expect_failure(check_sum_of_sums([](Query& q, const IntTerm& m) { q.give(counts("rows", m)); }),
                 Verdict::error,
                 "a sum over numbers for which no invariant is given, in a term of 'rows'");
  // The proof gives an invariant after the invariant of the rows. It belongs to the next sum of the
  // proof, and not to a sum in a term.
  expect_failure(check_sum_of_sums([](Query& q, const IntTerm& m) {
                   q.give(counts("rows", m));
                   q.give(counts("columns"));
                 }),
                 Verdict::error,
                 "a sum over numbers for which no invariant is given, in a term of 'rows'");
}

TEST(Invariants, of_another_kind_of_sum_are_errors_that_name_them) {
  expect_failure(
      check_sum_of_sums([](Query& q, const IntTerm& m) {
        q.give(counts("rows", m, [&q](const IntTerm&) {
          q.give(OverPowers<IntTerm>("levels").holds(
              [](const IntTerm& k, const IntTerm&, const IntTerm& sum) { return sum == k; }));
        }));
      }),
      Verdict::error,
      "the invariant 'levels' is of another kind of sum than the sum over numbers that takes it, "
      "in a term of 'rows'");
}

TEST(Invariants, prove_facts_about_a_term_once_the_sums_in_it_are_known) {
  const auto proved = [](bool after) {
    return check(theorem([=](Query& q) {
             const IntTerm n = q.number("n", 1, 3);
             const IntTerm m = q.number("m", 1, 2);
             auto squares = OverNumbers<IntTerm>("squares")
                                .holds([=](auto& k, auto& sum) { return sum >= k * m; })
                                .step([=, &q](auto&) { q.give(counts("rows", m)); });
             if (after) {
               squares.after([=, &q](auto&, auto& term) {
                 q.claim("a term", term == m * m);
                 q.multiply_by({m});
               });
             }
             q.give(squares);
             const IntTerm sum = sum_over(
                 n, [&](const IntTerm&) { return sum_over(m, [&](const IntTerm&) { return m; }); });
             q.claim("some", sum >= n * m);
           }))
        .proved();
  };
  EXPECT_TRUE(proved(true));
  EXPECT_FALSE(proved(false));
}

}  // namespace
}  // namespace bankproof::proofs
