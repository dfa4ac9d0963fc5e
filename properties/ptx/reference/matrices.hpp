// Instructions on matrices for the reference, as far as tests of control flow need them.
#pragma once

#include <cstdint>
#include <vector>

#include "thread.hpp"

namespace bankproof::ptx::reference {

/// Whether all lanes of a warp execute it, without a mask of members.
bool is_of_whole_warp(const Instruction& instruction);

/// These lanes of a warp wait at such an instruction, and go on with its results. Lanes that are
/// not among them count as zeros.
void multiply_together(const std::vector<Thread*>& warp, const std::vector<std::uint32_t>& lanes,
                       Result& result);

}  // namespace bankproof::ptx::reference
