// Matrix products (rows X1–X4).
#include "../algorithms/matrix_product.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"
#include "../testing/one_run.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(MatrixProduct)

TEST(MatrixProduct, of_all_values_is_decided_by_one_run_for_each_shape_to_6) {
  for (const Variant& variant : MatrixProduct::variants) {
    for (const std::uint64_t m : {1U, 2U, 3U}) {
      for (std::uint64_t shape = 0; shape < 6 * 6 * 6; ++shape) {
        Task task{variant.name,
                  Sizes(MatrixProduct::size_keys),
                  {.machine = variant.machines.front(), .w = 2, .l = 2, .L = 3, .d = 2, .p = 5}};
        task.sizes.set("rows", shape % 6 + 1);
        task.sizes.set("inner", shape / 6 % 6 + 1);
        task.sizes.set("columns", shape / 36 + 1);
        task.sizes.set("m", m);
        ASSERT_TRUE(testing::decided_on_indeterminates<MatrixProduct>(task));
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
