// Instructions on matrices for the reference, limited to those that tests of control flow need.
#pragma once

#include <cstdint>
#include <vector>

#include "thread.hpp"

namespace bankproof::ptx::reference {

/// Whether all lanes of a warp must execute the instruction, which has no mask of members.
bool is_of_whole_warp(const Instruction& instruction);

/// Executes such an instruction for these waiting lanes of a warp, and gives them its results.
/// Other lanes count as zeros.
void multiply_together(const std::vector<Thread*>& warp, const std::vector<std::uint32_t>& lanes,
                       Result& result);

}  // namespace bankproof::ptx::reference
