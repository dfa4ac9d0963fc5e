// Checks that fail must fail with the right message: false theorems, contradictory premises, proofs
// of nothing, and solvers that do not answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <cstdlib>

#include "../../algorithms/layout.hpp"
#include "../../processes/process.hpp"
#include "../../proofs/builder/parameters.hpp"
#include "../../proofs/builder/sums.hpp"
#include "../../proofs/solvers/check.hpp"
#include "../../proofs/solvers/refuter.hpp"
#include "../../proofs/theorems/words/index.hpp"
#include "canary.hpp"

namespace bankproof::proofs {
namespace {

using ::testing::HasSubstr;

/// The theorem that the words of a column lie in different banks if rows are w + `more` words
/// apart.
Theorem pitch(std::uint64_t more) {
  return theorem([=](Query& q) {
    const IntTerm w = width(q);
    const IntTerm i = below(q, "i", w, 0);
    const IntTerm k = below(q, "k", w, 1);
    q.assume(i != k);
    const auto word = [&](const IntTerm& row) {
      IntTerm place = row_major(row, IntTerm(0), w + IntTerm(more));
      q.compare_multiples(w, place / w, row + (row * IntTerm(more)) / w);
      return place;
    };
    q.claim("different banks", word(i) % w != word(k) % w);
  });
}

TEST(ProofCanary, a_theorem_that_holds_is_proved) { EXPECT_TRUE(check(pitch(1)).proved()); }

TEST(ProofCanary, rows_that_lie_aligned_are_refuted) {
  const Checked checked = check(pitch(0));
  expect_failure(checked, Verdict::refuted, "not true: different banks");
  EXPECT_THAT(checked.z3.why, HasSubstr("w = "));
}
TEST(ProofCanary, rows_two_words_more_apart_are_refuted) {
  expect_failure(check(pitch(2)), Verdict::refuted, "not true: different banks");
}
TEST(ProofCanary, a_bound_that_is_one_too_low_is_refuted) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   const IntTerm first = q.number("first", 0, 7);
                   const IntTerm i = below(q, "i", w, 2);
                   q.claim("one group", (first + i) / w == first / w);
                 })),
                 Verdict::refuted, "not true: one group");
}

TEST(ProofCanary, a_theorem_is_refuted_by_values_for_which_what_a_step_supposes_is_false) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   q.suppose(w <= IntTerm(3), [&] { return w < IntTerm(5); });
                   q.claim("narrow", w < IntTerm(20));
                 })),
                 Verdict::refuted, "not true: narrow");
}
TEST(ProofCanary, a_step_is_refuted_by_values_for_which_what_it_supposes_is_true) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   q.suppose(w >= IntTerm(6), [&] { return w >= IntTerm(7); });
                 })),
                 Verdict::refuted, "w = 6: not true: under this premise");
}

TEST(ProofCanary, values_for_which_a_supposition_is_undecided_refute_nothing) {
  // The theorem assumes nothing about f(w), so its supposition may never apply to w = 20, ….
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   const Function f = q.function("f");
                   q.suppose(f(w) >= IntTerm(1), [&] { return w < IntTerm(20); });
                 })),
                 Verdict::unknown, "does not follow: under this premise");
}
TEST(ProofCanary, values_for_which_premises_cannot_hold_together_refute_nothing) {
  // For values from 20 on, the theorem assumes that f(w) is 0 and that it is at least 1.
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   const Function f = q.function("f");
                   q.assume(f(w) >= IntTerm(1));
                   if (w.constant() && *w.constant() >= 20) q.assume(f(w) <= IntTerm(0));
                   q.claim("narrow", w < IntTerm(20));
                 })),
                 Verdict::unknown, "does not follow: narrow");
}

