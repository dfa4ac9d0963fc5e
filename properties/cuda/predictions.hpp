// What Nsight Compute is to count of each scenario, as the reference machine with the rules of a
// chip has it.
#pragma once

#include <iosfwd>

#ifndef BANKPROOF_ON_MACHINE
/// What write_predictions() wrote when the program for GPU machines was built (cmake/gpu.cmake).
extern "C" const char bankproof_predictions[];
#endif

namespace bankproof::cuda::tests {

/// Runs all scenarios and writes JSON:
///
///     {"machine": "sm_90", "scenarios": [
///       {"name": "sum_pairwise.int32", "right": true, "polls": false, "plain": true, "launches": [
///         {"kernel": "…", "metrics": {"smsp__sass_inst_executed_op_shared_ld.sum": 21, …}}]}]}
///
/// `right` if the result was the oracle's and no launch at fault. `polls` is the scenario's.
/// `plain` if all accesses are plain loads and stores, so that counters repeat; else `because`
/// names an instruction that is none.
void write_predictions(std::ostream& out);

}  // namespace bankproof::cuda::tests
