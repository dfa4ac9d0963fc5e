// What the kernels of a program did on the reference machine, for the program's own tests.
#pragma once

#include <vector>

#include "../ptx/report/report.hpp"

namespace bankproof::cuda {

/// The reports of the launches since the last call, or since the program's start; none are kept
/// before the first call. The caller looks at their faults: without a call, faults end the program
/// with the exit code 1.
std::vector<ptx::KernelReport> take_launches();

}  // namespace bankproof::cuda