TEST(ProofCanary, a_theorem_whose_proof_has_more_goals_on_values_is_refuted) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm n = q.number("n", 1, 3);
                   q.give(OverNumbers<IntTerm>("terms").holds(
                       [](const IntTerm& k, const IntTerm& sum) { return sum == k; }));
                   const IntTerm sum = sum_over(n, [&](const IntTerm& k) {
                     q.claim("a term", k >= IntTerm(0));
                     return IntTerm(1);
                   });
                   q.claim("few", sum < IntTerm(20));
                 })),
                 Verdict::refuted, "not true: few");
}
TEST(ProofCanary, a_theorem_whose_proof_cannot_be_put_to_values_is_not_refuted) {
  // If n has a value, the proof computes the sum over n and leaves its invariant unused.
  expect_failure(
      check(theorem([](Query& q) {
        const IntTerm n = q.number("n", 1, 3);
        q.give(OverNumbers<IntTerm>("terms").holds(
            [](const IntTerm& k, const IntTerm& sum) { return sum == k; }));
        q.give(OverPowers<IntTerm>("powers").holds(
            [](const IntTerm& k, const IntTerm&, const IntTerm& sum) { return sum == k; }));
        const auto one = [](const IntTerm&) { return IntTerm(1); };
        const IntTerm sum = sum_over(n, one);
        const IntTerm levels = sum_over_powers(q.fresh("m", 1), one);
        q.claim("few", sum < IntTerm(20) && levels >= IntTerm(0));
      })),
      Verdict::unknown, "does not follow: few");
}

TEST(ProofCanary, a_counterexample_that_the_machines_deny_is_an_error) {
  Theorem wrong = pitch(0);
  wrong.replay([](const Values&) -> std::string { throw std::logic_error("one stage"); });
  expect_failure(check(wrong), Verdict::error, "the replay on the machine disagrees: one stage");
}

TEST(ProofCanary, a_step_that_does_not_follow_is_unknown) {
  // This is true for whole numbers, but the linear form of the goal has no fact about the product w
  // · w.
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   q.claim("squares", w * w >= w);
                 })),
                 Verdict::unknown, "does not follow: squares");
}

TEST(ProofCanary, a_factor_is_none_outside_of_the_premise_that_makes_it_one) {
  // (x − 5)y ≥ x − 5 for y ≥ 1 is false for x = 0 and y = 2, where x − 5 is negative.
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm x = q.number("x", 0, 7);
                   const IntTerm y = q.number("y", 1, 2);
                   const IntTerm factor = x - IntTerm(5);
                   q.suppose(x >= IntTerm(5), [&] {
                     q.multiply_by({factor});
                     return factor * y >= factor;
                   });
                   q.claim("multiplied", factor * y >= factor);
                 })),
                 Verdict::refuted, "not true: multiplied");
}

TEST(ProofCanary, what_is_different_need_not_be_when_it_is_multiplied) {
  const Checked checked = check(theorem([](Query& q) {
    const IntTerm x = q.number("x", 0, 2);
    const IntTerm i = q.number("i", 0, 3);
    const IntTerm k = q.number("k", 0, 4);
    q.assume(i != k);
    q.multiply_by({x});
    q.claim("multiplied", x * i != x * k);
  }));
  expect_failure(checked, Verdict::refuted, "not true: multiplied");
  EXPECT_THAT(checked.z3.why, HasSubstr("x = 0"));
}

TEST(ProofCanary, contradictory_premises_prove_nothing) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   q.assume(w > IntTerm(5) && w < IntTerm(4));
                   q.claim("anything", w == IntTerm(0));
                 })),
                 Verdict::error, "its premises contradict each other");
}
TEST(ProofCanary, a_contradiction_in_a_scope_proves_nothing) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   q.suppose(w < IntTerm(1), [&] { return w == IntTerm(9); });
                 })),
                 Verdict::error, "its assumptions are contradictory: under this premise");
}
TEST(ProofCanary, a_false_twin_that_is_true_is_reported) {
  Theorem vain = pitch(1);
  vain.false_twin([](Query& q) { q.claim("true", q.number("w", 1, 4) >= IntTerm(1)); });
  expect_failure(check(vain), Verdict::error, "its false twin is not refuted");
}
TEST(ProofCanary, a_proof_of_nothing_is_an_error) {
  expect_failure(check(theorem([](Query& q) { width(q); })), Verdict::error, "nothing was checked");
}

TEST(ProofCanary, two_numbers_of_one_name_are_an_error) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = width(q);
                   q.claim("the same", w <= width(q));
                 })),
                 Verdict::error, "two numbers are named w");
}

