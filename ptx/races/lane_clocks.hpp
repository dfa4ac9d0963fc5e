// The knowledge of a warp's lanes that does not come from full barriers, and the events that the
// lanes would publish.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>

#include "clock.hpp"

namespace bankproof::ptx {

/// A lane's knowledge at its last fence. What it knew of its own warp is stored as two epochs, not
/// in a Clock: this costs less, and most fences are never used.
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

/// What a lane has released and seen at an element, kept if the lane's later accesses to the
/// element depend on it.
struct ElementClocks {
  // The events that the lane's last release made known to all threads, and to the threads of its
  // block. Strong writes of the lane after the release publish the same events.
  Clock released;
  Clock released_in_block;
  // The publications that the lane's strong reads saw; seen_in_block has only those of the lane's
  // own block. The lane's next acquire of the element acquires `seen` or, with the block's scope,
  // seen_in_block.
  Clock seen;
  Clock seen_in_block;
};

struct LaneClocks {
  std::array<Clock, warp_lanes> acquired;
  // Each scope has its own array. A fence with the device's scope counts as a fence with the
  // block's scope too.
  std::array<FencePoint, warp_lanes> device_fence;
  std::array<FencePoint, warp_lanes> block_fence;
  std::array<FencePoint, warp_lanes> sequential_fence;  // fence.sc with the device's scope
  // The publications that strong reads saw since the last fence; the next fence acquires them. A
  // fence with the block's scope acquires only the publications of the same block.
  std::array<Clock, warp_lanes> seen;
  std::array<Clock, warp_lanes> seen_in_block;
  // The events that happened before some thread's fence.sc, if that thread and this lane later took
  // part in the same barrier. A strong write of the lane publishes these events to each thread that
  // reads the write and then executes a fence.sc. The reason: all fence.sc have one order, and if
  // the reader's fence came first, the read could not have seen the write. This is the pattern
  // `__threadfence(); __syncthreads(); if (threadIdx.x == 0) atomicAdd(…)`.
  std::array<Clock, warp_lanes> sequential;
  std::array<Clock, warp_lanes> seen_sequential;
  std::map<LaneElement, ElementClocks> elements;
  LaneMask fenced = 0;  // lanes with a sequential_fence since their last barrier
};

}  // namespace bankproof::ptx
