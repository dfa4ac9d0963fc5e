// The meaning of generic addresses (PTX ISA, "Generic Addressing").
//
// A generic address has 64 bits. Shared, local, constant and parameter memory are windows of 2^32
// bytes. Buffer k of global memory begins at (k + 1) · 2^36, so that an address a little outside of
// a buffer belongs to no other buffer. An address in global memory is a generic address; an address
// in any other space is the offset in the space's window.
#pragma once

#include <cstdint>

#include "../syntax/syntax.hpp"

namespace bankproof::ptx {

inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 32;
inline constexpr int buffer_shift = 36;
inline constexpr std::uint64_t most_buffer_bytes = std::uint64_t{1} << buffer_shift;

/// The address at which the window of a space begins; 0 for global memory, whose addresses are
/// generic.
constexpr std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return window_bytes;
    case Space::local:
      return 2 * window_bytes;
    case Space::constant:
      return 3 * window_bytes;
    case Space::param:
      return 4 * window_bytes;
    case Space::global:
      break;
  }
  return 0;
}

/// cvta.space, and its inverse cvta.to.space. If an address is outside of the space's window, so is
/// the converted address.
constexpr std::uint64_t generic_address(Space space, std::uint64_t offset) {
  return offset + window_of(space);
}
constexpr std::uint64_t address_in(Space space, std::uint64_t generic) {
  return generic - window_of(space);
}

/// The space of a generic address, as isspacep reports it: an address outside of all windows is
/// global.
constexpr Space space_of(std::uint64_t generic) {
  switch (generic / window_bytes) {
    case 1:
      return Space::shared;
    case 2:
      return Space::local;
    case 3:
      return Space::constant;
    case 4:
      return Space::param;
    default:
      return Space::global;
  }
}

/// The address at which buffer `index` begins.
constexpr std::uint64_t buffer_address(std::uint32_t index) {
  return (std::uint64_t{index} + 1) << buffer_shift;
}

}  // namespace bankproof::ptx
