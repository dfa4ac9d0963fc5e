// Tests a project's own kernel on the reference machine, and checks that the test detects a bug.
#include "reverse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "bankproof/cuda/kernels/support/device.hpp"
#include "bankproof/cuda/runtime/planting.hpp"
#include "bankproof/cuda/runtime/reports.hpp"
#include "bankproof/testing/matchers/kernel_matchers.hpp"

namespace {

namespace cuda = bankproof::cuda;
using namespace bankproof::testing;
using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;

std::vector<int> reversed(unsigned blocks) {
  std::vector<int> numbers(std::size_t{128} * blocks);
  std::iota(numbers.begin(), numbers.end(), 0);
  const cuda::DeviceArray<int> in(numbers);
  cuda::DeviceArray<int> out(in.size());
  reverse_blocks(in.data(), out.data(), blocks);
  return out.values();
}

TEST(ReverseBlocks, is_right_and_clean) {
  cuda::take_launches();
  EXPECT_EQ(reversed(4)[128], 255);
  const auto reports = cuda::take_launches();
  EXPECT_THAT(reports, Each(FaultFree()));
  EXPECT_THAT(reports, Each(ConflictFree()));
  EXPECT_THAT(reports, Each(CoalescedWithin(1.0)));
}

TEST(ReverseBlocks, needs_each_of_its_barriers) {
  cuda::take_launches();
  reversed(4);
  std::size_t barriers = 0;
  for (const auto& mutation : cuda::possible_mutations(cuda::take_launches())) {
    if (mutation.kind != cuda::MutationKind::no_barrier) continue;
    const cuda::Mutant mutant(mutation);
    reversed(4);
    EXPECT_THAT(cuda::take_launches(), Contains(Not(RaceFree())));
    ++barriers;
  }
  EXPECT_EQ(barriers, 1U);
}

}  // namespace
