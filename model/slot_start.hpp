// The slots of DMMs in which blocks may begin, in the order in which they take blocks
// (docs/model.md, rule 8).
#pragma once

#include <cstdint>
#include <tuple>

#include "units.hpp"

namespace bankproof {

/// A DMM's slot becomes free, or is free at the beginning. `turn` is the number of blocks that
/// began and ended in the slot at this very time. Slots with a smaller turn go first. So if
/// several slots become free at one time, no slot takes a second block before each of them has
/// taken a block.
struct SlotStart {
  Time time;
  std::uint64_t turn;
  std::uint64_t dmm;
  std::uint64_t slot;
  friend bool operator>(const SlotStart& a, const SlotStart& b) {
    return std::tie(a.time, a.turn, a.dmm, a.slot) > std::tie(b.time, b.turn, b.dmm, b.slot);
  }
};

}  // namespace bankproof
