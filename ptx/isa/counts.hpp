// The costs of one instruction's accesses, summed over all warps that executed it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "faults.hpp"
#include "registers.hpp"

namespace bankproof::ptx {

/// One access of a warp, kept for a picture. The address of a lane is the first byte of its
/// element, counted from the start of shared memory or of the buffer.
struct AccessPicture {
  ThreadName warp;  // the first thread of the warp
  LaneMask lanes = 0;
  std::uint32_t element_bytes = 0;
  std::uint32_t buffer = 0;  // for global memory
  std::array<std::uint64_t, warp_lanes> addresses{};
  std::uint64_t excess = 0;
};

/// Sums over all accesses of one instruction (or of one source line).
struct AccessCounts {
  std::uint64_t accesses = 0;  // accesses with at least one active lane
  std::uint64_t lanes = 0;     // active lanes of these accesses
  // Shared memory: wavefronts by the machine's rules.
  std::uint64_t wavefronts = 0;
  std::uint64_t ideal_wavefronts = 0;
  // Global memory: lines of 128 bytes (on hmm, address groups) and sectors of 32 bytes.
  std::uint64_t lines = 0;
  std::uint64_t ideal_lines = 0;
  std::uint64_t sectors = 0;
  std::uint64_t ideal_sectors = 0;
  // The access with the largest excess. Of several, the first by launch, block and thread.
  std::optional<AccessPicture> worst_shared;
  std::optional<AccessPicture> worst_global;

  void add(const AccessCounts& other) {
    accesses += other.accesses;
    lanes += other.lanes;
    wavefronts += other.wavefronts;
    ideal_wavefronts += other.ideal_wavefronts;
    lines += other.lines;
    ideal_lines += other.ideal_lines;
    sectors += other.sectors;
    ideal_sectors += other.ideal_sectors;
    keep_worse(worst_shared, other.worst_shared);
    keep_worse(worst_global, other.worst_global);
  }

  static void keep_worse(std::optional<AccessPicture>& mine,
                         const std::optional<AccessPicture>& theirs) {
    if (!theirs) return;
    if (!mine || theirs->excess > mine->excess ||
        (theirs->excess == mine->excess && theirs->warp < mine->warp)) {
      mine = theirs;
    }
  }
};

}  // namespace bankproof::ptx
