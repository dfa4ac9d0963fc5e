// Barriers, fences, observing and publishing, and the clocks of lanes; see barriers.hpp and
// synchronization.hpp.
#include "synchronization.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "barriers.hpp"

namespace bankproof::ptx {
namespace {

/// A clock of all events of the block's warps before the block's last full barrier.
const Clock& block_clock(BlockMemory& block) {
  if (!block.known_clock) {
    Clock clock;
    for (std::uint32_t k = 0; k < block.known.size(); ++k) {
      if (block.known[k] == 0) continue;
      LaneEpochs epochs;
      epochs.fill(block.known[k]);
      clock = clock.joined(Clock(block.first_warp + k, epochs));
    }
    block.known_clock = std::make_shared<const Clock>(std::move(clock));
  }
  return *block.known_clock;
}

/// A clock of all past events of these lanes, and of the warp's events that all its lanes know.
Clock own_clock(const MemoryWarp& warp, LaneMask lanes) {
  LaneEpochs epochs;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    epochs[lane] = (lanes >> lane & 1U) != 0 ? warp.now : warp.known;
  }
  return {warp.number, epochs};
}

/// A clock of the copies that these lanes have waited for, and of the copies of other lanes that
/// the whole warp knows to be complete.
Clock copies_clock(const MemoryWarp& warp, LaneMask lanes) {
  if (warp.copies == nullptr) return {};
  LaneEpochs epochs = warp.copies->known(warp.now);
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) epochs[lane] = warp.copies->known_to_warp;
  }
  return {warp.copier(), epochs};
}

/// A clock of all copies that the lane has issued, as if they were complete.
Clock issued_clock(const MemoryWarp& warp, std::uint32_t lane) {
  if (warp.copies == nullptr) return {};
  LaneEpochs epochs{};
  epochs[lane] = warp.copies->issued()[lane];
  return {warp.copier(), epochs};
}

/// The epoch up to which all lanes of the warp have waited for their copies.
Epoch copies_known(const MemoryWarp& warp) {
  if (warp.copies == nullptr) return warp.now;
  const LaneEpochs epochs = warp.copies->known(warp.now);
  return *std::min_element(epochs.begin(), epochs.end());
}

/// A clock of everything that happened before an event that all these lanes take part in, such as a
/// barrier.
Clock clock_of(const MemoryWarp& warp, LaneMask lanes) {
  Clock clock = block_clock(*warp.block).joined(own_clock(warp, lanes));
  clock = clock.joined(copies_clock(warp, lanes));
  each_lane(lanes, [&](std::uint32_t lane) { clock = clock.joined(warp.clocks->acquired[lane]); });
  return clock;
}

Clock clock_at(const MemoryWarp& warp, std::uint32_t lane, const FencePoint& fence) {
  if (fence.own == 0) return {};
  LaneEpochs epochs;
  epochs.fill(fence.warp);
  epochs[lane] = fence.own;
  return fence.others.joined(Clock(warp.number, epochs));
}

/// A clock of everything that happened before a fence.sc that one of these lanes has executed, or
/// knows of by a barrier (LaneClocks::sequential).
Clock sequential_of(const MemoryWarp& warp, LaneMask lanes) {
  Clock clock;
  LaneEpochs epochs{};
  each_lane(lanes, [&](std::uint32_t lane) {
    clock = clock.joined(warp.clocks->sequential[lane]);
    if ((warp.clocks->fenced >> lane & 1U) == 0) return;
    const FencePoint& fence = warp.clocks->sequential_fence[lane];
    clock = clock.joined(fence.others);
    for (Epoch& epoch : epochs) epoch = std::max(epoch, fence.warp);
    epochs[lane] = std::max(epochs[lane], fence.own);
  });
  return (lanes & warp.clocks->fenced) == 0 ? clock : clock.joined(Clock(warp.number, epochs));
}

/// Makes both clocks known to these lanes.
void acquire_at(MemoryWarp& warp, LaneMask lanes, const Clock& clock, const Clock& sequential) {
  each_lane(lanes, [&](std::uint32_t lane) {
    Clock& mine = warp.clocks->acquired[lane];
    mine = mine.joined(clock);
    warp.clocks->sequential[lane] = warp.clocks->sequential[lane].joined(sequential);
  });
  warp.clocks->fenced &= ~lanes;
}

