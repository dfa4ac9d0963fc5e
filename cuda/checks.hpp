// What calls on images and matrices check of their arguments, and throw std::invalid_argument for;
// `what` names the call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "../algorithms/layout.hpp"

namespace bankproof::cuda {

[[noreturn]] inline void refuse(const char* what, const std::string& why) {
  throw std::invalid_argument(std::string(what) + ": " + why);
}

/// v of a mask of (2v + 1)² numbers.
inline std::uint32_t radius_of_square(std::size_t numbers, const char* what) {
  std::size_t v = 0;
  while ((2 * v + 1) * (2 * v + 1) < numbers) ++v;
  if ((2 * v + 1) * (2 * v + 1) != numbers || v > 0x7fff) {
    refuse(what, "a mask of " + std::to_string(numbers) + " numbers is no square with a center");
  }
  return static_cast<std::uint32_t>(v);
}

inline void require_matrix(std::size_t elements, std::size_t rows, std::size_t columns,
                           const char* what) {
  if (elements == rows * columns) return;
  refuse(what, std::to_string(elements) + " elements are no " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " matrix");
}

inline void require_block(std::uint32_t threads, const char* what) {
  if (threads == 0 || threads > 1024) refuse(what, "a block has 1 to 1024 threads");
}

/// Blocks have 48 KiB without asking for more.
inline void require_shared_memory(std::size_t bytes, const std::string& for_what,
                                  const char* what) {
  if (bytes <= std::size_t{48} * 1024) return;
  refuse(what, for_what + " take " + std::to_string(bytes) +
                   " bytes; a block has 49152 of shared memory");
}

/// Whether the address is one that 16 bytes may be read at.
inline bool is_packet_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

inline std::size_t tiles_of(std::size_t rows, std::size_t columns, std::size_t tile_rows,
                            std::size_t tile_columns) {
  return ceil_div(rows, tile_rows) * ceil_div(columns, tile_columns);
}

/// As many blocks as are wanted, or one for each tile if that is 0.
inline std::uint32_t blocks_for(std::size_t tiles, const char* what, std::uint32_t wanted = 0) {
  if (wanted != 0) return wanted;
  if (tiles > 0x7fffffff) refuse(what, "more than 2^31 - 1 tiles");
  return static_cast<std::uint32_t>(tiles);
}

}  // namespace bankproof::cuda
