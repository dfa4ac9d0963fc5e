// One run of every kernel at one awkward size: for what wants each kernel once, whatever its
// subject. Planted bugs have to make a scenario wrong or faulty, and a profiler counts its
// accesses.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bankproof::cuda::tests {

struct Scenario {
  /// The kernel and, where it is a template, what it is of: `sum_of_blocks.int32`.
  std::string name;
  /// Runs it on data that are the same each time; whether the result is the oracle's.
  std::function<bool()> is_right;
};

// The file of a subject has its scenarios.
std::vector<Scenario> scenarios_of_convolutions();
std::vector<Scenario> scenarios_of_matrix_products();
std::vector<Scenario> scenarios_of_permutations();
std::vector<Scenario> scenarios_of_prefix_sums();
std::vector<Scenario> scenarios_of_summed_area_tables();
std::vector<Scenario> scenarios_of_sums();
std::vector<Scenario> scenarios_of_transposes();

}  // namespace bankproof::cuda::tests
