// Both solvers prove all theorems and lemmas.
#include "../../proofs/theorems/catalog.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "../../proofs/solvers/check.hpp"

namespace bankproof::proofs {
namespace {

/// The name of a theorem's test: "S2.upper.DMM" becomes S2_upper_DMM.
std::string test_name(std::string id) {
  std::replace_if(
      id.begin(), id.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return id;
}

void expect_proved(const Checked& checked) {
  EXPECT_EQ(checked.z3.verdict, Verdict::proved) << "Z3: " << checked.z3.why;
  EXPECT_EQ(checked.cvc5.verdict, Verdict::proved) << "cvc5: " << checked.cvc5.why;
  EXPECT_GE(checked.goals, 1U);
}

class Theorems : public ::testing::TestWithParam<Theorem> {};
TEST_P(Theorems, is_proved) { expect_proved(check(GetParam())); }
INSTANTIATE_TEST_SUITE_P(All, Theorems, ::testing::ValuesIn(catalog()),
                         [](const auto& each) { return test_name(each.param.id); });

class Lemmas : public ::testing::TestWithParam<const Lemma*> {};
TEST_P(Lemmas, is_proved) { expect_proved(check(*GetParam())); }
INSTANTIATE_TEST_SUITE_P(All, Lemmas, ::testing::ValuesIn(lemmas()),
                         [](const auto& each) { return test_name(each.param->name); });

TEST(Catalog, says_of_each_theorem_what_where_and_how_far) {
  std::set<std::string> ids;
  for (const Theorem& theorem : catalog()) {
    EXPECT_TRUE(ids.insert(theorem.id).second) << theorem.id << " twice";
    for (const std::string& words : {theorem.source, theorem.statement, theorem.domain}) {
      EXPECT_FALSE(words.empty()) << theorem.id;
    }
  }
}

}  // namespace
}  // namespace bankproof::proofs
