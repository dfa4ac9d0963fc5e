// wmma.load and wmma.store: each lane moves the elements that its fragment holds. Elements move
// together if they are neighbors in a register of a or b, or in a row of c or d. So a 16 × 16
// matrix a of f16 takes four accesses of 4 bytes per lane, or eight of 2 bytes in the other layout,
// and a matrix d of f32 takes four of 8 bytes. NVIDIA does not document which accesses a chip
// makes.
#pragma once

#include <span>

#include "../matrix/fragments.hpp"
#include "collective.hpp"

namespace bankproof::ptx {

/// The number of registers in which each lane holds its part of the matrix of wmma.load or
/// wmma.store.
std::uint32_t tile_registers(const TileForm& form);

/// The parts hold all lanes that take part.
void execute_tile(Warp& warp, std::span<const Part> parts);

}  // namespace bankproof::ptx
