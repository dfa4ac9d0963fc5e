// The readers of fixed-width little-endian integers: a .bin file, which is 32 bits wide throughout,
// and the data of an .npy file.
//
// The reader stores each piece of the input directly in the final vector, narrowed if that vector
// is narrow. So it never holds a second copy of all values, and never allocates a size that the
// input merely claims.
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

/// Reads the remaining `count` > 0 integers of the input; the first is at `first_offset`, which
/// only messages and the result use. Throws InputError when there are fewer or more, or when one is
/// negative. Requires count · stored.bytes to fit 64 bits.
InputValues read_integers(ByteInput& input, StoredInteger stored, std::uint64_t first_offset,
                          std::uint64_t count, bool force_64_bit = false);

}  // namespace bankproof::cli
