// Barriers, fences and waits for copies: each makes past events known to some threads.
#pragma once

#include <cstdint>
#include <span>

#include "../races/clock.hpp"
#include "access.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// Threads of one warp at a barrier.
struct Arrival {
  MemoryWarp* warp = nullptr;
  LaneMask lanes = 0;
};

/// Threads that arrived earlier at a barrier without waiting there: bar.arrive.
struct EarlyArrivals {
  Clock clock;
};

/// bar.sync: past events of these threads happen before their next events. Exited lanes take part
/// too: if they are not among `arrivals`, the barrier is not full. A barrier of a part of the block
/// requires a precise launch; in other launches it counts as full.
void block_barrier(BlockMemory& block, std::span<const Arrival> arrivals,
                   EarlyArrivals* early = nullptr);
/// bar.arrive, at the time of its execution.
void arrive(MemoryWarp& warp, LaneMask lanes, EarlyArrivals& early);
/// bar.warp.sync: past events of these lanes happen before their next events.
void warp_barrier(MemoryWarp& warp, LaneMask lanes);

/// cp.async.commit_group, cp.async.wait_group and cp.async.wait_all.
void commit_copies(MemoryWarp& warp, LaneMask lanes);
void wait_for_copies(MemoryWarp& warp, LaneMask lanes, std::uint32_t groups);
void wait_for_all_copies(MemoryWarp& warp, LaneMask lanes);

/// fence.acq_rel or fence.sc; membar is fence.sc.
void fence(MemoryWarp& warp, LaneMask lanes, bool sequential, Scope scope);

}  // namespace bankproof::ptx
