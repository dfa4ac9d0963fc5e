// Plants mutations in each kernel: at each barrier, at each ordered access or fence, and at some
// bound or access (MutationKind). The scenario of a kernel with a mutation has to fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <ostream>

#include "scenarios.hpp"
#include "support.hpp"
#ifdef BANKPROOF_ON_MACHINE
#include "../../../cuda/runtime/planting.hpp"
#endif

namespace bankproof::cuda::tests {
namespace {

/// All scenarios except microkernels. A microkernel makes one access in some pattern, and mostly
/// does not depend on the code around the access.
std::vector<Scenario> scenarios_of_kernels() {
  std::vector<Scenario> all = all_scenarios();
  std::erase_if(all, [](const Scenario& one) { return one.name.starts_with("microkernel."); });
  return all;
}

class PollingKernel : public ::testing::TestWithParam<Scenario> {};

void expect_right(const Scenario& scenario) {
  take_launches_of_machine();
  EXPECT_TRUE(scenario.is_right());
#ifdef BANKPROOF_ON_MACHINE
  const auto launches = take_launches();
  EXPECT_FALSE(launches.empty());
  for (const ptx::KernelReport& report : launches) {
    EXPECT_TRUE(report.faults.empty()) << ptx::as_text(report);
  }
#endif
}

// With few resident blocks, a kernel would deadlock if a block waited for a block that has not
// started.
TEST_P(PollingKernel, gives_the_oracles_result_a_hundred_times_with_any_number_of_resident_blocks) {
  constexpr std::array<std::uint64_t, 4> residencies = {0, 1, 2, 5};
  for (std::uint64_t number = 0; number < 100 && !HasFailure(); ++number) {
    const std::uint64_t resident = residencies[number % residencies.size()];
    SCOPED_TRACE("schedule " + std::to_string(number) + ", " + std::to_string(resident) +
                 " blocks resident");
    const DrawnTurns turns(resident, number);
    expect_right(GetParam());
  }
}

#ifdef BANKPROOF_ON_MACHINE
/// Whether the scenario fails: its result is wrong or missing, or a launch faults.
bool fails(const Scenario& scenario) {
  bool right = false;
  try {
    right = scenario.is_right();
  } catch (...) {  // a call failed, or a kernel wrote to a guard word
  }
  bool at_fault = false;
  for (const ptx::KernelReport& report : take_launches()) at_fault |= !report.faults.empty();
  return at_fault || !right;
}

/// Whether any schedule reveals the mutation: which block waits for which, and so which code is
/// needed, depends on the schedule.
bool is_detected(const Scenario& scenario, const Mutation& mutation, MutationPlaces places) {
  const Mutant mutant(mutation, places);
  const std::uint64_t schedules = scenario.polls ? 20 : 0;
  bool detected = false;
  for (std::uint64_t schedule = 0; schedule <= schedules && !detected; ++schedule) {
    const DrawnTurns turns(0, schedule);
    detected = fails(scenario);
  }
  return detected;
}

/// Whether the tests must detect every mutation of this kind, not only one.
bool all_count(const Mutation& mutation) {
  return mutation.kind == MutationKind::no_barrier || mutation.kind == MutationKind::no_order;
}

class EveryKernelOnMachine : public ::testing::TestWithParam<Scenario> {};

TEST_P(EveryKernelOnMachine, fails_its_scenario_with_a_mutation) {
  const Scenario& scenario = GetParam();
  take_launches();
  scenario.is_right();
  const std::vector<Mutation> mutations = possible_mutations(take_launches());
  const auto orders = std::ranges::count(mutations, MutationKind::no_order, &Mutation::kind);
  EXPECT_EQ(scenario.polls, orders > 0) << "what Scenario::polls says";
  std::map<std::string, bool> detected_one_of;
  std::map<std::string, bool> moved_one_of;  // a detected mutation of a bound or an access
  for (const Mutation& mutation : mutations) {
    detected_one_of[mutation.kernel] = false;
    if (!all_count(mutation)) moved_one_of[mutation.kernel] = false;
  }

  for (const Mutation& mutation : mutations) {
    // Some bounds only save work, and some accesses run only after a failed bound. So it is enough
    // that the tests detect one mutation of a bound or an access.
    if (!all_count(mutation) && moved_one_of[mutation.kernel]) continue;
    const bool detected = is_detected(scenario, mutation, MutationPlaces::here);
    detected_one_of[mutation.kernel] |= detected;
    if (!all_count(mutation)) moved_one_of[mutation.kernel] |= detected;
    // If a loop was copied, its last copy may not need the instruction; the source does need it.
    if (detected || !all_count(mutation) ||
        is_detected(scenario, mutation, MutationPlaces::in_all_copies))
      continue;
    EXPECT_FALSE(is_detected(scenario, mutation, MutationPlaces::trap_in_all_copies))
        << mutation.kernel << " does without " << mutation.instruction << " at statement "
        << mutation.statement;
  }
  for (const auto& [kernel, detected] : detected_one_of) {
    EXPECT_TRUE(detected) << kernel << ": no mutation is detected";
  }
  for (const auto& [kernel, detected] : moved_one_of) {
    EXPECT_TRUE(detected) << kernel << ": no mutation of a bound or of an access is detected";
  }
  EXPECT_FALSE(detected_one_of.empty());
  EXPECT_FALSE(fails(scenario)) << "afterwards the kernels are intact again";
}
#endif

std::vector<Scenario> polling_scenarios() {
  std::vector<Scenario> all = scenarios_of_kernels();
  std::erase_if(all, [](const Scenario& scenario) { return !scenario.polls; });
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Scenario>& scenario) {
  std::string name = scenario.param.name;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, PollingKernel, ::testing::ValuesIn(polling_scenarios()),
                         test_name);
#ifdef BANKPROOF_ON_MACHINE
INSTANTIATE_TEST_SUITE_P(Scenarios, EveryKernelOnMachine,
                         ::testing::ValuesIn(scenarios_of_kernels()), test_name);
#endif

}  // namespace
}  // namespace bankproof::cuda::tests
