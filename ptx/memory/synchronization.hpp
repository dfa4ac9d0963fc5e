// The observations and publications of one lane; barriers and fences are in barriers.hpp.
#pragma once

#include <stdexcept>

#include "../races/judge.hpp"
#include "access.hpp"
#include "block_memory.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// The warp as a viewer of records: of shared memory if `shared`, else of global memory.
inline Viewer viewer_of(const MemoryWarp& warp, bool shared) {
  const BlockMemory& block = *warp.block;
  return {.quiet = ShadowWord::first_of(shared ? block.first_warp : warp.launch->first_of_launch),
          .warp = warp.number,
          .known = warp.known,
          .first = block.first_warp,
          .warps = static_cast<std::uint32_t>(block.known.size()),
          .copiers = static_cast<std::uint32_t>(block.warps.size()),
          .block_known = block.known.data(),
          .settled = block.settled,
          .clocks = warp.clocks.get(),
          .copies = warp.copies.get(),
          .shared = shared,
          .by_words = warp.launch->records == RaceRecording::words,
          .merges = warp.launch->records == RaceRecording::merged};
}

/// A clock of everything that happened before the lane's next event, and of its own past events.
/// Requires a precise launch.
Clock known_to(const MemoryWarp& warp, std::uint32_t lane);

/// The publication of a strong write of the element. A release publishes all that happened before
/// it. Any other strong write publishes the events before the lane's last fence and before its last
/// release of that element. If `after_copies`, the write comes after the completion of all copies
/// of the lane. Requires a precise launch.
Publication publication_of(MemoryWarp& warp, const LaneElement& element, bool release, Scope scope,
                           bool after_copies);

/// Must be called when the lane has read the element strongly. `seen` is the publication at the
/// element, or null if nothing was published there. The lane acquires `seen`, and all publications
/// that it saw at the element before: at once if `acquire`, else at its next fence or at its next
/// acquire of the element.
void observe(MemoryWarp& warp, const LaneElement& element, const Publication* seen, bool acquire,
             Scope scope);

/// A warp has synchronized more often than clocks can count.
struct TimeIsOver : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Called after a release: later events of the warp get a later epoch. Throws TimeIsOver.
void begin_epoch(MemoryWarp& warp);

}  // namespace bankproof::ptx
