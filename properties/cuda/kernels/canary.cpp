// The reports must show a kernel that writes beyond its array and a kernel that races. A value that
// the host sets must reach the kernel.
#include "planted.hpp"
#include "scenarios.hpp"
#include "support.hpp"

namespace bankproof::cuda::tests {
namespace {

TEST(DeviceCanaryOnMachine, reports_a_missing_bound) {
  if (!on_machine) GTEST_SKIP() << "on a chip it would write anywhere";
#ifdef BANKPROOF_ON_MACHINE
  EXPECT_EQ(set_added(5), cudaSuccess);
  GuardedArray<int> in(std::vector<int>(64, 1));
  GuardedArray<int> out(64);
  take_launches();
  copy_in_blocks_of_32(in.data(), out.data(), 2);
  for (const auto& report : take_launches()) EXPECT_TRUE(report.faults.empty());
  EXPECT_EQ(out.values(), std::vector<int>(64, 6));

  copy_in_blocks_of_32(in.data(), out.data(), 3);
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_FALSE(launches.front().faults.empty());
  EXPECT_EQ(launches.front().faults.front().kind, ptx::FaultKind::out_of_bounds);
#endif
}

TEST(DeviceCanaryOnMachine, reports_a_missing_barrier) {
  if (!on_machine) GTEST_SKIP() << "on a chip compute-sanitizer reports it, which ci/gpu runs";
#ifdef BANKPROOF_ON_MACHINE
  GuardedArray<int> in(std::vector<int>(64, 1));
  GuardedArray<int> out(64);
  take_launches();
  reverse_64(in.data(), out.data());
  const auto launches = take_launches();
  ASSERT_EQ(launches.size(), 1U);
  ASSERT_FALSE(launches.front().faults.empty());
  EXPECT_EQ(launches.front().faults.front().kind, ptx::FaultKind::race);
#endif
}

}  // namespace

// These arrays have no guards, so memory after an array does not belong to the program.
std::vector<Scenario> planted_scenarios() {
  const auto run = [](auto launch) {
    DeviceArray<int> in(std::vector<int>(64, 1));
    DeviceArray<int> out(64);
    launch(in.data(), out.data());
    return true;
  };
  return {
      {"planted.out-of-bounds",
       [run] { return run([](const int* in, int* out) { copy_in_blocks_of_32(in, out, 3); }); }},
      {"planted.race", [run] { return run(reverse_64); }}};
}

}  // namespace bankproof::cuda::tests
