// What the kernels of a program did on the reference machine, and in what order their blocks run,
// for the program's own tests.
#pragma once

#include <cstdint>
#include <vector>

#include "../../ptx/report/text.hpp"

namespace bankproof::cuda {

/// The reports of the launches since the last call, or since the program's start; none are kept
/// before the first call. The caller looks at their faults: without a call, faults end the program
/// with the exit code 1.
std::vector<ptx::KernelReport> take_launches();

/// Where blocks wait for one another, so many run at a time from now on; 0: the machine's usual
/// number. They begin and have turns in their order or, with a schedule other than 0, in drawn ones
/// (ptx::RunOptions::schedule). Without arguments, as at the program's start.
void set_schedule(std::uint64_t resident_blocks = 0, std::uint64_t schedule = 0);

}  // namespace bankproof::cuda
