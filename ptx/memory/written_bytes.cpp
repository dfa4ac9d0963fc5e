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

}  // namespace bankproof::ptx
