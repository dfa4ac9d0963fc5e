// What a thread knows of others: which of their accesses happened before its next one.
//
// A warp counts those of its events that others can wait for: barriers, fences, releases. An access
// bears the tick, the count at which it was made. Thread t knows thread u up to tick E if all that
// u did at ticks up to E happened before what t does next.
//
// Most of that knowledge has three cheap forms: all of the launches before, all that the block's
// warps did up to its last full barrier, and all that the own warp did up to its last full barrier.
// What comes by acquire patterns and by barriers of some threads is a Clock: a map from threads to
// ticks that shares structure, since a chain of blocks that look back at one another hands on what
// all blocks before it did.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "../isa/registers.hpp"

namespace bankproof::ptx {

/// Warps are numbered over all launches, from 1 on; a record of an access has 26 bits for it.
using WarpNumber = std::uint32_t;
/// Of a warp, from 1 on; 22 bits.
using Tick = std::uint32_t;

inline constexpr WarpNumber most_warps = (WarpNumber{1} << 26) - 1;
inline constexpr Tick latest_tick = (Tick{1} << 22) - 1;

/// Up to when each lane of a warp is known.
using LaneTicks = std::array<Tick, warp_lanes>;

/// An immutable map from warps to LaneTicks; empty by default. Copies are cheap.
class Clock {
 public:
  Clock() = default;
  /// Knows one warp.
  Clock(WarpNumber warp, const LaneTicks& ticks);

  /// 0 if nothing is known.
  Tick of(WarpNumber warp, std::uint32_t lane) const;
  /// The least of all lanes.
  Tick of_all_lanes(WarpNumber warp) const;
  bool empty() const { return root_ == nullptr; }

  /// What either knows. Takes time for where they differ, not for what they share.
  Clock joined(const Clock& other) const;
  /// Whether they are one object, which implies that they are equal.
  bool same(const Clock& other) const { return root_ == other.root_; }

  struct Node;

 private:
  explicit Clock(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace bankproof::ptx
