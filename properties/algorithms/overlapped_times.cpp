// Cases in which the overlapped time is exactly the global memory access cost (row A9): the port
// serves a stage in every time unit, and each launch pays the latency once. THS 6.1 says that a run
// takes just this cost if warps are full and L stages are in flight. On the machines, a run takes
// just this cost in these cases:
//
//   - without barriers and shared memory: W ≥ L warps that make equally many accesses. Before a
//     warp's turn comes again, W − 1 other warps are dispatched, and the warp's previous access
//     completes;
//   - through shared memory: the first tile comes back before the machine has read all tiles.
//
// The port idles if tiles come one diagonal after another, or if launches have few warps.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "../../algorithms/convolution.hpp"
#include "../../algorithms/matrix_product.hpp"
#include "../../algorithms/permutation/offline.hpp"
#include "../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../algorithms/tiled_convolution/tiled_convolution.hpp"
#include "../../algorithms/transpose.hpp"
#include "../../testing/property.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof {
namespace {

using testing::any;
using testing::Number;
using testing::task_of;

template <class A>
Time overlapped(const Task& task) {
  const auto inputs = testing::random_inputs<Number>(A::inputs(task), 1);
  return testing::run_task<A, Number>(task, testing::in(Mode::overlapped), inputs).time;
}
template <class A>
Time cost(const Task& task) {
  return global_access_cost(A::cost(task), task.machine);
}

/// The overlapped time is the cost; lockstep adds a latency for every round of a launch but the
/// first.
template <class A>
void expect_the_cost(const Task& task) {
  RC_LOG() << task;
  const Time time = overlapped<A>(task);
  RC_ASSERT(time == cost<A>(task));
  const Cost<Number> rounds = A::cost(task);
  RC_ASSERT(lockstep_time(rounds, task.machine) - time ==
            (rounds.global.rounds - rounds.launches) * (task.machine.latency() - 1));
}

/// One memory, with at least as many warps as its latency.
MachineParameters one_full_memory(Number w, Number warps) {
  return {.machine = *rc::gen::element(MachineKind::dmm, MachineKind::umm),
          .w = w,
          .l = any(1, warps),
          .p = warps * w};
}

BANKPROOF_PROPERTY(OverlappedTimes, of_direct_convolutions_are_the_cost_in_a_full_pipe, ()) {
  const MachineParameters machine = one_full_memory(any(1, 6), any(1, 8));
  expect_the_cost<Convolution>(
      task_of<Convolution>("one-each", machine, {{"n", machine.p * any(1, 3)}, {"m", any(1, 12)}}));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_matrix_products_are_the_cost_in_a_full_pipe, ()) {
  const Number w = any(1, 5);
  const Number across = any(1, 3);  // warps in a row
  const Number rows = any(1, 4);    // rows at a time
  const MachineParameters machine = one_full_memory(w, across * rows);
  expect_the_cost<MatrixProduct>(task_of<MatrixProduct>(
      "MUL-DMM", machine,
      {{"rows", rows * any(1, 3)}, {"inner", any(1, 12)}, {"columns", across * w}}));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_permutations_are_the_cost_in_a_full_pipe, ()) {
  // Any permutation, with any number of stages in its casual access.
  const std::string_view variant =
      *rc::gen::elementOf(std::vector<std::string_view>{"D-designated", "S-designated"});
  const Number w = any(1, 6);
  const Number warps = any(1, 6);
  MachineParameters machine = one_full_memory(w, warps);
  if (any(0, 1) == 1) {
    const Number d = any(1, 4);
    machine = {.w = w, .l = 3, .L = any(1, d * warps), .d = d, .p = warps * w};
  }
  Task task = task_of<OfflinePermutation>(variant, machine, {{"n", machine.threads() * any(1, 4)}});
  OfflinePermutation::complete(task, *rc::gen::arbitrary<Number>());
  expect_the_cost<OfflinePermutation>(task);
}

BANKPROOF_PROPERTY(OverlappedTimes, of_direct_transposes_are_the_cost_in_a_full_pipe, ()) {
  const Number w = any(1, 5);
  const Number down = any(1, 4);
  const Number across = any(1, 4);
  const Number d = any(1, 4);
  const Number tiles = ceil_div(down * across, d);  // tiles on a DMM: all are resident
  expect_the_cost<Transpose>(task_of<Transpose>(
      "direct", {.w = w, .l = 3, .L = any(1, down * across * w), .d = d, .p = w * w * tiles},
      {{"rows", down * w}, {"columns", across * w}}));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_basic_convolutions_are_the_cost_in_a_full_pipe, ()) {
  // Ghost cells repeat the nearest element, so every thread reads in every round.
  const Number w = any(1, 4);
  const Number t = w * any(1, 3);
  const Number d = any(1, 3);
  const Number slots = any(1, 3);
  expect_the_cost<TiledConvolution>(task_of<TiledConvolution>(
      "1d-basic", {.w = w, .l = 3, .L = any(1, d * slots * t / w), .d = d, .p = slots * t},
      {{"columns", d * slots * t}, {"v", any(0, 5)}, {"t", t}, {"nearest", 1}}));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_tables_in_global_memory_alone_are_the_cost_with_latency_one,
                   ()) {
  // With latency 1 an access completes in its last stage, whatever the warps do.
  const std::string_view variant =
      *rc::gen::elementOf(std::vector<std::string_view>{"2R2W", "4R1W"});
  expect_the_cost<SummedAreaTable>(task_of<SummedAreaTable>(
      variant, {.w = any(1, 5), .l = 3, .L = 1, .d = any(1, 4), .p = any(1, 20)},
      {{"rows", any(1, 20)}, {"columns", any(1, 20)}}));
}

TEST(OverlappedTimes, of_4R1W_are_more_where_a_diagonal_has_fewer_warps_than_the_latency) {
  // The table of (a b; c d), with w = L = 2, takes three launches. For the corner a: a read and a
  // write, 2 + 2 time units. For b and c, which lie in two groups: 3 to read them, 2 for b's left
  // neighbor, 2 for c's upper neighbor, 3 to write, 10 in all. For d: five accesses, 10. The sum is
  // 24. The cost is 13 stages and one latency per launch, 13 + 3.
  const Task task =
      task_of<SummedAreaTable>("4R1W", {.w = 2, .L = 2, .p = 2}, {{"rows", 2}, {"columns", 2}});
  EXPECT_EQ(overlapped<SummedAreaTable>(task), 24U);
  EXPECT_EQ(cost<SummedAreaTable>(task), 16U);
}

/// The last row of the first tile is in registers L time units after its read, and passes through
/// shared memory in 2l. The port does not idle if other rows are left to read during this time.
bool returns_in_time(Number tiles, const MachineParameters& machine) {
  return tiles * machine.w >= machine.w - 1 + machine.L + 2 * machine.l;
}

BANKPROOF_PROPERTY(OverlappedTimes, of_transposes_are_the_cost_just_where_the_first_tile_is_in_time,
                   ()) {
  // Each tile has its own DMM; some DMMs may have no tile.
  const Number w = any(1, 5);
  const Number down = any(1, 5);
  const Number across = any(1, 5);
  const Number tiles = down * across;
  const MachineParameters machine{
      .w = w, .l = any(1, 5), .L = any(1, 20), .d = tiles + any(0, 2), .p = w * w};
  const Task task =
      task_of<Transpose>("diagonal", machine, {{"rows", down * w}, {"columns", across * w}});
  RC_ASSERT((overlapped<Transpose>(task) == cost<Transpose>(task)) ==
            returns_in_time(tiles, machine));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_4R4W_are_the_cost_just_where_columns_and_tiles_fill_the_pipe,
                   ()) {
  // Like the test above, with a warp for each w columns: √n/w warps.
  const Number w = any(1, 4);
  const Number side = any(2, 5);  // measured in tiles
  const MachineParameters machine{
      .w = w, .l = any(1, 9), .L = any(1, 6), .d = side * side, .p = w * w};
  const Task task =
      task_of<SummedAreaTable>("4R4W", machine, {{"rows", side * w}, {"columns", side * w}});
  RC_ASSERT((overlapped<SummedAreaTable>(task) == cost<SummedAreaTable>(task)) ==
            (side >= machine.L && returns_in_time(side * side, machine)));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_tiles_on_one_DMM_are_more_than_the_cost, ()) {
  // The port idles while the only block sums its tile.
  const std::string_view variant =
      *rc::gen::elementOf(std::vector<std::string_view>{"4R4W", "2R1W", "1R1W", "hybrid"});
  const Task task = task_of<SummedAreaTable>(
      variant, {.w = any(1, 5), .l = any(1, 4), .L = any(1, 9), .p = any(1, 20)},
      {{"rows", any(1, 20)}, {"columns", any(1, 20)}, {"t", any(0, 4)}});
  RC_ASSERT(overlapped<SummedAreaTable>(task) > cost<SummedAreaTable>(task));
}

BANKPROOF_PROPERTY(OverlappedTimes, of_1R1W_are_more_than_the_cost_on_any_machine, ()) {
  // The first diagonal is a single tile.
  const testing::TestedVariant tested{"1R1W", MachineKind::hmm, Mode::overlapped};
  const Task task = *testing::any_task<SummedAreaTable>(tested);
  RC_ASSERT(overlapped<SummedAreaTable>(task) > cost<SummedAreaTable>(task));
}

TEST(OverlappedTimes, of_1R1W_are_more_by_the_time_that_a_tile_is_in_shared_memory) {
  // One tile of 2 × 2, L = 3, l = 1: two warps read until 4, and store their rows to shared memory
  // until 5. The first warp sums for 8 time units, both load their rows from 13 to 15, and write
  // until 18. The cost, 4 stages and a latency, is 6.
  const Task task = task_of<SummedAreaTable>("1R1W", {.w = 2, .l = 1, .L = 3, .p = 4},
                                             {{"rows", 2}, {"columns", 2}});
  EXPECT_EQ(overlapped<SummedAreaTable>(task), 18U);
  EXPECT_EQ(cost<SummedAreaTable>(task), 6U);
}

TEST(OverlappedTimes, of_2R1W_may_be_the_cost_by_chance_and_are_not_with_a_longer_latency) {
  // 4 × 4 tiles with w = 3: one block makes the table of the 3 × 3 sums of tiles. Meanwhile the
  // sums along columns and rows keep the port busy, unless the latency is 3 or more.
  for (const Number L : {1U, 2U, 3U, 8U}) {
    const Task task = task_of<SummedAreaTable>("2R1W", {.w = 3, .L = L, .d = 16, .p = 6},
                                               {{"rows", 12}, {"columns", 12}});
    EXPECT_EQ(overlapped<SummedAreaTable>(task) == cost<SummedAreaTable>(task), L <= 2) << L;
  }
}

}  // namespace
}  // namespace bankproof
