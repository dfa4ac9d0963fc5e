// The bytes of one memory that the lanes of a warp touch in one access.
//
// An access has four parts: bounds (bounds.hpp), cost (cost_log.hpp), shadow (written_bytes.hpp,
// race_shadow.hpp) and bytes (storage.hpp). Each part needs only the footprint and its own state,
// but no warp and no launch, so that tests can drive each part alone. perform() puts the parts
// together.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../isa/registers.hpp"

namespace bankproof::ptx {

using LaneAddresses = std::array<std::uint64_t, warp_lanes>;

/// The values of all lanes: `Footprint::bytes` contiguous bytes for each lane.
struct alignas(slot_alignment) LaneBytes {
  static constexpr std::size_t most = 32;
  std::array<std::byte, warp_lanes * most> bytes;
};

struct Footprint {
  LaneAddresses at{};       // offsets; a lane that takes no part has the offset of an active lane
  LaneMask lanes = 0;       // the active lanes
  std::uint32_t bytes = 4;  // per lane: 1, 2, 4, 8, 16 or 32
  bool reads = false;       // an atomic operation reads and writes
  bool writes = false;
  bool contiguous = false;        // all lanes take part, and their bytes are contiguous
  bool rows_of_matrices = false;  // eight lanes are one access (matrix_words.hpp)
};

/// The first lane of `lanes`, which is not empty.
inline std::uint32_t first_of(LaneMask lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

/// Gives each lane outside of `lanes` the offset of the first lane in `lanes`, which is not empty.
inline void fill_inactive(LaneAddresses& at, LaneMask lanes) {
  if (lanes == all_lanes) return;
  const std::uint64_t first = at[first_of(lanes)];
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if ((lanes >> lane & 1U) == 0) at[lane] = first;
  }
}

/// The offsets of a row: lane l has begin + l * bytes.
inline LaneAddresses row_addresses(std::uint64_t begin, std::uint32_t bytes) {
  LaneAddresses at;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    at[lane] = begin + std::uint64_t{lane} * bytes;
  }
  return at;
}

/// Whether all lanes take part, and their bytes are contiguous.
inline bool is_contiguous(const Footprint& touched) {
  if (touched.lanes != all_lanes) return false;
  std::uint64_t difference = 0;
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    difference |= touched.at[lane] ^ (touched.at[0] + lane * touched.bytes);
  }
  return difference == 0;
}

}  // namespace bankproof::ptx
