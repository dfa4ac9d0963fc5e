// Finds bytes that were not written; see written_bytes.hpp.
#include "written_bytes.hpp"

#include <algorithm>
#include <bit>

namespace bankproof::ptx {

std::uint64_t WrittenBytes::first_missing(std::uint64_t bytes) const {
  const auto found =
      std::find_if(bits_.begin(), bits_.end(), [](std::uint8_t bits) { return bits != 0xFF; });
  if (found == bits_.end()) return bytes;
  const auto at = static_cast<std::uint64_t>(found - bits_.begin()) * 8 +
                  static_cast<std::uint64_t>(std::countr_one(*found));
  return std::min(at, bytes);
}

bool WrittenBytes::set_range(std::uint64_t begin, std::uint64_t end) {
  bool adds = false;
  const auto set_each = [&](std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t at = from; at < to; ++at) {
      adds = adds || !all(at, 1);
      set(at, 1);
    }
  };
  // The range fills whole elements of bits_ from `inner` to `last`.
  const std::uint64_t inner = std::min(end, (begin + 7) / 8 * 8);
  const std::uint64_t last = std::max(inner, end / 8 * 8);
  set_each(begin, inner);
  std::uint8_t* const first = bits_.data() + inner / 8;
  std::uint8_t* const behind = bits_.data() + last / 8;
  adds = adds || std::any_of(first, behind, [](std::uint8_t bits) { return bits != 0xFF; });
  std::fill(first, behind, std::uint8_t{0xFF});
  set_each(last, end);
  return adds;
}

}  // namespace bankproof::ptx
