// Tests the texts that the solvers get, the conclusions from their answers, sums of many terms, and
// the verdict on a theorem whose lemma is not proved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../proofs/builder/sums.hpp"
#include "../../proofs/solvers/counterexample.hpp"
#include "../../proofs/solvers/prove_all.hpp"
#include "../../proofs/solvers/refuter.hpp"
#include "canary.hpp"

namespace bankproof::proofs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Texts = std::vector<std::string>;

TEST(Questions, of_nothing_can_be_true) {
  z3::context context;
  const z3::expr x = context.int_const("x");
  const Texts texts = {question(context, {}), question(context, {x > 1}),
                       question(context, {x > 1, x < 2})};
  std::vector<Answer::Kind> answers;
  for (const Answer& answer : ask_cvc5(texts)) answers.push_back(answer.kind);
  EXPECT_THAT(answers,
              ElementsAre(Answer::satisfiable, Answer::satisfiable, Answer::unsatisfiable));
}

TEST(Answers, of_z3_have_an_example_or_what_contradicts_itself) {
  z3::context context;
  const z3::expr x = context.int_const("x");
  const z3::expr y = context.int_const("y");
  const z3::expr b = context.bool_const("b");
  const Answer possible = ask_z3(context, {b, x == 7, y == 3});
  EXPECT_EQ(possible.kind, Answer::satisfiable);
  Texts values;
  for (const z3::expr& one : possible.example) values.push_back(one.to_string());
  EXPECT_THAT(values, UnorderedElementsAre("(= x 7)",
                                           "(= y 3)"));  // b is not a number, so it gets no value
  EXPECT_EQ(ask_z3(context, {x == 7}).example.size(), 1U);
  const Answer impossible = ask_z3(context, {y > 1, x<1, b, x> y});
  EXPECT_EQ(impossible.kind, Answer::unsatisfiable);
  EXPECT_THAT(impossible.core, ElementsAre(0U, 1U, 3U));
  EXPECT_THAT(impossible.example, IsEmpty());
  Refuter refuter;
  for (int again = 0; again < 2; ++again) {
    EXPECT_THAT(refuter.refute(context, {y > 1, x<1, b, x> y}).core, ElementsAre(0U, 1U, 3U));
    EXPECT_THAT(refuter.refute(context, {x > y, b, y > 1, x < 1}).core, ElementsAre(0U, 2U, 3U));
  }
}

TEST(Answers, of_a_program_are_one_line_for_each_question) {
  const auto answers = [](const std::string& name, const std::string& script) {
    return ask_cvc5({"(one)", "(two)"}, {.cvc5 = stub(name, script)});
  };
  const auto expect_errors = [](const std::vector<Answer>& all, const std::string& why) {
    ASSERT_EQ(all.size(), 2U);
    for (const Answer& answer : all) {
      EXPECT_EQ(answer.kind, Answer::error);
      EXPECT_THAT(answer.why, HasSubstr(why));
      EXPECT_FALSE(answer.is_missing);
    }
  };
  const std::vector<Answer> both = answers("both", "cat > /dev/null; echo sat; echo unsat");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].kind, Answer::satisfiable);
  EXPECT_EQ(both[1].kind, Answer::unsatisfiable);
  expect_errors(answers("more", "cat > /dev/null; echo sat; echo unsat; echo sat"),
                "more answers than questions: sat");
  expect_errors(answers("ends", "cat > /dev/null; echo sat; echo unsat; exit 3"), "exit code 3");
  const std::vector<Answer> first = answers("first", "cat > /dev/null; echo unknown; echo sat");
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[0].kind, Answer::unknown);
  EXPECT_EQ(first[0].why, "unknown");
  EXPECT_EQ(first[1].kind, Answer::unknown);
  EXPECT_THAT(first[1].why, HasSubstr("not asked"));
  const std::vector<Answer> odd = answers("odd", "cat > /dev/null; echo saturated; echo sat");
  EXPECT_EQ(odd.at(0).kind, Answer::error);
  EXPECT_EQ(odd.at(0).why, "saturated");

  const std::vector<Answer> unnamed = ask_cvc5({"(one)"}, {.cvc5 = ""});
  ASSERT_EQ(unnamed.size(), 1U);
  EXPECT_EQ(unnamed[0].kind, Answer::error);
  EXPECT_TRUE(unnamed[0].is_missing);
  EXPECT_TRUE(ask_cvc5({"(one)"}, {.cvc5 = "no-such-solver"}).at(0).is_missing);
  expect_errors(ask_cvc5({"(one)", "(two)"}, {.cvc5 = ::testing::TempDir()}), "cannot be run: ");
}

