// Sums (rows S1–S5).
#include "../../algorithms/sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "../../testing/algorithms.hpp"
#include "../../testing/one_run.hpp"

namespace bankproof {
namespace {

BANKPROOF_HMM_ALGORITHM(Sum)

/// The time divided by the terms of HMM theorem 7, n/w + nL/P + L + log n, for dp numbers.
double ratio_to_theorem_7(std::string_view variant, std::uint64_t d) {
  const std::uint64_t n = 2 * d;
  const Task task =
      testing::task_of<Sum>(variant, {.w = 2, .l = 1, .L = 1000000, .d = d, .p = 2}, {{"n", n}});
  const MachineParameters& m = task.machine;
  const double terms = static_cast<double>(n) / static_cast<double>(m.w) +
                       static_cast<double>(n * m.L) / static_cast<double>(m.threads()) +
                       static_cast<double>(m.L) + static_cast<double>(ceil_log2(n));
  return static_cast<double>(lockstep_time(Sum::cost(task), m)) / terms;
}

TEST(Sum, refutes_theorem_7_of_HMM_where_n_is_less_than_the_square_of_d) {
  // n = 2d, p = 2 threads per DMM: DMM(0) takes d/2 latencies to read the sums of the other DMMs.
  for (std::uint64_t d = 8; d <= 512; d *= 2) {
    EXPECT_GT(ratio_to_theorem_7("all-dmms", 2 * d), 1.5 * ratio_to_theorem_7("all-dmms", d));
  }
}

BANKPROOF_PROPERTY(Sum, takes_a_latency_for_each_power_of_the_threads_of_a_DMM_and_one, ()) {
  // S4.dependence: more than (p + 1)^k numbers take (k + 1)L.
  using testing::any;
  const MachineParameters machine{
      .w = any(1, 4), .l = 1, .L = any(1, 1000), .d = any(1, 64), .p = any(1, 8)};
  const std::uint64_t n = any(1, 2000);
  std::uint64_t latencies = 0;
  for (std::uint64_t power = 1; power < n; power *= machine.p + 1) ++latencies;
  for (const std::string_view variant : {"one-dmm", "all-dmms", "recursive"}) {
    const Task task = testing::task_of<Sum>(variant, machine, {{"n", n}});
    RC_LOG() << task;
    RC_ASSERT(lockstep_time(Sum::cost(task), machine) >= latencies * machine.L);
  }
}

TEST(Sum, takes_a_latency_more_for_each_level_of_recursion) {
  // HMM says that recursion removes the condition n ≥ d²; the time still has the term L·log d/log
  // p.
  for (std::uint64_t d = 8; d <= 512; d *= 2) {
    EXPECT_GT(ratio_to_theorem_7("recursive", 4 * d), ratio_to_theorem_7("recursive", d) + 1.8);
  }
  EXPECT_LT(ratio_to_theorem_7("recursive", 512), ratio_to_theorem_7("all-dmms", 512) / 10);
}

TEST(Sum, of_all_values_is_decided_by_one_run_for_each_size_to_128) {
  for (const Variant& variant : Sum::variants) {
    for (std::uint64_t n = 1; n <= 128; ++n) {
      const Task task = testing::task_of<Sum>(
          variant.name,
          {.machine = variant.machines.front(), .w = 4, .l = 2, .L = 3, .d = 3, .p = 6},
          {{"n", n}});
      ASSERT_TRUE(testing::decided_on_indeterminates<Sum>(task));
    }
  }
}

void takes_its_overlapped_time(const Task& task) {
  const auto inputs = testing::random_inputs<std::uint64_t>(Sum::inputs(task), 0);
  const Time time = testing::run_task<Sum>(task, testing::in(Mode::overlapped), inputs).time;
  const auto closed = Sum::overlapped_time(task);
  RC_LOG() << task << ": " << time;
  RC_PRE(closed.has_value());
  RC_ASSERT(time == *closed);
}

BANKPROOF_PROPERTY(Sum, takes_its_overlapped_time_on_the_DMM, ()) {
  using testing::any;
  const Task task = testing::task_of<Sum>(
      "pairwise", {.machine = MachineKind::dmm, .w = any(1, 9), .l = any(1, 12), .p = any(1, 60)},
      {{"n", any(1, 700)}});
  takes_its_overlapped_time(task);
}

BANKPROOF_PROPERTY(Sum, takes_its_overlapped_time_on_the_UMM_where_all_are_powers_of_two, ()) {
  const auto power = [](int most) { return std::uint64_t{1} << *rc::gen::inRange(0, most + 1); };
  const std::uint64_t w = power(5);
  const Task task = testing::task_of<Sum>("pairwise",
                                          {.machine = MachineKind::umm,
                                           .w = w,
                                           .l = *rc::gen::inRange<std::uint64_t>(1, 40),
                                           .p = w * power(5)},
                                          {{"n", power(12)}});
  takes_its_overlapped_time(task);
}

}  // namespace
}  // namespace bankproof
