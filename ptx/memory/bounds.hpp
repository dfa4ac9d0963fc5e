// Bounds: which lanes of an access touch bytes that exist and are aligned.
//
// The bytes of a lane must lie in the memory, and their offset must be a multiple of their number.
// Example: a memory of 64 bytes does not have 4 bytes at offset 62. A lane that accesses them
// counts as outside, although its offset is also misaligned.
#pragma once

#include "footprint.hpp"

namespace bankproof::ptx {

/// Lanes that cannot be served; no lane is in both masks.
struct OutOfBounds {
  LaneMask outside = 0;
  LaneMask misaligned = 0;
  LaneMask lanes() const { return outside | misaligned; }
};

/// Whether the bytes of every lane are aligned and lie in a memory of `size` bytes. Nearly all
/// accesses pass this check, so it has no branch.
inline bool all_in_bounds(const Footprint& touched, std::uint64_t size) {
  // Unsigned: a negative offset becomes a huge one, which is also out of bounds.
  std::uint64_t wrong = size < touched.bytes;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    const std::uint64_t at = touched.at[lane];
    wrong |= (at | (size - touched.bytes - at)) >> 63 | (at & (touched.bytes - 1));
  }
  return wrong == 0;
}

/// The active lanes whose bytes a memory of `size` bytes cannot serve.
inline OutOfBounds out_of_bounds(const Footprint& touched, std::uint64_t size) {
  OutOfBounds wrong;
  each_lane(touched.lanes, [&](std::uint32_t lane) {
    const std::uint64_t at = touched.at[lane];
    if (at > size || size - at < touched.bytes) {
      wrong.outside |= LaneMask{1} << lane;
    } else if (at % touched.bytes != 0) {
      wrong.misaligned |= LaneMask{1} << lane;
    }
  });
  return wrong;
}

}  // namespace bankproof::ptx