/// Must be called at a barrier of the whole warp. Stores in `known` and in the warp's Copies the
/// epoch up to which all lanes have waited for their copies.
void note_copies(MemoryWarp& warp, Epoch& known) {
  known = copies_known(warp);
  if (warp.copies != nullptr) warp.copies->known_to_warp = known;
}

bool is_full(const BlockMemory& block, std::span<const Arrival> arrivals) {
  std::uint32_t lanes = 0;
  for (const Arrival& arrival : arrivals) {
    lanes += static_cast<std::uint32_t>(std::popcount(arrival.lanes & arrival.warp->existing));
  }
  return lanes == block.threads;
}

/// Makes known to the whole block all past events of its threads, and for each warp the copies that
/// all lanes of the warp have waited for.
void full_barrier(BlockMemory& block) {
  const std::size_t warps = block.warps.size();
  const bool copies = block.known.size() > warps;
  for (MemoryWarp* warp : block.warps) {
    warp->known = warp->now;
    block.known[warp->index] = warp->now;
    if (copies) note_copies(*warp, block.known[warps + warp->index]);
    begin_epoch(*warp);
  }
  const auto copiers = block.known.begin() + static_cast<std::ptrdiff_t>(warps);
  block.settled = *std::min_element(block.known.begin(), copiers);
  block.known_clock.reset();
}

}  // namespace

void begin_epoch(MemoryWarp& warp) {
  if (warp.now == latest_epoch) {
    throw TimeIsOver("more than " + std::to_string(latest_epoch) +
                     " barriers, fences and releases of a warp");
  }
  ++warp.now;
}

Clock known_to(const MemoryWarp& warp, std::uint32_t lane) {
  return clock_of(warp, LaneMask{1} << lane);
}

Publication publication_of(MemoryWarp& warp, const LaneElement& element, bool release, Scope scope,
                           bool after_copies) {
  LaneClocks& clocks = *warp.clocks;
  const std::uint32_t lane = element.lane;
  const bool of_device = scope == Scope::device;
  Publication result;
  result.bytes = element.bytes;
  result.written_by = warp.block->first_warp;
  result.written_to_device = of_device;
  Clock of_block;
  if (release) {
    of_block = clock_of(warp, LaneMask{1} << lane);
    ElementClocks& here = clocks.elements[element];
    here.released_in_block = of_block;
    if (of_device) here.released = result.device = of_block;
  } else {
    of_block = clock_at(warp, lane, clocks.block_fence[lane]);
    if (of_device) result.device = clock_at(warp, lane, clocks.device_fence[lane]);
    const auto here = clocks.elements.find(element);
    if (here != clocks.elements.end()) {
      of_block = of_block.joined(here->second.released_in_block);
      if (of_device) result.device = result.device.joined(here->second.released);
    }
  }
  if (after_copies) {
    const Clock copies = issued_clock(warp, lane);
    of_block = of_block.joined(copies);
    if (of_device) result.device = result.device.joined(copies);
  }
  if (of_device) result.sequential = clocks.sequential[lane];
  if (!of_block.empty()) result.block.emplace(warp.block->first_warp, std::move(of_block));
  return result;
}

void observe(MemoryWarp& warp, const LaneElement& element, const Publication* seen, bool acquire,
             Scope scope) {
  LaneClocks& clocks = *warp.clocks;
  const std::uint32_t lane = element.lane;
  Clock& acquired = clocks.acquired[lane];
  const bool of_device = scope == Scope::device;
  if (acquire) {
    const auto here = clocks.elements.find(element);
    if (here != clocks.elements.end()) {
      acquired = acquired.joined(of_device ? here->second.seen : here->second.seen_in_block);
    }
  }
  if (seen == nullptr || !seen->reaches(warp.block->first_warp, of_device)) return;
  const auto found = seen->block.find(warp.block->first_warp);
  const Clock of_block = found == seen->block.end() ? Clock() : found->second;
  const Clock all = of_device ? of_block.joined(seen->device) : of_block;
  if (acquire) {
    acquired = acquired.joined(all);
  } else if (!all.empty()) {
    ElementClocks& here = clocks.elements[element];
    here.seen = here.seen.joined(all);
    here.seen_in_block = here.seen_in_block.joined(of_block);
  }
  clocks.seen[lane] = clocks.seen[lane].joined(all);
  clocks.seen_in_block[lane] = clocks.seen_in_block[lane].joined(of_block);
  if (of_device) {
    clocks.seen_sequential[lane] = clocks.seen_sequential[lane].joined(seen->sequential);
  }
}

