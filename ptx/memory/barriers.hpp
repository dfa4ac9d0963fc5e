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

/// What the threads know that have come to a barrier by bar.arrive, and so do not wait there.
struct EarlyArrivals {
  Clock clock;
};

/// bar.sync: past events of these threads happen before their next events. The barrier is full if
/// `arrivals` has all threads of the block, exited threads included. Only precise launches can have
/// barriers that are not full; in other launches every barrier counts as full.
void block_barrier(BlockMemory& block, std::span<const Arrival> arrivals,
                   EarlyArrivals* early = nullptr);
/// bar.arrive; must be called when the lanes execute it.
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
