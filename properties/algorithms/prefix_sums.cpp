// Prefix sums (rows P1–P3).
#include "../../algorithms/prefix_sums.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "../../testing/abstract/interval.hpp"
#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

BANKPROOF_ALGORITHM(PrefixSums)

/// The loop as MOD 6 prints it: p < n threads take the i of a level in ascending order.
Program ascending(Warp& warp, Array<std::uint64_t>& a) {
  for (Address distance = 1; distance < a.size(); distance *= 2) {
    for (auto i : warp.each(distance, a.size())) {
      const auto right = co_await a.read(i);
      const auto left = co_await a.read(i - distance);
      co_await a.write(i, left + right);
    }
    co_await barrier();
  }
}

TEST(PrefixSums, in_ascending_order_go_wrong_with_fewer_threads_than_numbers) {
  Dmm machine({.width = 2});
  Array<std::uint64_t> a(machine.memory(), std::vector<std::uint64_t>(8, 1), "a");
  machine.launch({.threads = 2}, ascending, a);
  EXPECT_NE(a.values()[7], 8U);
  Array<std::uint64_t> b(machine.memory(), std::vector<std::uint64_t>(8, 1), "b");
  machine.launch({.threads = 2}, prefix_sums_simple<std::uint64_t>, b);
  EXPECT_EQ(b.values()[7], 8U);
}

/// One run on intervals (abstract values) decides the result for every monoid.
void expect_all_prefixes(std::string_view variant, std::uint64_t n,
                         const MachineParameters& machine) {
  const Task task = testing::task_of<PrefixSums>(variant, machine, {{"n", n}});
  std::vector<testing::Interval> prefixes(n);
  for (std::uint64_t i = 0; i < n; ++i) prefixes[i] = {0, i + 1};
  ASSERT_TRUE(testing::decided<PrefixSums>(
      task, Inputs<testing::Interval>{testing::unit_intervals(n)}, prefixes));
}

TEST(PrefixSums, of_all_values_are_decided_by_one_run_on_intervals_for_each_size_to_512) {
  const MachineParameters machine{.machine = MachineKind::dmm, .w = 4, .l = 2, .p = 12};
  for (const Variant& variant : PrefixSums::variants) {
    for (std::uint64_t n = 1; n <= 512; ++n) {
      ASSERT_NO_FATAL_FAILURE(expect_all_prefixes(variant.name, n, machine));
    }
  }
}

TEST(PrefixSums, of_all_values_are_decided_by_one_run_on_intervals_around_powers_of_two_to_4096) {
  const MachineParameters machine{.machine = MachineKind::umm, .w = 8, .l = 3, .p = 40};
  for (const Variant& variant : PrefixSums::variants) {
    for (std::uint64_t power = 512; power <= 4096; power *= 2) {
      for (std::uint64_t n = power - 1; n <= power + 1; ++n) {
        ASSERT_NO_FATAL_FAILURE(expect_all_prefixes(variant.name, n, machine));
      }
    }
  }
}

TEST(PrefixSums, of_all_values_are_decided_by_one_run_on_intervals_for_random_sizes_and_machines) {
  std::mt19937_64 random(rc::detail::configuration().testParams.seed);
  const auto number = [&](std::uint64_t least, std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
  };
  for (const Variant& variant : PrefixSums::variants) {
    for (int k = 0; k < 20; ++k) {
      const auto kind = number(0, 1) == 0 ? MachineKind::dmm : MachineKind::umm;
      const std::uint64_t w = number(1, widest_warp);
      const MachineParameters machine{
          .machine = kind, .w = w, .l = number(1, 9), .p = number(1, 8 * w)};
      const std::uint64_t n = number(513, 4096);
      ASSERT_NO_FATAL_FAILURE(expect_all_prefixes(variant.name, n, machine));
    }
  }
}

TEST(PrefixSums, simple_ones_are_faster_up_to_a_size_and_slower_from_then_on) {
  // MOD 8 uses half as many threads as numbers, up to 1,024.
  const auto time = [](std::string_view variant, std::uint64_t n) {
    const Task task = testing::task_of<PrefixSums>(
        variant,
        {.machine = MachineKind::dmm,
         .w = 32,
         .l = 20,
         .p = std::min<std::uint64_t>(1024, larger<std::uint64_t>(n / 2, 1))},
        {{"n", n}});
    return lockstep_time(PrefixSums::cost(task), task.machine);
  };
  std::uint64_t crossover = 2;
  while (time("simple", crossover) <= time("optimal", crossover)) crossover *= 2;
  EXPECT_EQ(crossover, 1024U);
  for (std::uint64_t n = crossover; n <= 1U << 20U; n *= 2) {
    EXPECT_GT(time("simple", n), time("optimal", n));
  }
}

}  // namespace
}  // namespace bankproof
