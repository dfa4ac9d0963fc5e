// Starts blocks; see block_memory.hpp.
#include "block_memory.hpp"

namespace bankproof::ptx {

void start_block(BlockMemory& block, const LaunchMemory& launch, std::uint64_t number,
                 std::uint32_t shared_bytes) {
  const auto first =
      static_cast<WarpNumber>(launch.first_warp + number * launch.numbers_per_block());
  // If this block has a higher number than the block that used this memory before, all records in
  // the shadow are of earlier warps, so they can stay.
  const bool follows = first > block.first_warp && shared_bytes == block.shared_bytes;
  block.number = number;
  block.threads = launch.threads_per_block;
  block.shared_bytes = shared_bytes;
  block.shared.assign(shared_bytes, std::byte{0});
  block.shadow.reset(shared_bytes, follows, launch.watched_shared);
  block.first_warp = first;
  block.warps.assign(launch.warps_per_block, nullptr);
  block.known.assign(launch.numbers_per_block(), 0);
  block.settled = 0;
  block.known_clock.reset();
}

}  // namespace bankproof::ptx
