// Plain loops on arrays of the host compute what the kernels compute: one core, no checks. The
// other rows are judged by their share of these.
#pragma once

#include "workloads.hpp"

namespace bench {

/// Runs the loop of a workload of workload_names() once, and returns its accesses to the buffers.
/// For `shared` these include the accesses to an array of the tile's size.
double run_plain(Workload& work);

}  // namespace bench
