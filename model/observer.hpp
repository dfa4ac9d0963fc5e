// The events that a machine reports to its observers. The machine only emits events and never
// prints; without observers it spends nothing on them.
//
// Accesses are reported in the order in which they take effect. A block's beginning, barriers and
// end are reported before, between and after its accesses. The times of events of different blocks
// may interleave: the simulation runs a warp's program as soon as its access is dispatched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "access.hpp"
#include "memory.hpp"
#include "warp.hpp"

namespace bankproof {

/// A launch begins or ends.
struct LaunchEvent {
  const Launch& launch;
  std::uint64_t number;  ///< among the machine's launches, from 0
  Time time;
};

/// A block begins or ends, or its barrier opens; `block.phase` counts the barriers passed.
struct BlockEvent {
  const BlockState& block;
  Time time;
};

/// An access is dispatched. The access takes effect after the observers have seen it.
struct AccessEvent {
  const Access& access;
  const Warp& warp;
  const std::string& machine;
  Time time;  ///< the time of the first stage of the access
  std::uint64_t stages;
  Time completion;  ///< time + stages + latency − 1; in lockstep the round may last longer

  const ArrayBase& array() const { return *access.array; }
  const Memory& memory() const { return access.array->memory(); }
  bool is_write() const { return access.operation == Operation::write; }
  Address index(Width lane) const { return access.index[lane]; }

  /// The place of a fault in this access, or in the request of one of its threads.
  Place place(std::optional<Width> lane = std::nullopt) const {
    return place_of(warp, machine, lane);
  }
  static Place place_of(const Warp& warp, const std::string& machine,
                        std::optional<Width> lane = std::nullopt) {
    const Launch& launch = *warp.block_state().shape;
    return {machine,
            launch.name,
            launch.reproduce,
            warp.block(),
            warp.index(),
            lane,
            warp.rounds == 0 ? 0 : warp.rounds - 1};
  }
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void launch_begins(const LaunchEvent&) {}
  virtual void launch_ends(const LaunchEvent&) {}
  virtual void block_begins(const BlockEvent&) {}
  virtual void block_ends(const BlockEvent&) {}
  virtual void barrier_opens(const BlockEvent&) {}
  virtual void accessed(const AccessEvent&) {}
  /// All elements of the array are uninitialized from now on.
  virtual void forgotten(const ArrayBase&) {}
};

}  // namespace bankproof
