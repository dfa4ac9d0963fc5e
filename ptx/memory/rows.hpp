// Rows: accesses of all lanes of a warp to consecutive elements. Most accesses of most kernels are
// rows.
//
// The first address of a row says everything, so that no lane needs an address of its own.
// perform_row() does for a row what perform() does for any access. It leaves to perform() what it
// does not know: faults, strong accesses, elements that do not fill registers. The results are the
// same; tests compare both (RunOptions::rows).
#pragma once

#include "access.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// Whether perform_row() knows such accesses.
bool can_be_row(const MemoryOperands& operands);

/// Performs a load or a store of all lanes, if it is a row that needs nothing unusual, and returns
/// true. Otherwise returns false, and has changed nothing. can_be_row(operands) must hold.
template <Operation operation>
bool perform_row(MemoryWarp& warp, const Op* op, const MemoryOperands& operands);
extern template bool perform_row<Operation::load>(MemoryWarp&, const Op*, const MemoryOperands&);
extern template bool perform_row<Operation::store>(MemoryWarp&, const Op*, const MemoryOperands&);

}  // namespace bankproof::ptx
