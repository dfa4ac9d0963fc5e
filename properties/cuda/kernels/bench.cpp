// Runs benchmarks on the reference machine, at sizes too small to measure speed: no launch may
// fault, however often a benchmark repeats it.
#include <set>

#include "../../../bench/gpu/benchmark.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

TEST(DeviceBench, goals_of_rows_can_be_judged) {
  for (const bench::Benchmark& row : bench::all_benchmarks()) {
    const bench::Goal& goal = row.goal;
    EXPECT_EQ(goal.target == 0, goal.stretch == 0) << row.name;
    if (goal.target == 0) continue;
    EXPECT_NE(goal.limit, "") << row.name;
    if (goal.against == bench::Against::copy) {
      EXPECT_LE(goal.floor, goal.target) << row.name;
      EXPECT_LT(goal.stretch, goal.target) << row.name;
    } else {
      EXPECT_NE(row.peer, "") << row.name;
      EXPECT_GT(goal.stretch, goal.target) << row.name;
    }
  }
}

TEST(DeviceBenchOnMachine, rows_run_without_faults) {
  if (!on_machine) GTEST_SKIP() << "ci/gpu --bench runs them on a chip";
#ifdef BANKPROOF_ON_MACHINE
  std::set<std::string> names;
  take_launches();
  const auto rows = bench::all_benchmarks();
  for (const bench::Benchmark& row : rows) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
    EXPECT_GT(row.element_bytes, 0U) << row.name;
    const bench::Run run = row.prepare(row.named_only ? 1024 : 3001);
    for (int k = 0; k < (row.named_only ? 1 : 3); ++k) run();
    const auto launches = take_launches();
    EXPECT_EQ(launches.empty(), row.on_host) << row.name;
    for (const auto& report : launches) {
      EXPECT_TRUE(report.faults.empty()) << row.name << ":\n" << ptx::as_text(report);
    }
  }
  EXPECT_GT(rows.size(), 10U);
  const bench::Times times = bench::time_of([] {}, 3);
  EXPECT_LE(times.least, times.median);
  EXPECT_LE(times.median, times.most);
#endif
}

}  // namespace
}  // namespace bankproof::cuda::tests
