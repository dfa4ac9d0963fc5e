// Convolution of images (rows I1–I4).
#include "../algorithms/image_convolution.hpp"

#include <gtest/gtest.h>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(ImageConvolution)

TEST(ImageConvolution, with_radius_0_takes_time_though_the_bound_of_OPT_lemma_4_vanishes) {
  Task task{"CONV-DMM", Sizes(ImageConvolution::size_keys), {.machine = MachineKind::dmm, .w = 4}};
  task.sizes.set("v", 0);
  // n²v²/w + n²v²l/p = 0; a pixel and a weight are read and a pixel is written.
  EXPECT_EQ(lockstep_time(ImageConvolution::cost(task), task.machine), 3 * 64 * 64 / 4U);
}

}  // namespace
}  // namespace bankproof
