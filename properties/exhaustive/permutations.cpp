// All permutations of few elements have conflict-free plans (rows R3 and R4): the verifier accepts
// the plans, and the machine moves an array by them without a conflict.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../../testing/plans.hpp"

namespace bankproof::testing {
namespace {

void all_permutations_have_plans(std::uint32_t n, const std::vector<Width>& widths) {
  Permutation permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0U);
  do {
    for (const Width width : widths) {
      const Plan plan = plan_of(permutation, width);
      const auto defect = defect_of(permutation, plan);
      ASSERT_FALSE(defect) << describe(*defect);
      ASSERT_TRUE(moves_as(permutation, plan));
    }
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST(AllPermutations, of_8_elements_have_conflict_free_plans) {
  all_permutations_have_plans(8, {1, 2, 4, 8});
}

TEST(AllPermutations, of_5_elements_have_conflict_free_plans_with_idle_lanes) {
  all_permutations_have_plans(5, {1, 2, 3, 4, 5, 6, 7});
}

TEST(AllPermutations, of_9_elements_have_conflict_free_plans_of_width_3) {
  all_permutations_have_plans(9, {3});
}

}  // namespace
}  // namespace bankproof::testing
