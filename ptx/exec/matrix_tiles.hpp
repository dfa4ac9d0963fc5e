// wmma.load and wmma.store: each lane moves the elements that its fragment holds. Elements of one
// lane that are neighbors in memory move in one access. So a 16 × 16 matrix a of f16 takes four
// accesses of 4 bytes per lane if it is stored by rows, and eight accesses of 2 bytes if by
// columns; a matrix d of f32 stored by rows takes four accesses of 8 bytes. NVIDIA does not
// document which accesses a chip makes.
#pragma once

#include <span>

#include "../matrix/fragments.hpp"
#include "collective.hpp"

namespace bankproof::ptx {

/// The number of registers in which each lane holds its part of the matrix of wmma.load or
/// wmma.store.
std::uint32_t tile_registers(const TileForm& form);

/// Executes the instruction for all lanes that take part; each lane is in one of the parts.
void execute_tile(Warp& warp, std::span<const Part> parts);

}  // namespace bankproof::ptx
