// For a program's own tests: reports what its kernels did on the reference machine, and sets the
// order in which blocks run.
#pragma once

#include <cstdint>
#include <vector>

#include "../../ptx/report/text.hpp"

namespace bankproof::cuda {

/// The reports of all launches since the last call. The first call starts the record and returns
/// nothing. From the first call on, the caller must check the reports for faults. If the program
/// never calls this function, faults end the program with exit code 1.
std::vector<ptx::KernelReport> take_launches();

/// The findings about the program's calls of CUDA since the last call: memory that it misuses, and
/// operations that nothing orders. Findings that a caller has taken do not end the program.
std::vector<ptx::FaultReport> take_findings();

/// Sets how many blocks are resident at a time if blocks wait for one another; 0: the machine's
/// usual number. Blocks start and take turns in the order of their numbers or, with a schedule
/// other than 0, in random orders (ptx::RunOptions::schedule). A call without arguments restores
/// the settings that the program had at its start.
void set_schedule(std::uint64_t resident_blocks = 0, std::uint64_t schedule = 0);

}  // namespace bankproof::cuda
