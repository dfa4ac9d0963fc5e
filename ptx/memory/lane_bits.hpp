// The lanes of a small row as bits: which words, sectors and lines they touch. Lane l accesses
// `bytes` bytes from begin + l * bytes on, if it is one of `lanes`.
#pragma once

#include <bit>
#include <cstdint>

#include "../races/sector_record.hpp"
#include "footprint.hpp"

namespace bankproof::ptx {

struct LaneBits {
  std::uint64_t begin = 0;  // of lane 0, even if it takes no part; a multiple of `bytes`
  std::uint32_t bytes = 1;  // 1, 2 or 4
  LaneMask lanes = 0;       // at least one

  /// The bytes from the first lane to the last: [from, to).
  std::uint64_t from() const { return begin + std::uint64_t{first_of(lanes)} * bytes; }
  std::uint64_t to() const {
    return begin + static_cast<std::uint64_t>(32 - std::countl_zero(lanes)) * bytes;
  }
  /// Whether the row is in a memory of `size` bytes, and would be with lanes from 0 on.
  bool is_within(std::uint64_t size) const {
    return begin % bytes == 0 && begin <= size && size - begin >= to() - begin;
  }

  // ---- The k-th sector that lanes of 0 to 31 would touch

  std::uint64_t first_sector() const { return begin / sector_bytes; }
  std::uint32_t sectors() const {
    return (before() + warp_lanes + lanes_of_sector() - 1) / lanes_of_sector();
  }
  LaneMask lanes_in(std::uint32_t k) const {
    return static_cast<LaneMask>(std::uint64_t{part(k)} << (k * lanes_of_sector()) >> before());
  }
  /// The words that any lane touches, and those that lanes touch in whole.
  WordMask words(std::uint32_t k) const { return any_of_word(part(k)); }
  WordMask whole_words(std::uint32_t k) const { return ~any_of_word(~part(k)) & all_words; }
  /// The lane whose element would be the first of the sector, modulo 32.
  std::uint32_t first_lane(std::uint32_t k) const {
    return (k * lanes_of_sector() - before()) % warp_lanes;
  }

  /// How many sectors and lines of 128 bytes the lanes touch.
  std::uint32_t touched_sectors() const {
    std::uint32_t count = 0;
    for (std::uint32_t k = 0; k < sectors(); ++k) count += part(k) != 0 ? 1U : 0U;
    return count;
  }
  std::uint32_t touched_lines() const {
    constexpr std::uint32_t line_bytes = 128;
    const auto in_first = static_cast<std::uint32_t>((line_bytes - begin % line_bytes) / bytes);
    if (in_first >= warp_lanes) return 1;
    const LaneMask next = lanes >> in_first;
    return (next != 0 ? 1U : 0U) + ((next << in_first) != lanes ? 1U : 0U);
  }

 private:
  std::uint32_t lanes_of_sector() const { return sector_bytes / bytes; }
  /// How many elements of the first sector come before lane 0.
  std::uint32_t before() const { return static_cast<std::uint32_t>(begin % sector_bytes / bytes); }
  /// The elements of the k-th sector that lanes access, as bits.
  std::uint32_t part(std::uint32_t k) const {
    const std::uint64_t all = std::uint64_t{lanes} << before() >> (k * lanes_of_sector());
    return static_cast<std::uint32_t>(all & ((std::uint64_t{1} << lanes_of_sector()) - 1));
  }
  /// The words of which some element is in `part`.
  WordMask any_of_word(std::uint32_t part) const {
    if (bytes == 4) return part & all_words;
    if (bytes == 2) {
      part = (part | part >> 1) & 0x5555U;
      part = (part | part >> 1) & 0x3333U;
      part = (part | part >> 2) & 0x0F0FU;
      return (part | part >> 4) & all_words;
    }
    part = (part | part >> 1 | part >> 2 | part >> 3) & 0x11111111U;
    part = (part | part >> 3) & 0x03030303U;
    part = (part | part >> 6) & 0x000F000FU;
    return (part | part >> 12) & all_words;
  }
};

}  // namespace bankproof::ptx
