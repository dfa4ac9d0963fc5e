// What one lane knows and publishes; barriers and fences are in warp_memory.hpp.
#pragma once

#include <stdexcept>

#include "../races/judge.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// The warp as it looks at records of shared or of global memory.
Viewer viewer_of(const MemoryWarp& warp, bool shared);

/// What a strong write of the element publishes: what happened before it (of a release), or before
/// the lane's last fence and its last release of that element. `after_copies`: it is performed when
/// all copies of the lane are complete. Requires a launch that is precise.
Publication publication_of(MemoryWarp& warp, const LaneElement& element, bool release, Scope scope,
                           bool after_copies);

/// The lane has read, strongly, what was published at the element; null: nothing. With `acquire` it
/// knows from now on that and what it saw there before; else from its next fence on, or its next
/// acquire there.
void observe(MemoryWarp& warp, const LaneElement& element, const Publication* seen, bool acquire,
             Scope scope);

/// A warp has synchronized more often than clocks can count.
struct TimeIsOver : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// After a release: what the warp does from now on bears a later time. Throws TimeIsOver.
void tick(MemoryWarp& warp);

}  // namespace bankproof::ptx
