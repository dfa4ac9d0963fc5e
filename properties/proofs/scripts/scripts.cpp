// Scripts for Coq: what they state, and which facts they name. Coq itself checks them in ci/coq.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../../proofs/builder/sums.hpp"
#include "../../../proofs/scripts/script.hpp"
#include "../../../proofs/written/in_coq.hpp"

namespace bankproof::proofs {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ScriptsForCoq, state_premises_and_claims_as_they_are_written) {
  Query q;
  const auto [n, w] = q.numbers({{"n", 0, 5}, {"w", 1, 2}});
  q.assume(n >= w);
  q.claim("enough", w * ceil_div(n, w) >= n);
  const Scripted scripted = script_of(q);
  EXPECT_EQ(scripted.statement,
            "forall n w,\n  (0 <= n) ->\n  (1 <= w) ->\n  (w <= n) ->\n"
            "  (n <= (w * (ceiling n w)))");
}

TEST(ScriptsForCoq, name_the_facts_that_a_goal_needs) {
  Query q;
  const auto [a, b, c] = q.numbers({{"a", 0, 1}, {"b", 0, 2}, {"c", 0, 3}});
  q.assume(a < b);  // fact 3
  q.assume(b < c);  // fact 4
  q.claim("in order", a < c);
  EXPECT_THAT(script_of(q).proof, HasSubstr("clear - F3 F4; linear"));
}

TEST(ScriptsForCoq, suppose_of_functions_what_holds_for_all_numbers_of_a_scope) {
  Query q;
  const IntTerm n = q.number("n", 1, 3);
  const Function f = q.function("f");
  q.assume(f(0) == 0);
  q.induct(
      0, n, [&](const IntTerm& k) { return f(k) == k; },
      [&](const IntTerm& k) { q.assume(f(k + 1) == f(k) + 1); });
  q.claim("as large", f(n) == n);
  const Scripted scripted = script_of(q);
  EXPECT_THAT(scripted.statement, HasSubstr("(f : Z -> Z)"));
  EXPECT_THAT(scripted.statement,
              HasSubstr("(forall k, (0 <= k) -> (k < n) -> ((f (k + 1)) = ((f k) + 1)))"));
}

TEST(ScriptsForCoq, prove_that_terms_are_counts_where_they_need_it) {
  const auto proof = [](bool needs_it) {
    Query q;
    const IntTerm n = q.number("n", 1, 3);
    q.give(OverNumbers<IntTerm>("terms").holds([=](auto& k, auto& sum) { return sum <= k; }));
    const IntTerm sum =
        sum_over(n, [&](const IntTerm& k) { return select(k < 7, IntTerm(1), IntTerm(0)); });
    q.claim("bounded", needs_it ? sum >= 0 && sum <= n : sum <= n);
    return script_of(q).proof;
  };
  EXPECT_THAT(proof(true), HasSubstr("Z.add_nonneg_nonneg"));
  EXPECT_THAT(proof(false), Not(HasSubstr("Z.add_nonneg_nonneg")));
}

TEST(ScriptsForCoq, have_no_words_and_no_goals_that_do_not_follow) {
  Query words;
  const WordTerm word = words.word("word", 1);
  const WordTerm other = words.word("other", 2);
  words.claim("in either order", word + other == other + word);
  EXPECT_THROW(script_of(words), NoText);
  Query open;
  const IntTerm n = open.number("n", 0, 1);
  open.claim("large", n >= 1);
  EXPECT_THROW(script_of(open), NoScript);
  Query nothing;
  EXPECT_THROW(script_of(nothing), NoScript);
}

}  // namespace
}  // namespace bankproof::proofs
