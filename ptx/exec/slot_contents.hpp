// The contents of some slots of a frame. A call gets these alone: most slots of a large function
// have nothing to begin with.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../isa/op.hpp"
#include "../isa/registers.hpp"

namespace bankproof::ptx {

/// Slots of a frame that follow one another.
struct SlotRange {
  Slot slot = no_slot;
  std::size_t bytes = 0;
};

class SlotContents {
 public:
  /// Adds a slot; `bits_of(lane)` gives the bits of a lane.
  template <class BitsOf>
  void add_lanes(Slot slot, LaneType type, const BitsOf& bits_of) {
    const std::size_t each = lane_bytes(type);
    if (ranges_.empty() || ranges_.back().slot + ranges_.back().bytes != slot) {
      ranges_.push_back({slot, 0});
    }
    ranges_.back().bytes += warp_lanes * each;
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const std::uint64_t bits = bits_of(lane);
      const auto* const from = reinterpret_cast<const std::byte*>(&bits);
      const std::size_t some = std::min(each, sizeof bits);
      bytes_.insert(bytes_.end(), from, from + some);
      bytes_.resize(bytes_.size() + each - some);  // the upper half of 128 bits
    }
  }
  void add(Slot slot, LaneType type, std::uint64_t bits) {
    add_lanes(slot, type, [bits](std::uint32_t /*lane*/) { return bits; });
  }

  void copy_to(std::byte* frame) const {
    const std::byte* from = bytes_.data();
    for (const SlotRange& range : ranges_) {
      std::memcpy(frame + range.slot, from, range.bytes);
      from += range.bytes;
    }
  }

 private:
  std::vector<SlotRange> ranges_;
  std::vector<std::byte> bytes_;  // of all ranges
};

}  // namespace bankproof::ptx
