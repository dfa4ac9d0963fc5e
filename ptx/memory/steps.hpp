// The parts of which steps of memory instructions are made.
#pragma once

#include <cstddef>

#include "request.hpp"

namespace bankproof::ptx {

/// The addresses of lanes, from their registers. Lanes that take no part get the address of one
/// that does.
void gather_addresses(const MemoryWarp& warp, const Op* op, const MemoryDetail& detail,
                      LaneMask lanes, LaneAddresses& addresses);

/// Performs the access at each memory to which addresses of lanes belong; `request.at` are
/// addresses in `space`, or generic ones, and are lost.
void serve(Request& request, Space space, bool generic, LaneMask lanes);

/// The first `count` of the request's values to their registers.
void write_registers(const Request& request, std::size_t count, LaneMask lanes);
/// The values of a store from their registers, of all lanes.
void read_registers(Request& request);

/// cp.async.
const Op* copy_step(WarpState& state, const Op* op);

}  // namespace bankproof::ptx
