// One run of every kernel at one awkward size: for what wants each kernel once, whatever its
// subject. Planted bugs have to make a scenario wrong or faulty, and a profiler counts its
// accesses.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace bankproof::cuda::tests {

struct Scenario {
  /// The kernel and, where it is a template, what it is of: `sum_of_blocks.int32`.
  std::string name;
  /// Runs it on data that are the same each time; whether the result is the oracle's.
  std::function<bool()> is_right;
  /// Whether blocks wait for one another in it, so that the way it takes depends on the schedule.
  bool polls = false;
};
inline void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

// The file of a subject has its scenarios.
std::vector<Scenario> scenarios_of_convolutions();
std::vector<Scenario> scenarios_of_matrix_products();
std::vector<Scenario> scenarios_of_microkernels();
std::vector<Scenario> scenarios_of_permutations();
std::vector<Scenario> scenarios_of_prefix_sums();
std::vector<Scenario> scenarios_of_summed_area_tables();
std::vector<Scenario> scenarios_of_sums();
std::vector<Scenario> scenarios_of_transposes();

/// Those of all subjects. Their names differ.
std::vector<Scenario> all_scenarios();

/// Kernels that are wrong, for checkers to prove themselves on; not among all.
std::vector<Scenario> planted_scenarios();

}  // namespace bankproof::cuda::tests
