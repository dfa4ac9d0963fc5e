// What the lanes of a warp know beyond full barriers, and what they would publish.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>

#include "clock.hpp"

namespace bankproof::ptx {

/// All that a lane knew at its last fence. The knowledge of the own warp is kept apart, since most
/// fences of most lanes are never used.
struct FencePoint {
  Clock others;
  Tick own = 0;   // the lane's own tick; 0: it has not fenced
  Tick warp = 0;  // the tick of the other lanes of its warp
};

/// An element of memory as a lane of the warp accesses it.
struct LaneElement {
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  // generic
  std::uint32_t bytes = 0;
  auto operator<=>(const LaneElement&) const = default;
};

/// What a lane did at an element, as far as its later accesses there depend on it.
struct ElementClocks {
  // What its last release made known to all threads, and to the threads of its block. The lane's
  // strong writes after the release publish this too.
  Clock released;
  Clock released_in_block;
  // What its strong reads saw, and the part of it that came from its block. Its next acquire of the
  // element makes it known.
  Clock seen;
  Clock seen_in_block;
};

struct LaneClocks {
  std::array<Clock, warp_lanes> acquired;
  // By the scope of the fence; a fence of the device is also one of the block.
  std::array<FencePoint, warp_lanes> device_fence;
  std::array<FencePoint, warp_lanes> block_fence;
  std::array<FencePoint, warp_lanes> sequential_fence;  // fence.sc of the device
  // What strong reads saw since the last fence; the next fence acquires it. A fence of the block
  // acquires only what came from the same block.
  std::array<Clock, warp_lanes> seen;
  std::array<Clock, warp_lanes> seen_in_block;
  // What happened before a fence.sc of a thread, if a barrier followed in which both that thread
  // and this lane took part. A strong write publishes it to threads that read the write and then
  // execute a fence.sc: all fence.sc have one order, and the opposite order of these two would
  // contradict what was read. This is the pattern
  // `__threadfence(); __syncthreads(); if (threadIdx.x == 0) atomicAdd(…)`.
  std::array<Clock, warp_lanes> sequential;
  std::array<Clock, warp_lanes> seen_sequential;
  std::map<LaneElement, ElementClocks> elements;
  LaneMask fenced = 0;  // lanes with a sequential_fence since their last barrier
};

}  // namespace bankproof::ptx