TEST(Answers, of_a_program_are_to_what_it_was_told_within_its_limits) {
  const std::string told = ::testing::TempDir() + "bankproof-told";
  const std::string program =
      stub("listens", "{ echo \"$@\"; cat; } > '" + told + "'; echo sat; echo sat");
  ask_cvc5({"(one)\n", "(two)\n"}, {.cvc5_steps = 77, .seconds = 3, .cvc5 = program});
  std::ifstream file(told);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text,
            "-q --lang smt2 --rlimit-per=77 --tlimit-per=3000\n(one)\n(reset)\n(two)\n(reset)\n");
}

/// Checks a theorem with two facts. The first solver answers `goal` for the goal and `premises` for
/// all other obligations. Its answer for the first obligation has an example. `second` is the
/// second solver.
Checked made_of(const Answer& premises, const Answer& goal,
                std::function<std::vector<Answer>(const Texts&)> second) {
  std::size_t asked = 0;
  const Theorem any = theorem([](Query& q) {
    const IntTerm w = q.number("w", 4, 4);
    q.assume(w <= IntTerm(9));
    q.claim("some", w >= IntTerm(3));
  });
  return check(any, {.first =
                         [&](z3::context& context, const std::vector<z3::expr>&) {
                           const std::size_t k = asked++;
                           if (k == 1) return goal;
                           Answer answer = premises;
                           if (k == 0) answer.example = {context.int_const("w") == 5};
                           return answer;
                         },
                     .second = std::move(second)});
}

TEST(Questions, to_the_second_solver_are_what_the_first_one_needed) {
  const Answer yes{Answer::satisfiable, {}};
  const Answer no{Answer::unsatisfiable, {}, {0, 2}};
  std::vector<Texts> asked;
  const Checked checked = made_of(yes, no, [&](const Texts& texts) {
    asked.push_back(texts);
    return std::vector<Answer>{yes, {Answer::unsatisfiable, {}}, yes};
  });
  EXPECT_TRUE(checked.proved()) << checked.z3.why << checked.cvc5.why;
  EXPECT_EQ(checked.goals, 1U);
  EXPECT_GT(checked.seconds, 0);
  ASSERT_EQ(asked.size(), 1U);
  ASSERT_EQ(checked.asked.size(), 3U);
  const Texts titles = {"premises", "some", "false twin"};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(checked.asked[k].what, titles[k]);
    EXPECT_EQ(checked.asked[k].text, asked[0].at(k));
    EXPECT_EQ(checked.asked[k].wanted, k == 1 ? Answer::unsatisfiable : Answer::satisfiable);
  }
  EXPECT_THAT(asked[0][0], HasSubstr("(= w 5)"));
  EXPECT_THAT(asked[0][1], HasSubstr("(<= 4 w)"));
  EXPECT_THAT(asked[0][1], Not(HasSubstr("(<= w 9)")));
  EXPECT_THAT(asked[0][1], HasSubstr("(<= 3 w)"));
}

TEST(Questions, of_which_a_part_is_not_enough_are_asked_of_all) {
  const Answer yes{Answer::satisfiable, {}};
  const Answer no{Answer::unsatisfiable, {}};
  std::vector<Texts> asked;
  const Checked checked =
      made_of(yes, {Answer::unsatisfiable, {}, {0, 2}}, [&](const Texts& texts) {
        asked.push_back(texts);
        if (asked.size() == 1) return std::vector<Answer>{yes, {Answer::unknown, "why"}, yes};
        return std::vector<Answer>{no};
      });
  EXPECT_TRUE(checked.proved()) << checked.z3.why << checked.cvc5.why;
  ASSERT_EQ(asked.size(), 2U);
  ASSERT_EQ(asked[1].size(), 1U);
  EXPECT_THAT(asked[1][0], HasSubstr("(<= w 9)"));
  EXPECT_EQ(checked.asked.at(1).text, asked[1][0]);
}

TEST(Questions, with_fewer_answers_prove_nothing) {
  const Answer yes{Answer::satisfiable, {}};
  const Answer no{Answer::unsatisfiable, {}};
  for (const std::size_t count : {0U, 2U, 4U}) {
    const Checked checked = made_of(yes, no, [&](const Texts&) {
      std::vector<Answer> answers = {yes, no};
      answers.resize(count, {Answer::unknown, "why"});
      return answers;
    });
    EXPECT_EQ(checked.z3.verdict, Verdict::proved);
    EXPECT_EQ(checked.cvc5.verdict, Verdict::error);
    EXPECT_EQ(checked.cvc5.why, "answers are missing");
  }
}

