// Transposes (row H3), tested by the suite of algorithms.
#include "../../algorithms/transpose.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "../../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(Transpose)

TEST(Transpose, of_tiles_in_diagonal_arrangement_has_no_conflict_for_any_width) {
  for (std::uint64_t w = 1; w <= widest_warp; ++w) {
    for (std::uint64_t i = 0; i < w; ++i) {
      std::set<std::uint64_t> banks_of_row;
      std::set<std::uint64_t> banks_of_column;
      std::set<std::uint64_t> words;
      for (std::uint64_t j = 0; j < w; ++j) {
        banks_of_row.insert(diagonal(i, j, w) % w);
        banks_of_column.insert(diagonal(j, i, w) % w);
        words.insert(diagonal(i, j, w));
      }
      ASSERT_EQ(banks_of_row.size(), w);
      ASSERT_EQ(banks_of_column.size(), w);
      ASSERT_EQ(words.size(), w);
      ASSERT_EQ(*words.begin() / w, i);
      ASSERT_EQ(*words.rbegin() / w, i);
    }
  }
}

TEST(Transpose, row_by_row_has_a_bank_conflict_of_the_width_which_the_diagonal_avoids) {
  Task task = testing::task_of<Transpose>("row-major", {.w = 8, .p = 64});
  // In 64 × 64 words, writing a tile row takes one stage, and reading a tile column takes 8.
  EXPECT_EQ(Transpose::cost(task).shared.stages, 64 * 64 / 8 * (1 + 8));
  task.variant = "diagonal";
  EXPECT_EQ(Transpose::cost(task).shared.stages, 64 * 64 / 8 * 2);
}

}  // namespace
}  // namespace bankproof
