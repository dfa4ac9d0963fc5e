// The memory that the warps of a block share: shared memory with its shadow, and the events that
// full barriers have made known to all threads of the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../races/clock.hpp"
#include "launch_memory.hpp"
#include "shadow.hpp"

namespace bankproof::ptx {

struct MemoryWarp;

struct BlockMemory {
  std::uint64_t number = 0;
  std::uint32_t threads = 0;
  // Shared memory.
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> shared;  // shared_bytes bytes
  SharedShadow shadow;
  // The warps, and the block's knowledge of their events.
  WarpNumber first_warp = 0;
  std::vector<MemoryWarp*> warps;
  // For each warp, and then for each copier: all threads of the block know its events up to this
  // epoch, because of the last full barrier.
  std::vector<Epoch> known;
  Epoch settled = 0;                         // the least epoch of the warps
  std::shared_ptr<const Clock> known_clock;  // `known` as a clock, made when first needed
};

/// A BlockMemory may be used again for the next block. Shared memory is undefined.
void start_block(BlockMemory& block, const LaunchMemory& launch, std::uint64_t number,
                 std::uint32_t shared_bytes);

}  // namespace bankproof::ptx
