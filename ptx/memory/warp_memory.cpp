// Starts warps; see warp_memory.hpp.
#include "warp_memory.hpp"

#include <algorithm>

namespace bankproof::ptx {

void LocalMemory::resize(std::uint64_t bytes_per_lane) {
  bytes = (bytes_per_lane + 15) / 16 * 16;
  const std::uint64_t all = warp_lanes * stride(bytes);
  data.assign(all, std::byte{0});
  written.reset(all);
}

void start_warp(MemoryWarp& warp, LaunchMemory& launch, BlockMemory& block, Worker& worker,
                std::uint32_t index) {
  warp.launch = &launch;
  warp.block = &block;
  warp.worker = &worker;
  warp.scratch = &worker.scratch;
  warp.index = index;
  const std::uint32_t lanes = std::min(warp_lanes, block.threads - index * warp_lanes);
  warp.existing = all_lanes >> (warp_lanes - lanes);
  warp.number = block.first_warp + index;
  warp.now = 1;
  warp.known = 0;
  warp.local.resize(warp.local.bytes);
  warp.clocks = launch.precise ? std::make_unique<LaneClocks>() : nullptr;
  if (warp.clocks && !launch.known.empty()) warp.clocks->acquired.fill(launch.known);
  warp.copies = nullptr;
  block.warps[index] = &warp;
}

}  // namespace bankproof::ptx
