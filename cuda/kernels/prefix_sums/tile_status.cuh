// Blocks of one launch wait for tiles of other blocks by the status of a tile.
//
// Each block draws a ticket, which gives it a tile. No tile depends on a tile with a later ticket.
// So a block waits only for blocks that already run, however few are resident. A block writes its
// data, then a fence, then the tile's status. The status is read as volatile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bankproof::cuda::kernels {

/// The statuses that CUB calls INVALID, PARTIAL and INCLUSIVE.
enum TileStatus : std::uint32_t {
  tile_invalid = 0,    // nothing is known; the status in zeroed memory
  tile_partial = 1,    // the sum of the tile is known
  tile_inclusive = 2,  // the sum of this tile and all tiles before it is known
};

/// Publishes the status `now`, together with the writes of the thread and all writes that it has
/// observed.
__device__ inline void publish_status(std::uint32_t* status, TileStatus now) {
  __threadfence();
  *const_cast<volatile std::uint32_t*>(status) = now;
}

/// Waits until the tile is no longer INVALID. The thread may then read the published data.
__device__ inline TileStatus wait_for_status(const std::uint32_t* status) {
  std::uint32_t seen = tile_invalid;
  while ((seen = *const_cast<const volatile std::uint32_t*>(status)) == tile_invalid) {
    __nanosleep(20);
  }
  __threadfence();
  return static_cast<TileStatus>(seen);
}

}  // namespace bankproof::cuda::kernels
