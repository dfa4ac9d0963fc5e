// What one lane knows and publishes; barriers and fences are in warp_memory.hpp.
#pragma once

#include <stdexcept>

#include "../races/judge.hpp"
#include "warp_memory.hpp"

namespace bankproof::ptx {

/// The warp as it looks at records of shared or of global memory.
Viewer viewer_of(const MemoryWarp& warp, bool shared);

/// What a strong write of the lane publishes: what happened before it (of a release), or before the
/// lane's last fence. Requires a launch that is precise.
Publication publication_of(const MemoryWarp& warp, std::uint32_t lane, bool release, Scope scope);

/// The lane has read, strongly, what was published; null: nothing. With `acquire` it knows it from
/// now on, else from its next fence on.
void observe(MemoryWarp& warp, std::uint32_t lane, const Publication* seen, bool acquire,
             Scope scope);

/// A warp has synchronized more often than clocks can count.
struct TimeIsOver : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// After a release: what the warp does from now on bears a later time. Throws TimeIsOver.
void tick(MemoryWarp& warp);

}  // namespace bankproof::ptx
