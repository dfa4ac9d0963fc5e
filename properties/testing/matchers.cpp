// The matchers for users' own suites accept and reject as the stage counts require, and a failure
// says what to change.
#include "../../testing/matchers/matchers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../oracles/stages.hpp"
#include "../../testing/accesses.hpp"
#include "../../testing/canary.hpp"

namespace bankproof::testing {
namespace {

using ::testing::DescribeMatcher;
using ::testing::Ge;
using ::testing::Le;
using ::testing::Not;
using ::testing::StringMatchResultListener;

/// The explanation that a failed EXPECT_THAT adds to the value and the expectation.
template <class T, class M>
std::string explanation(const T& value, const M& matcher) {
  StringMatchResultListener listener;
  EXPECT_FALSE(::testing::ExplainMatchResult(matcher, value, &listener));
  return listener.str();
}

const std::vector<Address> figure_3_3 = {7, 5, 15, 0};  // THS, w = 4

TEST(Matchers, tell_conflict_free_and_coalesced_accesses_from_others) {
  EXPECT_THAT(figure_3_3, Not(IsConflictFree(4)));
  EXPECT_THAT(figure_3_3, TakesStages(dmm_rule(4), 2));
  EXPECT_THAT(figure_3_3, TakesStages(umm_rule(4), Le(3)));
  EXPECT_THAT(std::vector<std::uint32_t>({10, 11, 12, 9}), IsConflictFree(4));
  EXPECT_THAT(std::vector<std::uint32_t>({10, 11, 12, 9}), Not(IsCoalesced(4)));
  EXPECT_THAT(std::vector<int>({3, -1, 2, 3}), IsCoalesced(4));
  EXPECT_THAT(Progression(4, 1, 3), IsConflictFree(4));
  EXPECT_THAT(Progression(4, 1, 4).lanes(), TakesStages(dmm_rule(4), 4));
}

TEST(Matchers, know_the_rules_of_chips) {
  std::vector<std::uint32_t> lanes(32);
  std::iota(lanes.begin(), lanes.end(), 0U);
  EXPECT_THAT(lanes, TakesStages(shared_rule("sm_90", 16), 4));
  EXPECT_THAT(lanes, TakesStages(global_rule("sm_90", 8), 2));
}

TEST(Matchers, explain_the_bank_or_the_groups_that_hold_an_access_up) {
  EXPECT_EQ(explanation(figure_3_3, IsConflictFree(4)),
            "which takes 2 stages: bank 3 is asked for elements 7 (lane 0), 15 (lane 2)");
  EXPECT_EQ(explanation(figure_3_3, IsCoalesced(4)),
            "which takes 3 stages: it touches elements 0 (lane 3, group 0), 7 (lane 0, group 1), "
            "15 (lane 2, group 3)");
  EXPECT_EQ(explanation(Progression(32, 0, 32), IsConflictFree(32)),
            "which takes 32 stages: bank 0 is asked for elements 0 (lane 0), 32 (lane 1), "
            "64 (lane 2), 96 (lane 3), 128 (lane 4), 160 (lane 5), 192 (lane 6), 224 (lane 7) and "
            "24 more");
  EXPECT_EQ(explanation(std::vector<int>{5}, TakesStages(dmm_rule(4), 2)), "which takes 1 stage");
  EXPECT_EQ(DescribeMatcher<std::vector<int>>(TakesStages(dmm_rule(4), Le(2))),
            "an access to 4 banks that takes a number of stages that is <= 2");
}

// Lanes 0 … 7 are served first, and all lie in bank 0; the other lanes need one more stage, in
// another bank.
TEST(Matchers, name_the_fullest_bank_and_not_the_last) {
  std::vector<int> elements(32, -1);
  for (int lane = 0; lane < 8; ++lane) elements[static_cast<std::size_t>(lane)] = 8 * lane;
  for (std::size_t lane = 24; lane < 32; ++lane) elements[lane] = 7;
  EXPECT_THAT(
      explanation(elements, TakesStages(shared_rule("sm_90", 16), 2)),
      ::testing::StartsWith("which takes 9 stages: bank 0 is asked for elements 0 (lane 0), "
                            "8 (lane 1)"));
}

/// The reason why the matcher refuses to judge. It uses the negated matcher, which has to refuse,
/// too.
template <class T, class M>
std::string refusal(const T& value, const M& matcher) {
  try {
    static_cast<void>(::testing::Value(value, Not(matcher)));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Matchers, say_by_which_rule_they_judge) {
  using Access = std::vector<int>;
  EXPECT_EQ(DescribeMatcher<Access>(IsCoalesced(32)),
            "an access to address groups of 32 words that takes a number of stages that is <= 1");
  EXPECT_EQ(DescribeMatcher<Access>(TakesStages(shared_rule("sm_90", 16), 4)),
            "an access to the shared memory of sm_90 that takes a number of stages that is equal "
            "to 4");
  EXPECT_EQ(DescribeMatcher<Access>(EachWarpTakes(Designation::source, dmm_rule(8), 1)),
            "a permutation of which every warp, on 8 banks, takes a number of stages that is equal "
            "to 1");
  EXPECT_THROW(shared_rule("sm_86", 4), std::invalid_argument);
  EXPECT_THROW(shared_rule("sm_90", 12), std::invalid_argument);
  EXPECT_THROW(global_rule("kepler-64bit", 8), std::invalid_argument);
}

TEST(Matchers, print_what_they_were_given) {
  EXPECT_EQ(::testing::PrintToString(Progression(3, 5, 2)), "{ 5, 7, 9 }");
  EXPECT_EQ(::testing::PrintToString(Mask(0b101)), "lanes { 0, 2 }");
}

TEST(Matchers, refuse_arguments_that_are_not_accesses_of_a_warp) {
  EXPECT_EQ(refusal(std::vector<int>{1, 2, 3, 4, 5}, IsConflictFree(4)),
            "no access of a warp: 5 lanes, expected at most 4");
  EXPECT_EQ(refusal(std::vector<int>{1, -2}, IsConflictFree(4)),
            "no access of a warp: lane 1 touches element -2, expected at least 0, or a signed -1 "
            "for none");
  EXPECT_EQ(refusal(std::vector<std::uint64_t>{0, std::uint64_t{0} - 1}, IsConflictFree(4)),
            "no access of a warp: lane 1 touches element 18446744073709551615, expected at least "
            "0, or a signed -1 for none");
  EXPECT_EQ(refusal(std::vector<int>{-1, -1}, IsCoalesced(4)),
            "no access of a warp: no lane makes a request, expected at least one");
  EXPECT_NE(refusal(std::vector<int>{}, IsCoalesced(4)), "");
  EXPECT_THROW(IsConflictFree(0), std::invalid_argument);
  EXPECT_THROW(IsCoalesced(widest_access + 1), std::invalid_argument);
}

TEST(Matchers, refuse_to_judge_the_warps_if_there_is_no_permutation) {
  const auto matcher = EachWarpTakes(Designation::source, dmm_rule(2), 1);
  EXPECT_EQ(refusal(std::vector<int>({0, 2, 1, 3, 5, 1}), matcher),
            "no permutation: element 5 is 1, as is element 2; expected each of 0 to 5 once, and 4 "
            "is missing");
  EXPECT_EQ(refusal(std::vector<int>(), matcher), "a permutation of no elements");
}

TEST(Matchers, tell_permutations_from_others) {
  EXPECT_THAT(std::vector<int>({2, 0, 1}), IsPermutation());
  EXPECT_THAT(std::vector<std::uint64_t>(), IsPermutation());
  EXPECT_EQ(explanation(std::vector<int>{2, 0, 2}, IsPermutation()),
            "element 2 is 2, as is element 0; expected each of 0 to 2 once, and 1 is missing");
  EXPECT_EQ(explanation(std::vector<int>{0, -7, 1}, IsPermutation()),
            "element 1 is -7; expected each of 0 to 2 once, and 2 is missing");
  EXPECT_EQ(explanation(std::vector<std::uint8_t>{0, 200}, IsPermutation()),
            "element 1 is 200; expected each of 0 to 1 once, and 1 is missing");
}

TEST(Matchers, judge_every_warp_of_a_permutation) {
  std::vector<std::uint32_t> transpose(16);
  for (std::uint32_t i = 0; i < 16; ++i) transpose[i] = i % 4 * 4 + i / 4;
  EXPECT_THAT(transpose, EachWarpTakes(Designation::destination, dmm_rule(4), 4));
  EXPECT_THAT(transpose, EachWarpTakes(Designation::source, umm_rule(4), Ge(4)));
  EXPECT_EQ(explanation(transpose, EachWarpTakes(Designation::destination, dmm_rule(4), Le(2))),
            "of whose 4 warps 4 do not: warp 0 takes 4 stages: bank 0 is asked for elements "
            "0 (lane 0), 4 (lane 1), 8 (lane 2), 12 (lane 3)");
  EXPECT_EQ(explanation(std::vector<int>({0, 2, 1, 3, 5, 4}),
                        EachWarpTakes(Designation::source, dmm_rule(2), 1)),
            "of whose 3 warps 2 do not: warp 0 takes 2 stages: bank 0 is asked for elements "
            "0 (lane 0), 2 (lane 1)");
}

BANKPROOF_PROPERTY(Matchers, agree_with_the_oracles, (const WarpAccess& access)) {
  RC_PRE(!access.addresses().empty());
  const auto dmm = oracle::dmm_stages(access.lanes, access.width).count;
  const auto umm = oracle::umm_stages(access.lanes, access.width).count;
  const auto holds = [&](const auto& matcher) { return ::testing::Value(access.lanes, matcher); };
  RC_ASSERT(holds(IsConflictFree(access.width)) == (dmm <= 1));
  RC_ASSERT(holds(IsCoalesced(access.width)) == (umm <= 1));
  RC_ASSERT(holds(TakesStages(dmm_rule(access.width), dmm)));
  RC_ASSERT(!holds(TakesStages(umm_rule(access.width), ::testing::Gt(umm))));
  BANKPROOF_ASSERT_THAT(access.lanes, TakesStages(umm_rule(access.width), umm));
}

TEST(Canary, a_property_that_asserts_with_a_matcher_fails_with_its_explanation) {
  const auto property = [](const WarpAccess& access) {
    RC_PRE(!access.addresses().empty());
    BANKPROOF_ASSERT_THAT(access.lanes, IsConflictFree(access.width));
  };
  const auto result = try_property(property);
  ASSERT_TRUE(result.is<rc::detail::FailureResult>());
  EXPECT_THAT(result.get<rc::detail::FailureResult>().description,
              ::testing::ContainsRegex("access.lanes.* which takes 2 stages: bank . is asked for"));
}

}  // namespace
}  // namespace bankproof::testing