TEST(Checks, refuse_theorems_that_are_built_wrong) {
  const auto claim = [](Query& q) { q.claim("some", q.number("w", 1, 4) >= IntTerm(1)); };
  Theorem wrong = theorem(claim);
  wrong.false_twin([](Query& q) { q.number("w", 1, 4); });
  expect_failure(check(wrong), Verdict::error, "a false twin is one goal");
  wrong.false_twin([](Query& q) {
    for (int k = 0; k < 2; ++k) q.claim("no", IntTerm(1) <= IntTerm(0));
  });
  expect_failure(check(wrong), Verdict::error, "a false twin is one goal");

  Lemma private_lemma = multiples_are_apart();
  private_lemma.name = "my own";
  expect_failure(check(theorem([&](Query& q) {
                   claim(q);
                   q.apply(private_lemma, {IntTerm(1), IntTerm(1), IntTerm(1)});
                 })),
                 Verdict::error, "its lemma 'my own' is not in the catalog");
  Lemma with_another = squares_are_not_negative();
  with_another.steps = [](Query& q, const Lemma::Terms& t) {
    q.apply(squares_are_not_negative(), t);
  };
  expect_failure(check(with_another), Verdict::error, "a lemma uses another one");
}

TEST(Checks, have_verdicts_by_these_names) {
  EXPECT_EQ(name_of(Verdict::proved), "proved");
  EXPECT_EQ(name_of(Verdict::refuted), "refuted");
  EXPECT_EQ(name_of(Verdict::unknown), "unknown");
  EXPECT_EQ(name_of(Verdict::error), "error");
}

TEST(AllProofs, need_the_lemmas_that_they_use) {
  Theorem with_lemma = theorem([](Query& q) {
    const IntTerm w = q.number("w", 1, 4);
    q.apply(multiples_are_apart(), {w, IntTerm(1), IntTerm(2)});
    q.claim("some", w >= IntTerm(1));
  });
  with_lemma.id = "with";
  Theorem without = theorem([](Query& q) { q.claim("some", q.number("w", 1, 4) >= IntTerm(1)); });
  without.id = "without";
  Theorem wrong = with_lemma;
  wrong.id = "wrong";
  wrong.false_twin([](Query& q) { q.claim("true", IntTerm(0) <= IntTerm(1)); });
  for (const Answer::Kind kind : {Answer::unknown, Answer::error}) {
    // The second solver gives no answer about a lemma, whose numbers are called t0, t1, ….
    const Solvers solvers = {.second = [=](const Texts& texts) {
      if (texts.at(0).find("t0") == std::string::npos) return ask_cvc5(texts);
      return std::vector<Answer>(texts.size(), {kind, "no idea"});
    }};
    std::mutex mutex;
    std::multiset<std::string> done;
    const std::vector<Proof> proofs =
        prove_all({with_lemma, without, wrong}, solvers, [&](const std::string& id) {
          const std::scoped_lock lock(mutex);
          done.insert(id);
        });
    EXPECT_EQ(done, (std::multiset<std::string>{"with", "without", "wrong"}));
    ASSERT_EQ(proofs.size(), 3U);
    EXPECT_EQ(proofs[0].theorem.id, "with");
    EXPECT_EQ(proofs[0].checked.z3.verdict, Verdict::proved);
    EXPECT_EQ(proofs[0].checked.cvc5.verdict,
              kind == Answer::unknown ? Verdict::unknown : Verdict::error);
    EXPECT_THAT(proofs[0].checked.cvc5.why, HasSubstr("its lemma 'multiples': "));
    EXPECT_THAT(proofs[0].checked.cvc5.why, HasSubstr("no idea"));
    EXPECT_TRUE(proofs[1].checked.proved());
    EXPECT_EQ(proofs[2].checked.cvc5.why, "its false twin is not refuted");
  }
}

TEST(Counterexamples, are_small_values_with_what_fails_and_what_the_machines_did) {
  const auto found = [](std::uint64_t most, auto replay) {
    Theorem narrow = theorem([=](Query& q) {
      const IntTerm w = q.number("w", most, most);
      const WordTerm b = q.word("b", 3);
      q.assume(b == WordTerm(q, 3));
      q.claim("first", w >= IntTerm(most));
      q.claim("narrow", w < IntTerm(most));
    });
    narrow.replay(replay);
    Query query;
    narrow.prove(query);
    return counterexample(narrow, query);
  };
  const auto one = found(64, nullptr);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->values, (Values{{"b", 3}, {"w", 64}}));
  EXPECT_EQ(one->words, "b = 3, w = 64: not true: narrow; no machine has replayed it");
  EXPECT_TRUE(one->is_of_claim);
  EXPECT_TRUE(one->agreed);
  EXPECT_FALSE(found(65, nullptr));

  const auto told = found(64, [](const Values& v) { return std::to_string(v.at("w")) + " took"; });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->words, "b = 3, w = 64: not true: narrow; 64 took");
  const auto denied = found(64, [](const Values&) -> std::string { throw std::logic_error("no"); });
  ASSERT_TRUE(denied);
  EXPECT_FALSE(denied->agreed);
  EXPECT_EQ(denied->words,
            "b = 3, w = 64: not true: narrow; but the replay on the machine disagrees: no");
}

