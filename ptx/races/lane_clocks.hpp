// What the lanes of a warp know beyond full barriers, and what they would publish.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>

#include "clock.hpp"

namespace bankproof::ptx {

/// All that a lane knew at its last fence. The own warp is kept apart, since most fences of most
/// lanes are never asked for.
struct FencePoint {
  Clock others;
  Tick own = 0;   // the lane's own tick; 0: it has not fenced
  Tick warp = 0;  // of the other lanes of its warp
};

/// An element of memory as a lane of the warp accesses it.
struct LaneElement {
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  // generic
  std::uint32_t bytes = 0;
  auto operator<=>(const LaneElement&) const = default;
};

/// What a lane did at an element, as far as its later accesses there go on with it.
struct ElementClocks {
  // What its last release made known to all threads, and to those of its block. Its strong writes
  // behind that publish it too.
  Clock released;
  Clock released_in_block;
  // What its strong reads saw, and what of that came from its block: its next acquire there makes
  // it known.
  Clock seen;
  Clock seen_in_block;
};

struct LaneClocks {
  std::array<Clock, warp_lanes> acquired;
  // By the scope of the fence; one of the device is one of the block too.
  std::array<FencePoint, warp_lanes> device_fence;
  std::array<FencePoint, warp_lanes> block_fence;
  std::array<FencePoint, warp_lanes> sequential_fence;  // fence.sc of the device
  // What strong reads saw since, which the next fence acquires. A fence of the block acquires only
  // what came from the same block.
  std::array<Clock, warp_lanes> seen;
  std::array<Clock, warp_lanes> seen_in_block;
  // What was behind a fence.sc of a thread before a barrier that both took part in. A strong write
  // publishes it to threads that read it and then execute a fence.sc: fences of that kind are in
  // one order, and the other order of these two would contradict what was read. This is the
  // pattern `__threadfence(); __syncthreads(); if (threadIdx.x == 0) atomicAdd(…)`.
  std::array<Clock, warp_lanes> sequential;
  std::array<Clock, warp_lanes> seen_sequential;
  std::map<LaneElement, ElementClocks> elements;
  LaneMask fenced = 0;  // have a sequential_fence since their last barrier
};

}  // namespace bankproof::ptx
