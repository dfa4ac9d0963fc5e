// Moves bytes with sizes that the compiler knows; see storage.hpp.
#include "storage.hpp"

#include <type_traits>

namespace bankproof::ptx {
namespace {

/// Calls `move(size)` with `bytes` as a constant, since a copy of a constant size compiles to a
/// single move.
template <class Move>
auto with_size(std::uint32_t bytes, const Move& move) {
  switch (bytes) {
    case 1:
      return move(std::integral_constant<std::size_t, 1>{});
    case 2:
      return move(std::integral_constant<std::size_t, 2>{});
    case 4:
      return move(std::integral_constant<std::size_t, 4>{});
    case 8:
      return move(std::integral_constant<std::size_t, 8>{});
    case 16:
      return move(std::integral_constant<std::size_t, 16>{});
    default:
      return move(std::integral_constant<std::size_t, 32>{});
  }
}

}  // namespace

void load_bytes(const std::byte* data, const Footprint& touched, LaneBytes& values) {
  std::byte* const to = values.bytes.data();
  if (touched.contiguous) {
    std::memcpy(to, data + touched.at[0], std::size_t{warp_lanes} * touched.bytes);
    return;
  }
  with_size(touched.bytes, [&](auto size) {
    each_lane(touched.lanes, [&](std::uint32_t lane) {
      std::memcpy(to + lane * size, data + touched.at[lane], size);
    });
  });
}

std::uint64_t store_bytes(std::byte* data, const Footprint& touched, const LaneBytes& values) {
  const std::byte* const from = values.bytes.data();
  if (touched.contiguous) {
    const std::size_t size = std::size_t{warp_lanes} * touched.bytes;
    std::byte* const to = data + touched.at[0];
    const bool changes = std::memcmp(to, from, size) != 0;
    std::memcpy(to, from, size);
    return changes ? 1 : 0;
  }
  return with_size(touched.bytes, [&](auto size) {
    std::uint64_t changes = 0;
    each_lane(touched.lanes, [&](std::uint32_t lane) {
      std::byte* const to = data + touched.at[lane];
      changes += std::memcmp(to, from + lane * size, size) != 0;
      std::memcpy(to, from + lane * size, size);
    });
    return changes;
  });
}

void clear_values(LaneBytes& values, LaneMask lanes, std::uint32_t bytes) {
  each_lane(lanes,
            [&](std::uint32_t lane) { std::memset(value_of(values, lane, bytes), 0, bytes); });
}

}  // namespace bankproof::ptx