/// An access to every second of n words, where n ≤ `most`. The guard compares n with 2i, where i is
/// an index; 2i may not fit a word.
Theorem every_other(std::uint64_t most) {
  return no_overflow("canary", "a canary", "n ≤ most", [=](Query& q, More more) {
    const Word n = size(q, "n", most + more);
    limit(q, n.value(), most + more);
    guard(2 * index(q, "i", n, most * more) < n);
  });
}
TEST(ProofCanary, an_index_that_stays_a_word_is_proved) {
  EXPECT_TRUE(check(every_other(Word::end / 2)).proved());
}
TEST(ProofCanary, an_index_that_wraps_around_before_its_guard_is_not_proved) {
  // As a word, 2·2^31 wraps to 0, which is below n; as a number, 2·2^31 is not below n.
  expect_failure(check(every_other(Word::end / 2 + 1)), Verdict::unknown,
                 "does not follow: no overflow");
}
TEST(ProofCanary, a_row_whose_last_piece_ends_beyond_the_words_is_not_proved) {
  // With 10^9 threads, turn 4 covers columns from 4·10^9 on, including column 2^32.
  const auto row = [](std::uint64_t most) {
    return no_overflow("canary", "a canary", "n ≤ most, p ≤ 2^30", [=](Query& q, More more) {
      const std::uint64_t columns = more == 0 ? most : Word::end;
      const Word n = size(q, "n", columns);
      limit(q, n.value(), columns);
      Swept(q, 1, n, Threads(q, 1));
    });
  };
  EXPECT_TRUE(check(row(Word::end - (1U << 30U))).proved());
  expect_failure(check(row(Word::end - 2)), Verdict::unknown, "does not follow: no overflow");
}

TEST(ProofCanary, a_constant_that_is_no_word_is_refused) {
  Query query;
  EXPECT_THROW(CheckedTerm{Word::end}, std::logic_error);
  EXPECT_THROW(WordTerm{Word::end}, std::logic_error);
  EXPECT_NO_THROW(CheckedTerm{Word::end - 1});
  EXPECT_NO_THROW(WordTerm{Word::end - 1});
}

Solvers with_cvc5(const std::string& program, unsigned seconds = 20) {
  return {.second = [=](const std::vector<std::string>& questions) {
    return ask_cvc5(questions, {.seconds = seconds, .cvc5 = program});
  }};
}

