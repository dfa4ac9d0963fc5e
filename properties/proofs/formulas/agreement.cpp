// The methods agree: evaluation of all threads, and plain loops with the oracle's stages, confirm
// every proof and every refutation of the solvers.
#include "agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include "../../../proofs/formulas/exhaustive.hpp"
#include "../../../testing/canary.hpp"
#include "../../../testing/property.hpp"
#include "../../model/made_up_chips.hpp"

namespace bankproof::formulas {
namespace {

TEST(Agreement, evaluation_of_all_threads_decides_correctly) {
  testing::check_property(
      [](const Asked& asked) { decides_what_is_so(asked, Method::exhaustive); });
}

TEST(Agreement, words_decide_correctly) {
  testing::check_property([](const Asked& asked) { decides_what_is_so(asked, Method::words); }, "",
                          20);
}

/// A question about an access to the shared memory of a chip that is not in the table.
Asked asked_of_a_made_up_chip() {
  RuleCase rule{.machine = "made-up", .width = Chip::warp_width};
  rule.made_up = (*rc::gen::arbitrary<gpu_properties::MadeUpChip>()).chip;
  rule.bytes = std::min(*rc::gen::element<std::uint32_t>(4, 1, 2, 8, 16),
                        rule.made_up->shared.widest_element());
  return draw_asked(rule, *rc::gen::arbitrary<std::uint64_t>());
}

TEST(Agreement, words_decide_correctly_on_made_up_chips) {
  testing::check_property([] { decides_what_is_so(asked_of_a_made_up_chip(), Method::words); }, "",
                          20);
}

/// Asks about a chip with half as many banks.
struct HalfTheBanks {
  static Decision decide(Question question, const Property& property, Method method) {
    const auto& rule = std::get<SharedMemoryRule>(question.rule);
    Chip chip = rule.chip();
    chip.shared.banks /= 2;
    if (is_consistent(chip)) question.rule = SharedMemoryRule(chip, rule.element_bytes());
    return formulas::decide(question, property, only(method));
  }
};

// One question in about 120 shows the bug, so a thousand may miss it: there are up to three tries.
TEST(Canary, a_query_with_other_banks_than_the_chip_is_caught) {
  for (const Method method : {Method::exhaustive, Method::words}) {
    std::string counterexample;
    for (std::uint64_t which = 0; which < 3 && counterexample.empty(); ++which) {
      counterexample = testing::counterexample(
          [method] { decides_what_is_so<HalfTheBanks>(asked_of_a_made_up_chip(), method); }, which);
    }
    EXPECT_NE(counterexample, "") << name_of(method);
  }
}

TEST(Agreement, integers_decide_correctly) {
  testing::check_property([](const Asked& asked) { decides_what_is_so(asked, Method::integers); },
                          "", 20);
}

// A search that finds nothing decides nothing; a search that finds a counterexample must be right.
BANKPROOF_PROPERTY(Agreement, a_search_finds_only_true_counterexamples, (const Asked& asked)) {
  const Question question = asked.question();
  const PlainAnswer plain(asked);
  for (const Property& property : properties_of(question)) {
    const bool holds = plain.holds(property);
    RC_ASSERT(!search(question, property, 1'000'000) || !holds);
    if (property.kind == Kind::defined && !holds) return;
  }
}

/// Calls use(question) for the same cases in every run.
template <class Use>
void for_each_case(std::uint64_t count, Use use) {
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    use(rc::gen::arbitrary<Asked>()(rc::Random(seed), 50).value().question());
  }
}

// There are several kinds of cases, and the methods decide most cases.
TEST(Agreement, most_cases_are_decided) {
  std::map<std::string, int> count;
  for_each_case(50, [&](const Question& question) {
    for (const Property& property : properties_of(question)) {
      const Decision words = decide(question, property, only(Method::words));
      const Decision integers = decide(question, property, only(Method::integers));
      ++count[std::string(name_of(words.verdict)) + " by words"];
      ++count[std::string(name_of(integers.verdict)) + " by integers"];
      if (property.kind == Kind::defined && words.verdict != Verdict::proved) return;
    }
  });
  const int all = count["proved by words"] + count["refuted by words"] + count["unknown by words"];
  EXPECT_GT(count["proved by words"], all / 4);
  EXPECT_GT(count["refuted by words"], all / 10);
  EXPECT_LT(count["unknown by words"], all / 20);
  EXPECT_GT(count["proved by integers"], all / 20);
}

// cvc5 checks the text of each query that Z3 proves. A refutation by cvc5 would be an error.
TEST(Agreement, both_solvers_prove_the_same) {
  int proved = 0;
  int both = 0;
  for_each_case(15, [&](const Question& question) {
    for (const Decision& decision : decide(question, only(Method::words, "cvc5"), [](auto&) {})) {
      proved += decision.solvers.empty() ? 0 : 1;
      both += decision.solvers.size() == 2 ? 1 : 0;
    }
  });
  EXPECT_GT(proved, 15);
  EXPECT_GT(both, proved * 9 / 10);
}

}  // namespace
}  // namespace bankproof::formulas
