// All scenarios give the right result on every machine.
#include "scenarios.hpp"

#include <set>

#include "support.hpp"

namespace bankproof::cuda::tests {

std::vector<Scenario> all_scenarios() {
  std::vector<Scenario> all;
  for (const auto& of_subject :
       {scenarios_of_sums, scenarios_of_prefix_sums, scenarios_of_transposes,
        scenarios_of_convolutions, scenarios_of_matrix_products, scenarios_of_permutations,
        scenarios_of_summed_area_tables, scenarios_of_microkernels}) {
    for (Scenario& scenario : of_subject()) all.push_back(std::move(scenario));
  }
  return all;
}

namespace {

TEST(DeviceScenarios, are_right) {
  std::set<std::string> names;
  take_launches_of_machine();
  for (const Scenario& scenario : all_scenarios()) {
    EXPECT_TRUE(names.insert(scenario.name).second) << scenario.name << " is there twice";
    EXPECT_TRUE(scenario.is_right()) << scenario.name;
#ifdef BANKPROOF_ON_MACHINE
    for (const auto& report : take_launches()) {
      EXPECT_TRUE(report.faults.empty()) << scenario.name << ":\n" << ptx::as_text(report);
    }
#endif
  }
  EXPECT_GT(names.size(), 3U);
}

}  // namespace
}  // namespace bankproof::cuda::tests