TEST(ProofCanary, a_solver_that_says_unknown_proves_nothing) {
  const Checked checked = check(pitch(1), with_cvc5(stub("unknown", "yes unknown | head -3")));
  EXPECT_EQ(checked.z3.verdict, Verdict::proved);
  EXPECT_EQ(checked.cvc5.verdict, Verdict::unknown);
  EXPECT_FALSE(checked.proved());
}
TEST(ProofCanary, a_solver_that_hangs_proves_nothing) {
  const Checked checked = check(pitch(1), with_cvc5(stub("hangs", "sleep 60"), 1));
  EXPECT_EQ(checked.z3.verdict, Verdict::proved);
  EXPECT_FALSE(checked.proved());
  EXPECT_EQ(checked.cvc5.verdict, Verdict::unknown);
  EXPECT_THAT(checked.cvc5.why, HasSubstr("no answer in"));
}
TEST(ProofCanary, a_solver_that_is_missing_proves_nothing) {
  const Checked checked = check(pitch(1), with_cvc5("no-such-solver"));
  EXPECT_EQ(checked.cvc5.verdict, Verdict::error);
  EXPECT_THAT(checked.cvc5.why, HasSubstr("no-such-solver is not installed"));
}
TEST(ProofCanary, a_solver_that_answers_in_part_proves_nothing) {
  const Checked checked = check(pitch(1), with_cvc5(stub("parts", "echo sat; echo unsat; exit 1")));
  EXPECT_EQ(checked.cvc5.verdict, Verdict::error);
  EXPECT_THAT(checked.cvc5.why, HasSubstr("no answer"));
}
TEST(ProofCanary, a_limit_that_is_reached_proves_nothing) {
  const Solvers hasty = {.first = [](z3::context& context, const std::vector<z3::expr>& all) {
    return ask_z3(context, all, {.z3_steps = 1});
  }};
  const Checked checked = check(pitch(1), hasty);
  EXPECT_EQ(checked.z3.verdict, Verdict::unknown);
  EXPECT_FALSE(checked.proved());
}
/// Whole numbers with x³ + y³ + z³ = 114: it is unknown whether such numbers exist.
std::vector<z3::expr> open_problem(z3::context& context) {
  const auto cube = [&](const char* name) {
    const z3::expr x = context.int_const(name);
    return x * x * x;
  };
  return {cube("x") + cube("y") + cube("z") == 114};
}
TEST(ProofCanary, a_first_solver_that_takes_too_long_proves_nothing) {
  const Solvers patient = {.first = [](z3::context& context, const std::vector<z3::expr>&) {
    return ask_z3(context, open_problem(context), {.z3_steps = 4'000'000'000U, .seconds = 1});
  }};
  const Checked checked = check(pitch(1), patient);
  EXPECT_EQ(checked.z3.verdict, Verdict::unknown);
  EXPECT_THAT(checked.z3.why, HasSubstr("premises: "));
  EXPECT_FALSE(checked.proved());
}
TEST(ProofCanary, a_question_is_not_refuted_by_statements_of_another_one) {
  z3::context context;
  const z3::expr x = context.int_const("x");
  Refuter refuter;
  EXPECT_THAT(refuter.refute(context, {x > 1, x > 2, x < 1}).core, ::testing::Contains(2U));
  EXPECT_EQ(refuter.refute(context, {x > 1, x > 2}).kind, Answer::unknown);
  EXPECT_EQ(refuter.refute(context, {x < 1}).kind, Answer::unknown);
  EXPECT_EQ(refuter.refute(context, {x<1, x> 1}).kind, Answer::unsatisfiable);
}
/// A solver's answers about the four parts of a theorem: its premises, its only goal, its false
/// twin, and the facts from which the goal follows.
using Answers = std::vector<Answer::Kind>;
const Answers wanted = {Answer::satisfiable, Answer::unsatisfiable, Answer::satisfiable,
                        Answer::satisfiable};

/// Checks a theorem about which the solvers give these answers.
Checked answered(const Answers& first, const Answers& second) {
  std::size_t asked = 0;
  const Theorem any = theorem([](Query& q) { q.claim("some", width(q) >= IntTerm(1)); });
  return check(any, {.first =
                         [&](z3::context&, const std::vector<z3::expr>&) {
                           return Answer{first.at(asked++), "so it is"};
                         },
                     .second =
                         [&](const std::vector<std::string>& questions) {
                           std::vector<Answer> answers;
                           for (std::size_t k = 0; k < questions.size(); ++k) {
                             // A call asks one question (the one about the false twin) or all
                             // questions; when asked again, the solver gives the same answer.
                             const std::size_t which = questions.size() == 1 ? 2 : k;
                             answers.push_back({second.at(which), "so it is"});
                           }
                           return answers;
                         }});
}
TEST(ProofCanary, solvers_that_answer_as_wanted_prove) {
  EXPECT_TRUE(answered(wanted, wanted).proved());
}
TEST(ProofCanary, a_false_twin_of_which_one_solver_knows_nothing_proves_nothing) {
  Answers unknown = wanted;
  unknown[2] = Answer::unknown;
  EXPECT_EQ(answered(unknown, wanted).z3.verdict, Verdict::unknown);
  EXPECT_FALSE(answered(unknown, wanted).proved());
  EXPECT_EQ(answered(wanted, unknown).cvc5.verdict, Verdict::unknown);
  EXPECT_FALSE(answered(wanted, unknown).proved());
}
TEST(ProofCanary, facts_of_which_it_is_unknown_whether_they_can_hold_prove_nothing) {
  Answers unknown = wanted;
  unknown[3] = Answer::unknown;
  EXPECT_FALSE(answered(unknown, wanted).proved());
  EXPECT_EQ(answered(unknown, wanted).z3.verdict, Verdict::unknown);
}
TEST(ProofCanary, a_process_is_started_without_the_handlers_of_fork) {
  // Z3 registers a handler for fork, which stops the clocks of solvers on other threads.
  static bool is_called = false;
  ASSERT_EQ(pthread_atfork([] { is_called = true; }, nullptr, nullptr), 0);
  Process process({"true"}, "");
  EXPECT_EQ(process.wait(), "");
  EXPECT_FALSE(is_called);
}
TEST(ProofCanary, the_second_solver_refutes_what_the_first_lets_pass) {
  // The first solver always answers as wanted: the premises hold, the goals follow.
  int asked = 0;
  const Solvers gullible = {.first = [&](z3::context&, const std::vector<z3::expr>&) {
    return Answer{asked++ == 1 ? Answer::unsatisfiable : Answer::satisfiable, {}};
  }};
  Theorem open = theorem([](Query& q) { q.claim("less", width(q) < IntTerm(9)); });
  const Checked checked = check(open, gullible);
  EXPECT_EQ(checked.cvc5.verdict, Verdict::refuted) << checked.cvc5.why;
  EXPECT_FALSE(checked.proved());
}

}  // namespace
}  // namespace bankproof::proofs
