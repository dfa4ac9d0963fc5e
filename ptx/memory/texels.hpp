// Accesses to the texels of images: to bytes of buffers, with all checks, but without a cost
// (../textures/image.hpp).
#pragma once

#include "access.hpp"
#include "footprint.hpp"

namespace bankproof::ptx {

/// Loads or stores the bytes of `lanes`, which is not empty, at offsets of the buffer. A lane that
/// could not load gets zeros.
void access_texels(MemoryWarp& warp, const MemoryOperands& operands, std::uint32_t site,
                   std::uint32_t buffer, const LaneAddresses& at, LaneMask lanes,
                   std::uint32_t bytes, LaneBytes& values);

/// Moves the values of an access between its registers and `values`.
void read_texel_registers(MemoryWarp& warp, const MemoryOperands& operands, LaneBytes& values);
void write_texel_registers(MemoryWarp& warp, const MemoryOperands& operands, LaneMask lanes,
                           LaneBytes& values);

}  // namespace bankproof::ptx
