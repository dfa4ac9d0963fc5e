// Transposes (row H3), through the suite of algorithms.
#include "../algorithms/transpose.hpp"

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(Transpose)

TEST(Transpose, row_by_row_has_a_bank_conflict_of_the_width_which_the_diagonal_avoids) {
  Task task{"row-major", Sizes(Transpose::size_keys), {.w = 8, .p = 64}};
  // Of 64 × 64 words a tile row is written in a stage, a tile column read in 8.
  EXPECT_EQ(Transpose::cost(task).shared.stages, 64 * 64 / 8 * (1 + 8));
  task.variant = "diagonal";
  EXPECT_EQ(Transpose::cost(task).shared.stages, 64 * 64 / 8 * 2);
}

}  // namespace
}  // namespace bankproof
