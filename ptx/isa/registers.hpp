// Registers of a warp: 32 lanes each.
//
// The registers of one function call form a frame, a block of memory. Each register is a slot of
// the frame: its 32 lanes in sequence, from an offset that is a multiple of 64 bytes. A lane of a
// predicate is a 32-bit word of all zeros or all ones, which serves as a mask. Immediates and
// special registers are slots too, filled before the first instruction.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace bankproof::ptx {

/// The threads of a warp, on every chip that runs PTX.
inline constexpr std::uint32_t warp_lanes = 32;

/// Bit i stands for lane i.
using LaneMask = std::uint32_t;
inline constexpr LaneMask all_lanes = ~LaneMask{0};

/// Calls `visit(lane)` for each lane of the mask.
template <class Visit>
constexpr void each_lane(LaneMask lanes, const Visit& visit) {
  for (; lanes != 0; lanes &= lanes - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(lanes)));
  }
}

/// The byte at which a register begins in its frame.
using Slot = std::uint32_t;
inline constexpr Slot no_slot = ~Slot{0};
inline constexpr std::size_t slot_alignment = 64;

/// The types of one lane of a register. Registers of 8 bits are kept in 16, zero-extended.
enum class LaneType : std::uint8_t { predicate, b16, b32, b64, b128 };

constexpr std::size_t lane_bytes(LaneType type) {
  switch (type) {
    case LaneType::b16:
      return 2;
    case LaneType::predicate:
    case LaneType::b32:
      return 4;
    case LaneType::b64:
      return 8;
    case LaneType::b128:
      break;
  }
  return 16;
}

/// Bytes of a slot: 32 lanes, a multiple of slot_alignment.
constexpr std::size_t slot_bytes(LaneType type) { return warp_lanes * lane_bytes(type); }

}  // namespace bankproof::ptx
