// What the accesses of a warp need: its registers (WarpState), its local memory, the memories of
// its block and its launch, and what its lanes know of other threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../isa/op.hpp"
#include "../races/copies.hpp"
#include "../races/lane_clocks.hpp"
#include "../timing/events.hpp"
#include "block_memory.hpp"
#include "launch_memory.hpp"
#include "worker.hpp"
#include "written_bytes.hpp"

namespace bankproof::ptx {

/// The local memory of the 32 lanes of a warp. Threads share no byte of local memory, so its shadow
/// only says which bytes were written.
struct LocalMemory {
  std::uint64_t bytes = 0;  // per lane; a multiple of 16
  /// The bytes from the memory of a lane to that of the next lane. Lanes often access the same
  /// place of large arrays together: an odd multiple of 512 spreads these accesses, and their marks
  /// in `written`, over the sets of the processor's cache.
  static std::uint64_t stride(std::uint64_t bytes) {
    return bytes < 1024 ? bytes : ((bytes + 511) / 512 | 1U) * 512;
  }
  std::vector<std::byte> data;
  WrittenBytes written;
  /// Marks all bytes as not written.
  void resize(std::uint64_t bytes_per_lane);
};

struct MemoryWarp : WarpState {
  LaunchMemory* launch = nullptr;
  BlockMemory* block = nullptr;
  Worker* worker = nullptr;
  std::uint32_t index = 0;  // in its block
  LaneMask existing = 0;    // lanes that are threads
  WarpNumber number = 0;
  Epoch now = 1;
  Epoch known = 0;  // all lanes know what the warp did up to this epoch
  LocalMemory local;
  std::vector<Event>* events = nullptr;  // of this warp; null unless the launch records events
  std::unique_ptr<LaneClocks> clocks;    // null unless the launch is precise
  std::unique_ptr<Copies> copies;        // null until the warp issues a copy

  ThreadName name(std::uint32_t lane) const {
    return {launch->number, block->number, index * warp_lanes + lane};
  }
  /// The number of the copier, which performs the warp's copies.
  WarpNumber copier() const { return number + launch->warps_per_block; }
};

/// `index` is the number of the warp in its block. Local memory keeps its size, and its bytes
/// become undefined.
void start_warp(MemoryWarp& warp, LaunchMemory& launch, BlockMemory& block, Worker& worker,
                std::uint32_t index);

/// The bytes from a generic address to the end of its memory, as one lane sees them; empty if no
/// memory contains the address. The call counts as no access.
std::span<const std::byte> bytes_from(const MemoryWarp& warp, std::uint32_t lane,
                                      std::uint64_t address);

}  // namespace bankproof::ptx
