// Moves values between registers and contiguous bytes.
#include <cstring>
#include <type_traits>

#include "steps.hpp"

namespace bankproof::ptx {
namespace {

template <class Element, class Lane>
void load_lanes(const std::byte* from, std::size_t stride, Lane* to, LaneMask lanes) {
  const auto load = [&](std::uint32_t lane, std::size_t distance) {
    Element value;
    std::memcpy(&value, from + lane * distance, sizeof value);
    // Widens the value to 64 bits first, with its sign if Element is signed.
    using Wide = std::conditional_t<std::is_signed_v<Element>, std::int64_t, std::uint64_t>;
    to[lane] = static_cast<Lane>(Wide{value});
  };
  if (lanes == all_lanes && stride == sizeof(Element)) {
    for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) load(lane, sizeof(Element));
  } else {
    each_lane(lanes, [&](std::uint32_t lane) { load(lane, stride); });
  }
}

template <class Lane>
void load_widened(const Access& access, const std::byte* from, std::size_t stride, Lane* to,
                  LaneMask lanes) {
  const bool sign = access.sign_extended;
  switch (access.element_bytes) {
    case 1:
      return sign ? load_lanes<std::int8_t>(from, stride, to, lanes)
                  : load_lanes<std::uint8_t>(from, stride, to, lanes);
    case 2:
      return sign ? load_lanes<std::int16_t>(from, stride, to, lanes)
                  : load_lanes<std::uint16_t>(from, stride, to, lanes);
    case 4:
      return sign ? load_lanes<std::int32_t>(from, stride, to, lanes)
                  : load_lanes<std::uint32_t>(from, stride, to, lanes);
    default:
      return load_lanes<std::uint64_t>(from, stride, to, lanes);
  }
}

/// Registers of b8 are kept in lanes of 16 bits, zero-extended.
void copy_in(const Access& access, LaneType type, const std::byte* from, std::size_t stride,
             std::byte* to, LaneMask lanes) {
  switch (type) {
    case LaneType::b16:
      return load_widened(access, from, stride, reinterpret_cast<std::uint16_t*>(to), lanes);
    case LaneType::predicate:
    case LaneType::b32:
      return load_widened(access, from, stride, reinterpret_cast<std::uint32_t*>(to), lanes);
    case LaneType::b64:
      return load_widened(access, from, stride, reinterpret_cast<std::uint64_t*>(to), lanes);
    case LaneType::b128:
      break;
  }
  each_lane(lanes, [&](std::uint32_t lane) {
    std::memcpy(to + lane * lane_bytes(LaneType::b128), from + lane * stride, access.element_bytes);
  });
}

template <std::uint32_t bytes>
void cut_lanes(const std::byte* from, std::size_t lane, std::byte* to, std::size_t stride) {
  const auto cut = [&](std::size_t from_stride, std::size_t to_stride) {
    for (std::size_t k = 0; k < warp_lanes; ++k) {
      std::memcpy(to + k * to_stride, from + k * from_stride, bytes);
    }
  };
  // The compiler vectorizes the usual case, for which it knows the strides.
  constexpr std::size_t twice = std::size_t{2} * bytes;
  if (lane == twice && stride == bytes) {
    cut(twice, bytes);
  } else {
    cut(lane, stride);
  }
}

}  // namespace

void write_registers(const Request& request, std::size_t count, LaneMask lanes) {
  const MemoryOperands& operands = request.operands;
  const Access& access = operands.access;
  for (std::size_t k = 0; k < count; ++k) {
    if (operands.values[k] == no_slot) continue;
    std::byte* to = request.warp.frame + operands.values[k];
    const std::byte* from = request.values.bytes.data() + k * access.element_bytes;
    if (lanes == all_lanes && count == 1 && lane_bytes(operands.type) == access.element_bytes) {
      std::memcpy(to, from, std::size_t{warp_lanes} * access.element_bytes);
    } else {
      copy_in(access, operands.type, from, request.bytes, to, lanes);
    }
  }
}

void read_registers(Request& request) {
  const MemoryOperands& operands = request.operands;
  const std::uint32_t bytes = operands.access.element_bytes;
  const std::size_t lane = lane_bytes(operands.type);
  for (std::size_t k = 0; k < operands.access.vector; ++k) {
    const std::byte* from = request.warp.frame + operands.values[k];
    std::byte* to = request.values.bytes.data() + k * bytes;
    if (lane == bytes && request.bytes == bytes) {
      std::memcpy(to, from, warp_lanes * lane);
      continue;
    }
    switch (bytes) {
      case 1:
        cut_lanes<1>(from, lane, to, request.bytes);
        break;
      case 2:
        cut_lanes<2>(from, lane, to, request.bytes);
        break;
      case 4:
        cut_lanes<4>(from, lane, to, request.bytes);
        break;
      case 8:
        cut_lanes<8>(from, lane, to, request.bytes);
        break;
      default:
        cut_lanes<16>(from, lane, to, request.bytes);
        break;
    }
  }
}

}  // namespace bankproof::ptx
