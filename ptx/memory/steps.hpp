// The functions that the steps of memory instructions share.
#pragma once

#include <cstddef>

#include "request.hpp"

namespace bankproof::ptx {

/// Gets the addresses of the lanes from their registers. A lane that takes no part gets the address
/// of an active lane.
void gather_addresses(const MemoryWarp& warp, const Op* op, const MemoryOperands& operands,
                      LaneMask lanes, LaneAddresses& addresses);

/// Performs the access in each memory that contains addresses of lanes. `request.at` are addresses
/// in `space`, or generic addresses; the call overwrites them.
void serve(Request& request, Space space, bool generic, LaneMask lanes);

/// Writes the first `count` of the request's values to their registers.
void write_registers(const Request& request, std::size_t count, LaneMask lanes);
/// Reads the values of a store from their registers, for all lanes.
void read_registers(Request& request);

/// cp.async.
const Op* execute_copy(WarpState& state, const Op* op, const MemoryOperands& operands);

}  // namespace bankproof::ptx
