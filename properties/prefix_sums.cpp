// Prefix sums (rows P1–P3).
#include "../algorithms/prefix_sums.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "../testing/algorithms.hpp"

namespace bankproof {
namespace {

BANKPROOF_ALGORITHM(PrefixSums)

/// As MOD 6 prints it, with p < n threads taking the i of a level in ascending order.
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

/// An interval of a sequence, added to the one that it touches: one run on them decides for all
/// values, as a sum of values in order is what it is of intervals (Chong, Donaldson, Ketema 2014).
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool broken = false;  ///< of parts that do not touch

  friend Interval operator+(const Interval& a, const Interval& b) {
    if (a.begin == a.end && !a.broken) return b;
    if (b.begin == b.end && !b.broken) return a;
    return {a.begin, b.end, a.broken || b.broken || a.end != b.begin};
  }
  bool operator==(const Interval&) const = default;
};

void expect_all_prefixes(std::string_view variant, std::uint64_t n, const Letters& machine) {
  Task task{variant, Sizes(PrefixSums::size_keys), machine};
  task.sizes.set("n", n);
  std::vector<Interval> numbers(n);
  for (std::uint64_t i = 0; i < n; ++i) numbers[i] = {i, i + 1};
  const auto outcome =
      testing::run_task<PrefixSums, Interval>(task, testing::in(Mode::overlapped), {numbers});
  for (std::uint64_t i = 0; i < n; ++i) {
    ASSERT_EQ(outcome.values[i], (Interval{0, i + 1})) << variant << ", n = " << n;
  }
}

TEST(PrefixSums, of_all_values_are_decided_by_one_run_on_intervals_for_each_size_to_512_and_4096) {
  const Letters machine{.machine = MachineKind::dmm, .w = 4, .l = 2, .p = 12};
  for (const Variant& variant : PrefixSums::variants) {
    for (std::uint64_t n = 1; n <= 512; ++n) {
      ASSERT_NO_FATAL_FAILURE(expect_all_prefixes(variant.name, n, machine));
    }
    ASSERT_NO_FATAL_FAILURE(expect_all_prefixes(variant.name, 4096, machine));
  }
}

TEST(PrefixSums, on_intervals_show_swapped_operands) {
  const Interval first{0, 1};
  const Interval second{1, 2};
  EXPECT_EQ(first + second, (Interval{0, 2}));
  EXPECT_TRUE((second + first).broken);
  EXPECT_TRUE((first + Interval{2, 3}).broken);
  EXPECT_TRUE((first + first).broken);
  EXPECT_EQ(Interval{} + first, first);
}

TEST(PrefixSums, simple_ones_are_faster_up_to_a_size_and_slower_from_then_on) {
  // MOD 8: half as many threads as numbers, up to 1,024.
  const auto time = [](std::string_view variant, std::uint64_t n) {
    Task task{variant,
              Sizes(PrefixSums::size_keys),
              {.machine = MachineKind::dmm,
               .w = 32,
               .l = 20,
               .p = std::min<std::uint64_t>(1024, larger<std::uint64_t>(n / 2, 1))}};
    task.sizes.set("n", n);
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
