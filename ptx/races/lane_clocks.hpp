// What the lanes of a warp know in addition to full barriers, and what they would publish.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>

#include "clock.hpp"

namespace bankproof::ptx {

/// All that a lane knew at its last fence. What it knew of its own warp is stored as two epochs,
/// not in a Clock, since most fences of most lanes are never used.
struct FencePoint {
  Clock others;
  Epoch own = 0;   // the lane's own epoch; 0: it has not fenced
  Epoch warp = 0;  // the epoch up to which it knew the other lanes of its warp
};

/// An element of memory as a lane of the warp accesses it.
struct LaneElement {
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  // generic
  std::uint32_t bytes = 0;
  auto operator<=>(const LaneElement&) const = default;
};

/// What a lane did at an element, if its later accesses to the element depend on it.
struct ElementClocks {
  // What the lane's last release made known to all threads, and to the threads of its block. Strong
  // writes of the lane after the release publish the same.
  Clock released;
  Clock released_in_block;
  // What the lane's strong reads saw, and the part of it that its block published. The lane's next
  // acquire of the element acquires both.
  Clock seen;
  Clock seen_in_block;
};

struct LaneClocks {
  std::array<Clock, warp_lanes> acquired;
  // By the scope of the fence; a fence with the device's scope is also a fence with the block's
  // scope.
  std::array<FencePoint, warp_lanes> device_fence;
  std::array<FencePoint, warp_lanes> block_fence;
  std::array<FencePoint, warp_lanes> sequential_fence;  // fence.sc with the device's scope
  // What strong reads saw since the last fence; the next fence acquires it. A fence with the
  // block's scope acquires only what the same block published.
  std::array<Clock, warp_lanes> seen;
  std::array<Clock, warp_lanes> seen_in_block;
  // What happened before a fence.sc of a thread, if this thread and the lane then took part in a
  // barrier. A strong write of the lane publishes it to threads that read the write and then
  // execute a fence.sc. All fence.sc have one order, and in the opposite order of these two fences
  // the read could not see the write. This is the pattern `__threadfence(); __syncthreads(); if
  // (threadIdx.x == 0) atomicAdd(…)`.
  std::array<Clock, warp_lanes> sequential;
  std::array<Clock, warp_lanes> seen_sequential;
  std::map<LaneElement, ElementClocks> elements;
  LaneMask fenced = 0;  // lanes with a sequential_fence since their last barrier
};

}  // namespace bankproof::ptx
