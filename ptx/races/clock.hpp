// Clocks: a thread's knowledge of the accesses of other threads that happened before its next
// access.
//
// A warp counts its events that other warps can wait for: barriers, fences, releases. The count at
// the time of an access is the epoch of the access. Thread t knows thread u up to epoch E
// if everything that u did at epochs up to E happened before what t does next.
//
// Most of this knowledge needs no Clock: a thread knows all earlier launches, all that the warps of
// its block did up to the block's last full barrier, and all that its own warp did up to the warp's
// last full barrier. The knowledge from acquire patterns and from barriers of some threads is a
// Clock, a map from threads to epochs. Clocks share their parts: in a chain of blocks that look
// back at one another, each block passes on all that it knows of the blocks before it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "../isa/registers.hpp"

namespace bankproof::ptx {

/// The number of a warp, counted from 1 over all launches. It has 26 bits in a record of an access.
using WarpNumber = std::uint32_t;
/// The epoch of a warp, from 1 on; 22 bits.
using Epoch = std::uint32_t;

inline constexpr WarpNumber most_warps = (WarpNumber{1} << 26) - 1;
inline constexpr Epoch latest_epoch = (Epoch{1} << 22) - 1;

/// For each lane of a warp, the epoch up to which the lane is known.
using LaneEpochs = std::array<Epoch, warp_lanes>;

/// An immutable map from warps to LaneEpochs; empty by default. Copies are cheap.
class Clock {
 public:
  Clock() = default;
  /// Knows one warp.
  Clock(WarpNumber warp, const LaneEpochs& epochs);
  /// Knows all that the warps from `first` to the one before `end` ever did.
  static Clock of_warps(WarpNumber first, WarpNumber end);

  /// 0 if nothing is known.
  Epoch of(WarpNumber warp, std::uint32_t lane) const;
  /// The least of the epochs of all lanes of the warp.
  Epoch of_all_lanes(WarpNumber warp) const;
  bool empty() const { return root_ == nullptr; }

  /// Everything that at least one of the two clocks knows. The running time depends on the parts in
  /// which the clocks differ, not on the parts that they share.
  Clock joined(const Clock& other) const;
  /// Whether both clocks are one object; then they are equal.
  bool same(const Clock& other) const { return root_ == other.root_; }

  struct Node;

 private:
  explicit Clock(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace bankproof::ptx
