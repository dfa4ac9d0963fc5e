// Compares closed forms with the bounds of the algorithms, at sizes too large for a run. The sizes
// are chosen so that times nearly reach the bounds or could easily exceed them: turns start
// mid-group, sides are just above a tile, or threads are just below two warps.
#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "../../algorithms/catalog/catalog.hpp"
#include "../../testing/algorithms.hpp"

namespace bankproof::testing {
namespace {

constexpr MachineKind dmm = MachineKind::dmm;
constexpr MachineKind umm = MachineKind::umm;
constexpr MachineKind hmm = MachineKind::hmm;

/// The lockstep time divided by the bound.
template <class A>
double part_of_bound(std::string_view variant, const MachineParameters& machine,
                     const std::vector<std::pair<std::string_view, std::uint64_t>>& sizes) {
  const Task task = testing::task_of<A>(variant, machine, sizes);
  const auto bound = upper_bound<A>(task);
  EXPECT_TRUE(bound) << task;
  if (!bound) return 0;
  return static_cast<double>(lockstep_time(A::cost(task), machine)) / bound->value();
}

TEST(Bounds, hold_where_turns_begin_inside_an_address_group) {
  const auto prefix_sums = [](std::string_view variant, const MachineParameters& machine,
                              std::uint64_t n) {
    return part_of_bound<PrefixSums>(variant, machine, {{"n", n}});
  };
  EXPECT_LT(prefix_sums("optimal", {umm, 27, 1, 1, 1, 2066}, 187604), 1);
  EXPECT_GT(prefix_sums("optimal", {umm, 27, 1, 1, 1, 2066}, 187604), 0.95);
  EXPECT_LT(prefix_sums("simple", {umm, 64, 1, 1, 1, 2945}, 130139), 1);
  EXPECT_LT(part_of_bound<Sum>("pairwise", {umm, 39, 1, 1, 1, 1841}, {{"n", 194912}}), 1);
}

TEST(Bounds, hold_for_sums_on_several_DMMs_with_warps_that_are_not_full) {
  EXPECT_LT(part_of_bound<Sum>("all-dmms", {hmm, 63, 1, 1, 42, 2806}, {{"n", 2646}}), 1);
  // For n < dw no bound is stated: each DMM writes its sum in a separate stage, and these d stages
  // are more than n/w.
  EXPECT_FALSE(upper_bound<Sum>(
      testing::task_of<Sum>("all-dmms", {hmm, 63, 1, 1, 42, 2806}, {{"n", 2645}})));
  EXPECT_LT(part_of_bound<Sum>("recursive", {hmm, 1, 1, 1, 60, 3781}, {{"n", 3704}}), 1);
  // With fewer threads than a warp no bound is stated: each of the n/p accesses takes a stage.
  const Task task = testing::task_of<Sum>("all-dmms", {hmm, 64, 1, 1, 64, 1}, {{"n", 174989}});
  EXPECT_FALSE(upper_bound<Sum>(task));
}

TEST(Bounds, hold_where_threads_idle_and_tiles_reach_over_the_edge) {
  EXPECT_LT(
      part_of_bound<Convolution>("products", {dmm, 28, 622, 1, 1, 111}, {{"n", 29}, {"m", 290}}),
      1);
  EXPECT_LT(part_of_bound<Convolution>("pieces", {umm, 14, 1, 1, 1, 2920}, {{"n", 15}, {"m", 104}}),
            1);
  EXPECT_LT(part_of_bound<Convolution>("shares", {hmm, 35, 1, 1, 1, 2998}, {{"n", 36}, {"m", 31}}),
            1);
  EXPECT_LT(part_of_bound<ImageConvolution>("CONV-DMM", {dmm, 32, 664, 1, 1, 127},
                                            {{"rows", 49}, {"columns", 33}, {"v", 1}}),
            1);
  EXPECT_LT(part_of_bound<ImageConvolution>("CONV-HMM", {hmm, 36, 885, 1, 3, 69},
                                            {{"rows", 37}, {"columns", 37}, {"v", 1}}),
            1);
  EXPECT_LT(part_of_bound<MatrixProduct>("MUL-DMM", {umm, 59, 612, 1, 1, 235},
                                         {{"rows", 27}, {"inner", 1}, {"columns", 60}}),
            1);
  EXPECT_LT(part_of_bound<MatrixProduct>("MUL-HMM", {hmm, 7, 825, 1, 3, 27},
                                         {{"rows", 9}, {"inner", 9}, {"columns", 9}, {"m", 8}}),
            1);
}

TEST(Bounds, are_nearly_reached_just_above_a_tile_and_below_two_warps) {
  const double of_image = part_of_bound<ImageConvolution>(
      "CONV-HMM", {hmm, 64, 1000000, 1, 3, 4095}, {{"rows", 65}, {"columns", 65}, {"v", 1}});
  EXPECT_LT(of_image, 1);
  EXPECT_GT(of_image, 0.9);
  const double on_one_memory = part_of_bound<ImageConvolution>(
      "CONV-DMM", {dmm, 64, 1000000, 1, 1, 255}, {{"rows", 70}, {"columns", 65}, {"v", 1}});
  EXPECT_LT(on_one_memory, 1);
  EXPECT_GT(on_one_memory, 0.9);
  const double of_product =
      part_of_bound<MatrixProduct>("MUL-HMM", {hmm, 64, 1000000, 1, 3, 255},
                                   {{"rows", 66}, {"inner", 66}, {"columns", 66}, {"m", 65}});
  EXPECT_LT(of_product, 1);
  EXPECT_GT(of_product, 0.75);
}

TEST(Bounds, hold_for_transposes_of_four_tiles_with_half_the_threads_idle) {
  const double part = part_of_bound<Transpose>("diagonal", {hmm, 20, 994, 19, 4, 39},
                                               {{"rows", 21}, {"columns", 21}});
  EXPECT_LT(part, 1);
  EXPECT_GT(part, 0.5);
}

TEST(Bounds, are_tight_where_turns_tiles_and_waves_are_full) {
  const auto convolve = [](std::string_view variant, const MachineParameters& machine,
                           std::uint64_t rows, std::uint64_t columns) {
    return part_of_bound<ImageConvolution>(variant, machine,
                                           {{"rows", rows}, {"columns", columns}, {"v", 1}});
  };
  const auto multiply = [](std::string_view variant, const MachineParameters& machine,
                           std::uint64_t rows, std::uint64_t inner, std::uint64_t columns,
                           std::uint64_t m) {
    return part_of_bound<MatrixProduct>(
        variant, machine, {{"rows", rows}, {"inner", inner}, {"columns", columns}, {"m", m}});
  };
  const auto is_tight = [](double part, double least) {
    EXPECT_LE(part, 1);
    EXPECT_GT(part, least);
  };
  is_tight(convolve("CONV-HMM", {hmm, 1, 100000, 1, 1, 1}, 300, 300), 0.94);
  is_tight(convolve("CONV-DMM", {umm, 2, 1, 1, 1, 456}, 300, 152), 0.86);
  is_tight(multiply("MUL-HMM", {hmm, 1, 100000, 1, 1, 1}, 1, 1, 20, 1), 0.999);
  is_tight(multiply("MUL-DMM", {umm, 1, 100000, 1, 1, 88}, 88, 1, 1, 1), 0.999);
  is_tight(part_of_bound<Transpose>("diagonal", {hmm, 4, 100000, 100000, 35, 16},
                                    {{"rows", 140}, {"columns", 4}}),
           0.999);
}

TEST(Bounds, from_below_count_the_threads_of_whole_warps_where_blocks_share_a_DMM) {
  // Two blocks of four threads are resident for p = 7.
  const Task task = testing::task_of<Transpose>("diagonal", {hmm, 2, 1, 1000000, 3, 7},
                                                {{"rows", 90}, {"columns", 40}});
  const Time time = lockstep_time(Transpose::cost(task), task.machine);
  for (const Bound& bound : lower_bounds<Transpose>(task)) EXPECT_TRUE(is_at_least(time, bound));
}

TEST(Bounds, of_scheduled_permutations_are_for_shared_memories_that_keep_no_block_waiting) {
  const auto scheduled = [](std::uint64_t capacity) {
    Task task = testing::task_of<OfflinePermutation>("scheduled", {hmm, 8, 1000, 1, 1, 512});
    task.machine.capacity = capacity;
    task.sizes.set("n", 1024);
    OfflinePermutation::complete(task, 1);
    return task;
  };
  EXPECT_FALSE(upper_bound<OfflinePermutation>(scheduled(128)));
  const Task task = scheduled(unlimited);
  const auto bound = upper_bound<OfflinePermutation>(task);
  ASSERT_TRUE(bound);
  EXPECT_TRUE(is_at_most(lockstep_time(OfflinePermutation::cost(task), task.machine), *bound));
}

}  // namespace
}  // namespace bankproof::testing
