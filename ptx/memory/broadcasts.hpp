// Broadcasts: weak loads of which all lanes load the same element. They are the commonest accesses
// of many kernels: a constant, a number that a thread has left for its block, an element that each
// thread combines with its own.
//
// The short way checks the element, prices it and records it once for all lanes. It leaves to
// perform() what it does not know, such as faults, local memory and volatile loads. The results are
// the same; tests compare both ways (RunOptions::short_ways).
#pragma once

#include "access.hpp"

namespace bankproof::ptx {

/// The short way of broadcasts for loads with these operands; null if there is none.
PerformShort broadcast_of(const MemoryOperands& operands);

}  // namespace bankproof::ptx
