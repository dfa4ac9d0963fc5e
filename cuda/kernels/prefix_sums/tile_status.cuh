// How blocks of one launch wait for one another's tiles.
//
// Tiles are given to blocks by a ticket, in an order in which none depends on a later one, so that
// a block waits only for blocks that run, however few do at a time. What is published is written
// before a fence, and that before the tile's status, which is read as volatile.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bankproof::cuda::kernels {

enum TileStatus : std::uint32_t {
  tile_open = 0,      // nothing is known; the state of zeroed memory
  tile_summed = 1,    // the sum of the tile is known
  tile_prefixed = 2,  // the sum of all up to it, too
};

/// Tells that what the thread has written is published, and what it knows to be written.
__device__ inline void publish_status(std::uint32_t* status, TileStatus now) {
  __threadfence();
  *const_cast<volatile std::uint32_t*>(status) = now;
}

/// Waits until something is published, which the thread may then read.
__device__ inline TileStatus wait_for_status(const std::uint32_t* status) {
  std::uint32_t seen = tile_open;
  while ((seen = *const_cast<const volatile std::uint32_t*>(status)) == tile_open) {
    __nanosleep(20);
  }
  __threadfence();
  return static_cast<TileStatus>(seen);
}

}  // namespace bankproof::cuda::kernels
