// The accesses and barriers of the warps of a launch, in program order. From these events alone,
// without addresses and values, replay.hpp computes the time of the launch on a memory machine.
//
// An event is a byte: an access of 1 … 32 stages of the shared or of the global memory, or a
// barrier of the block.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace bankproof::ptx {

class Event {
 public:
  enum class Kind : std::uint8_t { shared, global, barrier };

  /// Requires 1 ≤ stages ≤ 32.
  static Event shared(std::uint64_t stages) { return {Kind::shared, stages}; }
  static Event global(std::uint64_t stages) { return {Kind::global, stages}; }
  static Event barrier() { return {Kind::barrier, 1}; }

  Kind kind() const { return static_cast<Kind>(byte_ >> 5U); }
  std::uint32_t stages() const { return (byte_ & 31U) + 1U; }
  bool operator==(const Event&) const = default;

 private:
  Event(Kind kind, std::uint64_t stages)
      : byte_(static_cast<std::uint8_t>(static_cast<unsigned>(kind) << 5U |
                                        (static_cast<unsigned>(stages) - 1U))) {
    assert(stages >= 1 && stages <= 32);
  }
  std::uint8_t byte_;
};

/// The events of each warp of a launch; the warps of block b begin at index b · warps_per_block.
struct LaunchEvents {
  std::uint64_t blocks = 1;
  std::uint64_t threads = 1;       // per block
  std::uint64_t shared_bytes = 0;  // per block
  std::vector<std::vector<Event>> warps;
};

}  // namespace bankproof::ptx
