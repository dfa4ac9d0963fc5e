// The time of global memory accesses in intervals between barriers (row A15; THS figure 6.2): an
// interval of n₀ accesses takes n₀/w + L − 1 if all its accesses start at once. All intervals
// together take C/w + S + (B + 1)(L − 1).
//
// Example: w = 4, L = 5: 8, 4 and 12 coalesced accesses take 6, 5 and 7 time units, 18 in all.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "../../algorithms/summed_area_table/accesses.hpp"
#include "../../model/machine.hpp"
#include "../../testing/canary.hpp"
#include "../../testing/property.hpp"
#include "../../testing/tasks.hpp"

namespace bankproof {
namespace {

using testing::any;
using Numbers = Array<int>;

/// Blocks of w threads, with one access per thread; from block `stride_from` on, each thread
/// accesses its own group.
Program access_once(Warp& warp, Numbers& a, std::uint64_t threads, std::uint64_t stride_from) {
  const Progression thread = warp.block() * warp.threads() + warp.thread();
  const auto mine = warp.only(thread < threads);
  const std::uint64_t step = warp.block() >= stride_from ? warp.width() : 1;
  co_await a.read(thread * step);
}

/// The accesses between two barriers.
struct Interval {
  std::uint64_t coalesced;  ///< a multiple of w, unless there is no stride access
  std::uint64_t stride = 0;
};

struct Taken {
  Time all = 0;
  std::vector<Time> each;
  double cost = 0;  ///< C/w + S + (B + 1)(L − 1), with counted C, S and B
};

Taken time_of_intervals(const std::vector<Interval>& intervals, Width w, Latency L, Mode mode) {
  Hmm machine({.dmms = 2, .width = w, .global_latency = L}, {.mode = mode});
  SatAccessCounter counter;
  machine.attach(counter);
  Taken taken;
  for (const auto& [coalesced, stride] : intervals) {
    const std::uint64_t threads = coalesced + stride;
    Numbers a(machine.global(), std::vector<int>(threads * w), "a");
    taken.each.push_back(
        machine.launch({.blocks = ceil_div(threads, std::uint64_t{w}), .threads = w}, access_once,
                       a, threads, stride == 0 ? unlimited : coalesced / w));
    taken.all += taken.each.back();
  }
  taken.cost = counter.counts().cost({.w = w, .L = L});
  return taken;
}

TEST(Intervals, of_THS_figure_6_2_take_18_for_8_4_and_12_accesses) {
  for (const Mode mode : {Mode::overlapped, Mode::lockstep}) {
    const Taken taken = time_of_intervals({{8}, {4}, {12}}, 4, 5, mode);
    EXPECT_EQ(taken.each, (std::vector<Time>{6, 5, 7}));
    EXPECT_EQ(taken.all, 24 / 4 + 3 * (5 - 1U));
    // Each access is to its own group.
    EXPECT_EQ(time_of_intervals({{0, 8}, {0, 4}, {0, 12}}, 4, 5, mode).all, 24 + 3 * (5 - 1U));
  }
}

struct AnyIntervals {
  Width w;
  Latency L;
  Mode mode;
  std::vector<Interval> intervals;
};
AnyIntervals any_intervals() {
  const std::uint64_t w = any(1, 6);
  AnyIntervals drawn{
      static_cast<Width>(w), any(1, 20), any(0, 1) == 0 ? Mode::overlapped : Mode::lockstep, {}};
  for (std::uint64_t count = any(1, 5); count > 0; --count) {
    drawn.intervals.push_back({w * any(0, 6), w * any(0, 3)});
    if (drawn.intervals.back().stride == 0) drawn.intervals.back().coalesced += w;
  }
  return drawn;
}

/// Checks that the intervals take their cost, with `latencies` latencies in all.
void take_the_cost(const AnyIntervals& drawn, std::uint64_t latencies) {
  const Taken taken = time_of_intervals(drawn.intervals, drawn.w, drawn.L, drawn.mode);
  std::uint64_t stages = 0;
  for (std::size_t k = 0; k < drawn.intervals.size(); ++k) {
    const auto& [coalesced, stride] = drawn.intervals[k];
    RC_ASSERT(taken.each[k] == coalesced / drawn.w + stride + drawn.L - 1);
    stages += coalesced / drawn.w + stride;
  }
  RC_ASSERT(taken.all == stages + latencies * (drawn.L - 1));
  RC_ASSERT(taken.cost == static_cast<double>(taken.all));
}

BANKPROOF_PROPERTY(Intervals, of_THS_figure_6_2_take_the_global_memory_access_cost, ()) {
  const AnyIntervals drawn = any_intervals();
  take_the_cost(drawn, drawn.intervals.size());
}

TEST(Canary, intervals_without_the_latency_of_the_last_one_are_caught) {
  EXPECT_TRUE(testing::caught([] {
    const AnyIntervals drawn = any_intervals();
    take_the_cost(drawn, drawn.intervals.size() - 1);
  }));
}

BANKPROOF_PROPERTY(Intervals, that_do_not_fill_their_last_warp_take_a_stage_for_it, ()) {
  const std::uint64_t w = any(1, 6);
  const std::uint64_t n = any(1, 40);
  const Latency L = any(1, 20);
  const Taken taken = time_of_intervals({{n}}, static_cast<Width>(w), L, Mode::overlapped);
  RC_ASSERT(taken.all == ceil_div(n, w) + L - 1);
}

Program access_twice(Warp& warp, Numbers& a) {
  co_await a.read(warp.thread());
  co_await a.read(warp.width() + warp.thread());
}

TEST(Intervals, in_which_a_warp_waits_for_its_access_take_more_than_the_cost) {
  // Takes 2w coalesced accesses without a barrier; the text says 2 + L − 1 time units.
  for (const Latency L : {1U, 2U, 9U}) {
    Hmm machine({.dmms = 1, .width = 4, .global_latency = L});
    Numbers a(machine.global(), std::vector<int>(8), "a");
    EXPECT_EQ(machine.launch({.threads = 4}, access_twice, a), 2 * L);
    EXPECT_EQ(2 * L > 2 + L - 1, L > 1);
  }
}

}  // namespace
}  // namespace bankproof