TEST(Counterexamples, are_of_the_first_step_that_is_false) {
  Theorem wrong = theorem([](Query& q) {
    const WordTerm b = q.word("b", 3);
    q.claim("small", b < WordTerm(q, 64));
    q.claim("the same", b < WordTerm(q, 64));
  });
  Query query;
  wrong.prove(query);
  const auto found = counterexample(wrong, query);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->words, "b = 64: a step of the proof is not true: small");
  EXPECT_FALSE(found->is_of_claim);
  ASSERT_EQ(query.examples().size(), 1U);
  EXPECT_EQ(query.examples()[0].to_string(), "(= b #x00000003)");
}

TEST(Counterexamples, need_not_decide_what_is_assumed_of_functions) {
  expect_failure(check(theorem([](Query& q) {
                   const IntTerm w = q.number("w", 1, 4);
                   q.assume(q.function("f")(w) >= IntTerm(1));
                   q.claim("narrow", w < IntTerm(20));
                 })),
                 Verdict::refuted, "not true: narrow");
}

TEST(Sums, of_a_constant_number_of_terms_are_added_up) {
  Query query;
  const auto itself = [](const IntTerm& k) { return k; };
  const auto less = [](const IntTerm& k) { return k - IntTerm(1); };
  const auto expect_sum = [](const IntTerm& sum, std::uint64_t wanted) {
    EXPECT_EQ(sum.constant(), wanted);
  };
  expect_sum(sum_over(IntTerm(5), itself), 0 + 1 + 2 + 3 + 4);
  expect_sum(sum_over(IntTerm(0), itself), 0);
  expect_sum(sum_over_powers(IntTerm(8), itself), 1 + 2 + 4);
  expect_sum(sum_over_powers(IntTerm(9), itself), 1 + 2 + 4 + 8);
  expect_sum(sum_over_powers(IntTerm(1), itself), 0);
  expect_sum(sum_over_chain(IntTerm(5), less, itself), 5 + 4 + 3 + 2);
  expect_sum(sum_over_chain(IntTerm(1), less, itself), 0);
  EXPECT_THAT(query.goals(), IsEmpty());
  EXPECT_THAT(query.facts(), IsEmpty());
}

TEST(Sums, over_a_chain_end_below_two) {
  const Checked checked = check(theorem([](Query& q) {
    const IntTerm n = q.number("n", 1, 5);
    q.give(OverChain<IntTerm>("links").holds(
        [=](const IntTerm& number, const IntTerm& sum) { return sum + number == n; }));
    const IntTerm sum = sum_over_chain(
        n, [](const IntTerm& k) { return k - IntTerm(1); },
        [](const IntTerm&) { return IntTerm(1); });
    q.claim("all but one", sum >= n - IntTerm(1));
  }));
  EXPECT_TRUE(checked.proved()) << checked.z3.why << "; " << checked.cvc5.why;
  // Halving, rounded up, makes numbers from 2 on smaller, but 1 stays 1.
  const Checked halves = check(theorem([](Query& q) {
    q.give(OverChain<IntTerm>("links").holds(
        [](const IntTerm& /*number*/, const IntTerm& sum) { return sum >= IntTerm(0); }));
    const IntTerm sum = sum_over_chain(
        q.number("n", 1, 5), [](const IntTerm& k) { return ceil_div(k, IntTerm(2)); },
        [](const IntTerm&) { return IntTerm(1); });
    q.claim("some", sum >= IntTerm(0));
  }));
  EXPECT_TRUE(halves.proved()) << halves.z3.why << "; " << halves.cvc5.why;
}

TEST(Sums, of_costs_have_parts_that_are_numbers_of_their_own) {
  Query query;
  const auto sum = fresh_sum<Cost<IntTerm>>(query);
  std::set<std::string> names;
  for (const Rounds<IntTerm>& rounds : {sum.global, sum.shared, sum.constant}) {
    for (const IntTerm& part : {rounds.stages, rounds.rounds, rounds.requests}) {
      names.insert(part.expression().to_string());
    }
  }
  names.insert(sum.overlap.expression().to_string());
  names.insert(sum.launches.expression().to_string());
  EXPECT_THAT(names,
              ElementsAre("launches", "overlap", "requests", "requests.1", "requests.2", "rounds",
                          "rounds.1", "rounds.2", "stages", "stages.1", "stages.2"));
  EXPECT_EQ(query.facts().size(), 11U);
  EXPECT_EQ(sum.global.stages.expression().to_string(), "stages");
  EXPECT_EQ(sum.constant.stages.expression().to_string(), "stages.2");
}

}  // namespace
}  // namespace bankproof::proofs
