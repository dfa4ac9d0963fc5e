// Whether a whole memory was written; see written_bytes.hpp.
#include "written_bytes.hpp"

#include <algorithm>

namespace bankproof::ptx {

bool WrittenBytes::whole(std::uint64_t bytes) const {
  const auto full = bits_.begin() + static_cast<std::ptrdiff_t>(bytes / 8);
  const bool all = std::all_of(bits_.begin(), full, [](std::uint8_t bits) { return bits == 0xFF; });
  return all && (bytes % 8 == 0 || *full == (1U << bytes % 8) - 1U);
}

}  // namespace bankproof::ptx
