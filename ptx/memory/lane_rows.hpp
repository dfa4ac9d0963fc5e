// Rows of lanes: accesses of all lanes of a warp to consecutive elements. Most accesses of most
// kernels are such rows.
//
// The first address of a row says everything, so that no lane needs an address of its own. The
// short way does for a row what perform() does for any access. It leaves to perform() what it does
// not know: faults, strong accesses, elements that do not fill their registers. The results are the
// same; tests compare both ways (RunOptions::short_ways).
#pragma once

#include "../isa/level.hpp"
#include "access.hpp"

namespace bankproof::ptx {

/// Sets MemoryOperands::row and row_at, if these operands have a short way.
void choose_lane_row(MemoryOperands& operands, Level level);

}  // namespace bankproof::ptx
