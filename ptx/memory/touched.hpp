// The bytes of a buffer that launches touched: what another operation of the host's program may
// race with.
//
// The shadow keeps the last write and the last reads of each word. So the answer is about the
// latest launches: an earlier access of the same kind, to the same bytes, is not in it.
#pragma once

#include <cstdint>
#include <vector>

#include "buffers.hpp"

namespace bankproof::ptx {

enum class Use : std::uint8_t { read, write, atomic };

/// Consecutive bytes [begin, end) of a buffer, used in the same way.
struct Touched {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  Use use = Use::read;
  friend bool operator==(const Touched&, const Touched&) = default;
};

/// What warps with numbers from `first` on did to the buffer, by the first byte. Costs the whole
/// shadow of the buffer. A word that is watched counts as written.
std::vector<Touched> touched_since(Buffer& buffer, WarpNumber first);

/// Whether warps with numbers from `first` on touched the page, as far as the shadow has not
/// forgotten it (GlobalMemory::forgotten()).
bool is_touched_since(Buffer& buffer, std::uint64_t page, WarpNumber first);

}  // namespace bankproof::ptx
