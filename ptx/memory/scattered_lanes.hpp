// Scattered lanes: weak accesses whose lanes are no row (lane_rows.hpp), such as gathers, columns
// of a matrix, and rows of which some lanes take no part.
//
// The short way goes over the lanes once for each part of an access, with values in registers from
// beginning to end. It leaves to perform() what it does not know: faults, lanes in several
// memories, strong accesses, elements that do not fill their registers. The results are the same;
// tests compare both ways (RunOptions::short_ways).
#pragma once

#include "../isa/level.hpp"
#include "access.hpp"

namespace bankproof::ptx {

/// The short way of scattered lanes for loads and stores with these operands; null if there is
/// none.
PerformShort scattered_lanes_of(const MemoryOperands& operands, Level level);

/// The short way of scattered lanes for the loads of small_rows.hpp. The record of a byte is that
/// of its word, if records may merge; else there is a short way only if the launch is not judged.
/// Returns false, and has done nothing, in any other case.
bool load_small_lanes(MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                      LaneMask active);

}  // namespace bankproof::ptx
