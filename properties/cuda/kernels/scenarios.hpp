// Scenarios: one run of every kernel at an awkward size, for tests and tools that run each kernel
// once. A planted bug has to make its scenario wrong or faulty, and a profiler counts the
// scenario's accesses.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace bankproof::cuda::tests {

struct Scenario {
  /// The kernel and, if it is a template, its element type: `sum_of_blocks.int32`.
  std::string name;
  /// Runs the kernel on the same data each time; returns whether the result is the oracle's.
  std::function<bool()> is_right;
  /// Whether blocks wait for one another, so that the executed path depends on the schedule.
  bool polls = false;
};
inline void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

// The scenarios of each subject are defined in the subject's file.
std::vector<Scenario> scenarios_of_convolutions();
std::vector<Scenario> scenarios_of_matrix_products();
std::vector<Scenario> scenarios_of_microkernels();
std::vector<Scenario> scenarios_of_permutations();
std::vector<Scenario> scenarios_of_prefix_sums();
std::vector<Scenario> scenarios_of_summed_area_tables();
std::vector<Scenario> scenarios_of_sums();
std::vector<Scenario> scenarios_of_transposes();

/// The scenarios of all subjects. Their names are unique.
std::vector<Scenario> all_scenarios();

/// Wrong kernels that checkers must report; all_scenarios() does not include them.
std::vector<Scenario> planted_scenarios();

}  // namespace bankproof::cuda::tests
