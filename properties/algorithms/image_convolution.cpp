// Convolution of images (rows I1–I4).
#include "../../algorithms/image_convolution.hpp"

#include <gtest/gtest.h>

#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(ImageConvolution)

TEST(ImageConvolution, with_radius_0_takes_time_though_the_bound_of_OPT_lemma_4_vanishes) {
  const Task task = testing::task_of<ImageConvolution>(
      "CONV-DMM", {.machine = MachineKind::dmm, .w = 4}, {{"v", 0}});
  // Here n²v²/w + n²v²l/p is 0, but the program reads a pixel and a weight and writes a pixel.
  EXPECT_EQ(lockstep_time(ImageConvolution::cost(task), task.machine), 3 * 64 * 64 / 4U);
}

TEST(ImageConvolution, of_all_values_is_decided_by_one_run_for_each_shape_to_6) {
  for (const Variant& variant : ImageConvolution::variants) {
    for (std::uint64_t v = 0; v <= 3; ++v) {
      for (std::uint64_t shape = 0; shape < 36; ++shape) {
        const Task task = testing::task_of<ImageConvolution>(
            variant.name,
            {.machine = variant.machines.front(), .w = 2, .l = 2, .L = 3, .d = 2, .p = 5},
            {{"rows", shape % 6 + 1}, {"columns", shape / 6 + 1}, {"v", v}});
        ASSERT_TRUE(testing::decided_on_indeterminates<ImageConvolution>(task));
      }
    }
  }
}

}  // namespace
}  // namespace bankproof