void fence(MemoryWarp& warp, LaneMask lanes, bool sequential, Scope scope) {
  if (!warp.clocks) return;
  LaneClocks& clocks = *warp.clocks;
  each_lane(lanes, [&](std::uint32_t lane) {
    Clock& acquired = clocks.acquired[lane];
    acquired =
        acquired.joined(scope == Scope::device ? clocks.seen[lane] : clocks.seen_in_block[lane]);
    if (sequential && scope == Scope::device) {
      acquired = acquired.joined(clocks.seen_sequential[lane]);
    }
    const Clock others = block_clock(*warp.block).joined(copies_clock(warp, LaneMask{1} << lane));
    FencePoint point{acquired.joined(others), warp.now, warp.known};
    clocks.block_fence[lane] = point;
    if (scope != Scope::device) return;
    if (sequential) clocks.sequential_fence[lane] = point;
    clocks.device_fence[lane] = std::move(point);
  });
  if (sequential && scope == Scope::device) clocks.fenced |= lanes;
  begin_epoch(warp);
}

void warp_barrier(MemoryWarp& warp, LaneMask lanes) {
  const LaneMask taking_part = lanes & warp.existing;
  if (warp.clocks) {
    acquire_at(warp, taking_part, clock_of(warp, taking_part), sequential_of(warp, taking_part));
  }
  if (!warp.clocks || taking_part == warp.existing) {
    warp.known = warp.now;
    if (warp.copies != nullptr) warp.copies->known_to_warp = copies_known(warp);
  }
  begin_epoch(warp);
}

void block_barrier(BlockMemory& block, std::span<const Arrival> arrivals, EarlyArrivals* early) {
  const bool precise = !block.warps.empty() && block.warps.front()->clocks != nullptr;
  if (!precise) {
    full_barrier(block);
    return;
  }
  const bool full = is_full(block, arrivals);
  Clock clock = early == nullptr ? Clock() : early->clock;
  Clock sequential;
  for (const Arrival& arrival : arrivals) {
    // For a full barrier, full_barrier() makes everything known but these copies and the clocks
    // that the lanes have acquired.
    clock = clock.joined(full ? copies_clock(*arrival.warp, arrival.lanes)
                              : clock_of(*arrival.warp, arrival.lanes));
    each_lane(arrival.lanes, [&](std::uint32_t lane) {
      clock = clock.joined(arrival.warp->clocks->acquired[lane]);
    });
    sequential = sequential.joined(sequential_of(*arrival.warp, arrival.lanes));
  }
  for (const Arrival& arrival : arrivals) {
    acquire_at(*arrival.warp, arrival.lanes, clock, sequential);
    if (!full) begin_epoch(*arrival.warp);
  }
  if (full) full_barrier(block);
  if (early != nullptr) early->clock = {};
}

void commit_copies(MemoryWarp& warp, LaneMask lanes) {
  if (warp.copies == nullptr) return;
  warp.copies->commit(lanes, warp.now);
  begin_epoch(warp);
}

void wait_for_copies(MemoryWarp& warp, LaneMask lanes, std::uint32_t groups) {
  if (warp.copies != nullptr) warp.copies->wait(lanes, groups);
}

void wait_for_all_copies(MemoryWarp& warp, LaneMask lanes) {
  if (warp.copies == nullptr) return;
  warp.copies->wait_all(lanes, warp.now);
  begin_epoch(warp);
}

void arrive(MemoryWarp& warp, LaneMask lanes, EarlyArrivals& early) {
  if (!warp.clocks) return;
  early.clock = early.clock.joined(clock_of(warp, lanes));
  begin_epoch(warp);
}

}  // namespace bankproof::ptx
