// The readers of fixed-width little-endian integers: a .bin file, whose integers all have 32 bits,
// and the data of an .npy file.
//
// The reader stores each piece of the input directly in the final vector, whose elements have 32
// bits if all values fit. So it never holds a second copy of all values, and never allocates memory
// for a size that the input merely claims.
#pragma once

#include <cstdint>

#include "bytes.hpp"
#include "values.hpp"

namespace bankproof::cli {

/// The stored form of one element.
struct StoredInteger {
  std::uint64_t bytes;  // 4 or 8
  bool is_signed;
};

/// Reads unsigned 32-bit integers to the end. Throws InputError. With `force_64_bit` the values are
/// wide even if they fit 32 bits.
InputValues read_binary(ByteInput& input, bool force_64_bit = false);

/// Reads the remaining `count` > 0 integers of the input; the first is at `first_offset`, which is
/// used only for messages and for the result. Throws InputError when there are fewer or more
/// integers, or when an integer is negative. Requires count · stored.bytes to fit 64 bits.
InputValues read_integers(ByteInput& input, StoredInteger stored, std::uint64_t first_offset,
                          std::uint64_t count, bool force_64_bit = false);

}  // namespace bankproof::cli
