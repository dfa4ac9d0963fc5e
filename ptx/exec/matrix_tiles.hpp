// wmma.load and wmma.store: each lane moves the elements that its fragment holds, those together
// that are neighbors in a register of a or b, or in a row of c or d. So a 16 × 16 matrix a of f16
// takes four accesses of 4 bytes a lane, or eight of 2 bytes where it lies the other way round, and
// a matrix d of f32 four of 8 bytes. Which accesses a chip makes of it, NVIDIA tells nobody.
#pragma once

#include <span>

#include "../matrix/fragments.hpp"
#include "collective.hpp"

namespace bankproof::ptx {

/// Registers that each lane has of the matrix of wmma.load or wmma.store.
std::uint32_t tile_registers(const TileForm& form);

/// The parts are all lanes that take part.
void execute_tile(Warp& warp, std::span<const Part> parts);

}  // namespace bankproof::ptx
