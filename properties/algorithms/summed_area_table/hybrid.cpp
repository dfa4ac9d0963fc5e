// The sizes for which (1+r)R1W pays (rows A7 and A10), by two measures: the global memory access
// cost, which does not depend on the number of DMMs, and the times of machines. On a machine a
// block of w² threads waits for each of its rounds, and a diagonal of c tiles takes the time of
// ⌈c/d⌉ blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../../testing/algorithms.hpp"

namespace bankproof {
namespace {

Task tiled(std::string_view variant, std::uint64_t tiles, MachineParameters machine,
           std::uint64_t t = 0) {
  machine.p = machine.w * machine.w;
  Task task = testing::task_of<SummedAreaTable>(
      variant, machine, {{"rows", tiles * machine.w}, {"columns", tiles * machine.w}, {"t", t}});
  return task;
}

/// The costs or times of 1R1W, of 2R1W, and of hybrid with the best t.
struct Three {
  std::uint64_t one_pass;
  std::uint64_t two_passes;
  std::uint64_t hybrid;
  std::uint64_t t;
};

template <class Of>
Three three(std::uint64_t tiles, const MachineParameters& machine, Of of) {
  Three all{of(tiled("1R1W", tiles, machine)), of(tiled("2R1W", tiles, machine)), unlimited, 0};
  for (std::uint64_t t = 1; t < tiles; ++t) {
    const std::uint64_t time = of(tiled("hybrid", tiles, machine, t));
    if (time < all.hybrid) {
      all.hybrid = time;
      all.t = t;
    }
  }
  return all;
}

Time in_lockstep(const Task& task) {
  return lockstep_time(SummedAreaTable::cost(task), task.machine);
}
Time overlapped(const Task& task) {
  const Inputs<std::uint64_t> inputs = {
      std::vector<std::uint64_t>(SummedAreaTable::inputs(task)[0].size())};
  return testing::run_task<SummedAreaTable>(task, testing::in(Mode::overlapped), inputs).time;
}

TEST(Hybrid, costs_least_where_latency_is_above_some_widths_and_below_the_side) {
  const auto by_cost = [](const Task& task) {
    return global_access_cost(SummedAreaTable::cost(task), task.machine);
  };
  // The side is 256.
  const Three low = three(32, {.w = 8, .L = 50}, by_cost);
  EXPECT_LT(low.one_pass, std::min(low.hybrid, low.two_passes));
  const Three middle = three(32, {.w = 8, .L = 200}, by_cost);
  EXPECT_LT(middle.hybrid, std::min(middle.one_pass, middle.two_passes));
  EXPECT_EQ(middle.t, 8U);  // t ≈ (L − 1)/w = 24 would need another recursion
  const Three high = three(32, {.w = 8, .L = 800}, by_cost);
  EXPECT_LT(high.two_passes, std::min(high.one_pass, high.hybrid));
}

TEST(Hybrid, is_slower_than_1R1W_where_DMMs_have_tiles_of_most_diagonals_each) {
  for (const std::uint64_t L : {50U, 200U, 800U}) {
    for (const std::uint64_t d : {1U, 4U}) {
      const MachineParameters machine{.w = 8, .L = L, .d = d};
      const Three lockstep = three(16, machine, in_lockstep);
      EXPECT_GT(lockstep.hybrid, lockstep.one_pass);
      const Three apart = three(8, machine, overlapped);
      EXPECT_GT(apart.hybrid, apart.one_pass);
    }
  }
}

TEST(Hybrid, is_faster_than_1R1W_where_DMMs_outnumber_the_tiles_of_diagonals) {
  for (const std::uint64_t L : {50U, 200U, 800U}) {
    const MachineParameters machine{.w = 8, .L = L, .d = 16};
    const Three lockstep = three(16, machine, in_lockstep);
    EXPECT_LT(lockstep.hybrid, lockstep.one_pass);
    EXPECT_EQ(lockstep.t, 5U);  // 15 tiles in a triangle
    const Three apart = three(8, machine, overlapped);
    EXPECT_LT(apart.hybrid, apart.one_pass);
    EXPECT_LT(apart.two_passes, apart.hybrid);  // no diagonal has more tiles than there are DMMs
  }
}

TEST(Hybrid, can_be_faster_than_both_on_a_machine) {
  const Three lockstep = three(32, {.w = 8, .L = 50, .d = 16}, in_lockstep);
  EXPECT_LT(lockstep.hybrid, std::min(lockstep.one_pass, lockstep.two_passes));
  const Three apart = three(16, {.w = 16, .L = 50, .d = 16}, overlapped);
  EXPECT_LT(apart.hybrid, std::min(apart.one_pass, apart.two_passes));
}

}  // namespace
}  // namespace bankproof
