// Matrix products (rows X1–X4).
#include "../../algorithms/matrix_product.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(MatrixProduct)

TEST(MatrixProduct, of_all_values_is_decided_by_one_run_for_each_shape_to_6) {
  for (const Variant& variant : MatrixProduct::variants) {
    for (const std::uint64_t m : {1U, 2U, 3U}) {
      for (std::uint64_t shape = 0; shape < 216; ++shape) {
        const Task task = testing::task_of<MatrixProduct>(
            variant.name,
            {.machine = variant.machines.front(), .w = 2, .l = 2, .L = 3, .d = 2, .p = 5},
            {{"rows", shape % 6 + 1},
             {"inner", shape / 6 % 6 + 1},
             {"columns", shape / 36 + 1},
             {"m", m}});
        ASSERT_TRUE(testing::decided_on_indeterminates<MatrixProduct>(task));
      }
    }
  }
}

TEST(MatrixProduct, over_the_range_that_OPT_V_prints_gives_another_result) {
  // n = 2, tiles of m = 1: the sum of a(i, k)·b(k, j) over k = 0 … m − 1 has one of the two terms.
  using Words = std::vector<std::uint64_t>;
  const Words a = {1, 2, 3, 4};
  const Words b = {5, 6, 7, 8};
  const Task task =
      testing::task_of<MatrixProduct>("MUL-DMM", {.machine = MachineKind::dmm, .w = 2},
                                      {{"rows", 2}, {"inner", 2}, {"columns", 2}});
  const auto outcome =
      testing::run_task<MatrixProduct, std::uint64_t>(task, testing::in(Mode::lockstep), {a, b});
  EXPECT_EQ(outcome.values, (Words{19, 22, 43, 50}));
  EXPECT_EQ(outcome.values, oracle::matrix_product(a, b, 2, 2, 2));
  const Words printed = oracle::matrix_product(Words{1, 3}, Words{5, 6}, 2, 1, 2);
  EXPECT_EQ(printed, (Words{5, 6, 15, 18}));
}

}  // namespace
}  // namespace bankproof
