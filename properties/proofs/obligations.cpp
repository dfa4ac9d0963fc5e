// The solvers check every obligation of a proof's steps. Each of these proofs has one false
// obligation, and would succeed if the obligation were not a goal.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "../../proofs/builder/sums.hpp"
#include "canary.hpp"

namespace bankproof::proofs {
namespace {

/// The proof's claim is true, but the proof fails at the obligation with this title.
void expect_asked(const std::string& title, std::function<void(Query&)> proof) {
  const Checked checked = check(theorem(std::move(proof)));
  EXPECT_FALSE(checked.proved()) << title;
  EXPECT_TRUE(checked.z3.verdict == Verdict::refuted || checked.z3.verdict == Verdict::unknown)
      << title << ": " << checked.z3.why;
  EXPECT_THAT(checked.z3.why, ::testing::HasSubstr(": " + title)) << checked.z3.why;
  EXPECT_THAT(checked.cvc5.why, ::testing::HasSubstr(": " + title)) << checked.cvc5.why;
}

TEST(Obligations, of_an_induction_are_its_base_and_its_step) {
  expect_asked("base", [](Query& q) {
    const IntTerm n = q.number("n", 0, 3);
    q.induct(IntTerm(0), n, [](const IntTerm& k) { return k >= IntTerm(1); });
    q.claim("claim", n >= IntTerm(0));
  });
  expect_asked("step", [](Query& q) {
    const IntTerm n = q.number("n", 0, 0);
    q.induct(IntTerm(0), n, [](const IntTerm& k) { return k <= IntTerm(0); });
    q.claim("claim", n >= IntTerm(0));
  });
}

IntTerm one_each(const IntTerm& /*k*/) { return IntTerm(1); }

TEST(Obligations, of_a_sum_are_that_it_holds_of_no_terms_and_of_one_more) {
  expect_asked("terms: no terms", [](Query& q) {
    const IntTerm n = q.number("n", 0, 3);
    q.give(OverNumbers<IntTerm>("terms").holds(
        [=](const IntTerm& k, const IntTerm& sum) { return sum == k && n >= IntTerm(2); }));
    q.claim("claim", sum_over(n, one_each) >= IntTerm(0));
  });
  expect_asked("terms: one term more", [](Query& q) {
    const IntTerm n = q.number("n", 0, 3);
    q.give(OverNumbers<IntTerm>("terms").holds(
        [](const IntTerm& k, const IntTerm& sum) { return sum == k + k; }));
    q.claim("claim", sum_over(n, one_each) >= IntTerm(0));
  });
  expect_asked("terms: a number of terms", [](Query& q) {
    const IntTerm n = q.number("n", 0, 9);
    q.give(OverNumbers<IntTerm>("terms").holds(
        [](const IntTerm& k, const IntTerm& sum) { return sum == k; }));
    q.claim("claim", sum_over(n - IntTerm(5), one_each) >= IntTerm(0));
  });
}

TEST(Obligations, of_a_sum_over_powers_of_two_are_the_same_and_that_there_is_an_end) {
  expect_asked("powers: no terms", [&](Query& q) {
    const IntTerm n = q.number("n", 1, 8);
    q.give(OverPowers<IntTerm>("powers").holds(
        [=](const IntTerm& k, const IntTerm& /*power*/, const IntTerm& sum) {
          return sum == k && n >= IntTerm(2);
        }));
    q.claim("claim", sum_over_powers(n, one_each) >= IntTerm(0));
  });
  expect_asked("powers: one term more", [&](Query& q) {
    const IntTerm n = q.number("n", 1, 8);
    q.give(OverPowers<IntTerm>("powers").holds([](const IntTerm& k, const IntTerm& /*power*/,
                                                  const IntTerm& sum) { return sum == k + k; }));
    q.claim("claim", sum_over_powers(n, one_each) >= IntTerm(0));
  });
  // In this proof only the step from the first power is false.
  expect_asked("powers: one term more", [&](Query& q) {
    const IntTerm n = q.number("n", 1, 8);
    q.give(OverPowers<IntTerm>("powers").holds(
        [](const IntTerm& /*k*/, const IntTerm& power, const IntTerm& sum) {
          return power >= IntTerm(4) || sum == IntTerm(0);
        }));
    q.claim("claim", sum_over_powers(n, one_each) >= IntTerm(0));
  });
  expect_asked("powers: a number of powers", [&](Query& q) {
    const IntTerm n = q.number("n", 0, 8);
    q.give(OverPowers<IntTerm>("powers").holds(
        [](const IntTerm& k, const IntTerm& /*power*/, const IntTerm& sum) { return sum == k; }));
    q.claim("claim", sum_over_powers(n, one_each) >= IntTerm(0));
  });
}

TEST(Obligations, of_a_sum_over_a_chain_are_the_same_and_that_it_descends) {
  const auto less = [](const IntTerm& number) { return number - IntTerm(1); };
  const auto same = [](const IntTerm& number) { return number; };
  expect_asked("links: no terms", [&](Query& q) {
    const IntTerm n = q.number("n", 1, 8);
    q.give(OverChain<IntTerm>("links").holds([=](const IntTerm& number, const IntTerm& sum) {
      return sum + number == n && n >= IntTerm(2);
    }));
    q.claim("claim", sum_over_chain(n, less, one_each) >= IntTerm(0));
  });
  expect_asked("links: one term more", [&](Query& q) {
    const IntTerm n = q.number("n", 1, 8);
    q.give(OverChain<IntTerm>("links").holds(
        [=](const IntTerm& number, const IntTerm& sum) { return sum + sum + number == n; }));
    q.claim("claim", sum_over_chain(n, less, one_each) >= IntTerm(0));
  });
  // An infinite chain has no sum.
  expect_asked("links: one term more", [&](Query& q) {
    const IntTerm n = q.number("n", 1, 8);
    q.give(OverChain<IntTerm>("links").holds(
        [](const IntTerm& /*number*/, const IntTerm& sum) { return sum >= IntTerm(0); }));
    q.claim("claim", sum_over_chain(n, same, one_each) >= IntTerm(0));
  });
}

TEST(Obligations, of_what_steps_conclude_are_their_conclusions) {
  expect_asked("under this premise", [](Query& q) {
    const IntTerm n = q.number("n", 0, 3);
    const Truth premise = n >= IntTerm(2);
    q.suppose(premise, [&] { return n >= IntTerm(3); });
    q.claim("claim", n >= IntTerm(0));
  });
  expect_asked("steps", [](Query& q) {
    const IntTerm n = q.number("n", 0, 3);
    q.conclude("steps", [&] { return n >= IntTerm(3); });
    q.claim("claim", n >= IntTerm(0));
  });
}

TEST(Obligations, of_factors_are_that_they_are_not_negative) {
  expect_asked("a factor", [](Query& q) {
    const IntTerm x = q.number("x", 0, 7);
    const IntTerm y = q.number("y", 1, 2);
    q.multiply_by({x - IntTerm(5)});
    q.claim("claim", x * y >= IntTerm(0));
  });
  expect_asked("a factor", [](Query& q) {
    const IntTerm x = q.number("x", 0, 7);
    const IntTerm y = q.number("y", 1, 2);
    q.scale(x - IntTerm(5), x, y);
    q.claim("claim", x >= IntTerm(0));
  });
}

TEST(Obligations, of_names_are_that_they_are_no_products_nor_numbered) {
  for (const std::string name : {"a*b", "a.1", "a b"}) {
    for (const bool word : {false, true}) {
      const Checked checked = check(theorem([&](Query& q) {
        if (word) {
          q.word(name, 1);
        } else {
          q.number(name, 0, 1);
        }
        q.claim("claim", IntTerm(0) == IntTerm(0));
      }));
      expect_failure(checked, Verdict::error, "'" + name + "' is no name of a number");
    }
  }
}

}  // namespace
}  // namespace bankproof::proofs
