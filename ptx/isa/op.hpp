// A decoded instruction, and the state of a warp that every instruction sees.
//
// An instruction is decoded once into an operation: the function that executes the instruction for
// a warp, and the slots of its operands. The function returns the next operation, so that a warp
// runs by `while (op != nullptr) op = op->step(warp, op);`. Null means that the warp stops for now:
// it waits, its time slice is over, or it has ended.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "registers.hpp"

namespace bankproof::ptx {

struct Op;

/// lane_bits[lane] is the mask of one lane. Loops that split or build masks read this table instead
/// of shifting, because not every processor has a vector shift by the lane number.
inline constexpr std::array<LaneMask, warp_lanes> lane_bits = [] {
  std::array<LaneMask, warp_lanes> bits{};
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) bits[lane] = LaneMask{1} << lane;
  return bits;
}();

/// What arithmetic sees of a warp: the frame of the running call, and the lanes that run it. The
/// machine's own warp derives from this struct.
struct WarpState {
  std::byte* frame = nullptr;  // aligned to slot_alignment
  LaneMask active = 0;
  // The same mask with a word per lane: all ones for an active lane, else zero.
  alignas(slot_alignment) std::array<std::uint32_t, warp_lanes> active_lanes{};

  void activate(LaneMask lanes) {
    active = lanes;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      active_lanes[lane] = (lanes & lane_bits[lane]) != 0 ? all_lanes : 0;
    }
  }

  /// The 32 lanes of a register.
  template <class T>
  T* lanes(Slot slot) const {
    return reinterpret_cast<T*>(std::assume_aligned<slot_alignment>(frame + slot));
  }
};

using Step = const Op* (*)(WarpState&, const Op*);

struct Op {
  Step step = nullptr;
  std::array<Slot, 4> d{no_slot, no_slot, no_slot, no_slot};           // destinations
  std::array<Slot, 5> s{no_slot, no_slot, no_slot, no_slot, no_slot};  // sources
  Slot guard = no_slot;                                                // a predicate
  bool guard_negated = false;
  std::uint32_t site = 0;        // the instruction, in the program's list of sites
  std::int64_t immediate = 0;    // the offset of an address
  const void* detail = nullptr;  // for memory, warps and control; not owned
};

/// The active lanes whose guard holds.
inline LaneMask guarded_lanes(const WarpState& warp, const Op* op) {
  if (op->guard == no_slot) return warp.active;
  const auto* predicate = warp.lanes<const std::uint32_t>(op->guard);
  LaneMask mask = 0;
  for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
    mask |= predicate[lane] & lane_bits[lane];
  }
  return warp.active & (op->guard_negated ? ~mask : mask);
}

}  // namespace bankproof::ptx
