// Predictions of the counts of Nsight Compute in each scenario. The reference machine makes them
// with the rules of a chip.
#pragma once

#include <iosfwd>

#ifndef BANKPROOF_ON_MACHINE
/// The output of write_predictions(), recorded when the program for GPU machines was built
/// (gpu.cmake).
extern "C" const char bankproof_predictions[];
#endif

namespace bankproof::cuda::tests {

/// Runs all scenarios and writes JSON:
///
///     {"machine": "sm_90", "scenarios": [
///       {"name": "sum_pairwise.int32", "right": true, "polls": false, "plain": true, "launches": [
///         {"kernel": "…", "metrics": {"smsp__sass_inst_executed_op_shared_ld.sum": 21, …}}]}]}
///
/// `right` says that the result is the oracle's and no launch faulted. `polls` comes from the
/// scenario. `plain` says that all accesses are plain loads and stores, so that counters repeat;
/// otherwise `because` names another instruction.
void write_predictions(std::ostream& out);

}  // namespace bankproof::cuda::tests
