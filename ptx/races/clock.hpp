// What a thread knows of other threads: which of their accesses happened before its next access.
//
// A warp counts its events for which others can wait: barriers, fences, releases. The count at
// which an access was made is its tick, or epoch. Thread t knows thread u up to tick E if all that
// u did at ticks up to E happened before what t does next.
//
// Most of this knowledge has three cheap forms: all earlier launches, all that the block's warps
// did up to its last full barrier, and all that the own warp did up to its last full barrier.
// Acquire patterns and barriers of some threads give the rest, which is a Clock: a map from threads
// to ticks. Clocks share structure, since in a chain of blocks that look back at one another, each
// block hands on what all blocks before it did.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "../isa/registers.hpp"

namespace bankproof::ptx {

/// Warps are numbered over all launches, from 1 on; a record of an access has 26 bits for it.
using WarpNumber = std::uint32_t;
/// The epoch of a warp, from 1 on; 22 bits.
using Tick = std::uint32_t;

inline constexpr WarpNumber most_warps = (WarpNumber{1} << 26) - 1;
inline constexpr Tick latest_tick = (Tick{1} << 22) - 1;

/// For each lane of a warp, the tick up to which it is known.
using LaneTicks = std::array<Tick, warp_lanes>;

/// An immutable map from warps to LaneTicks; empty by default. Copies are cheap.
class Clock {
 public:
  Clock() = default;
  /// Knows one warp.
  Clock(WarpNumber warp, const LaneTicks& ticks);

  /// 0 if nothing is known.
  Tick of(WarpNumber warp, std::uint32_t lane) const;
  /// The least tick of all lanes.
  Tick of_all_lanes(WarpNumber warp) const;
  bool empty() const { return root_ == nullptr; }

  /// What either clock knows. The time depends on where they differ, not on what they share.
  Clock joined(const Clock& other) const;
  /// Whether they are one object, which implies that they are equal.
  bool same(const Clock& other) const { return root_ == other.root_; }

  struct Node;

 private:
  explicit Clock(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace bankproof::ptx
