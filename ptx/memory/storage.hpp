// Storage: the bytes of one memory, and how the lanes of a warp load and store them.
//
// Storage knows values only. The caller has checked the bounds; shadow and cost are other parts.
#pragma once

#include <cstring>

#include "footprint.hpp"

namespace bankproof::ptx {

struct Storage {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;  // for local memory, the bytes of one lane
};

/// The value of one lane.
inline std::byte* value_of(LaneBytes& values, std::uint32_t lane, std::uint32_t bytes) {
  return values.bytes.data() + std::size_t{lane} * bytes;
}
inline const std::byte* value_of(const LaneBytes& values, std::uint32_t lane, std::uint32_t bytes) {
  return values.bytes.data() + std::size_t{lane} * bytes;
}

/// Copies the bytes of the active lanes from `data` to their values.
void load_bytes(const std::byte* data, const Footprint& touched, LaneBytes& values);

/// Copies the values of the active lanes to `data`, lane after lane. Returns 0 if no byte changed.
/// Otherwise returns the number of lanes that changed a byte or, if the lanes are contiguous, 1.
std::uint64_t store_bytes(std::byte* data, const Footprint& touched, const LaneBytes& values);

/// Sets the values of these lanes to zero.
void clear_values(LaneBytes& values, LaneMask lanes, std::uint32_t bytes);

/// Calls `visit(lane, before)` for each two lanes of a store that write different values to the
/// same offset; `before` is the lower lane.
template <class Visit>
void each_collision(const Footprint& touched, const LaneBytes& values, const Visit& visit) {
  each_lane(touched.lanes, [&](std::uint32_t lane) {
    each_lane(touched.lanes & ((LaneMask{1} << lane) - 1), [&](std::uint32_t before) {
      const std::uint32_t bytes = touched.bytes;
      if (touched.at[lane] == touched.at[before] &&
          std::memcmp(value_of(values, lane, bytes), value_of(values, before, bytes), bytes) != 0) {
        visit(lane, before);
      }
    });
  });
}

}  // namespace bankproof::ptx
