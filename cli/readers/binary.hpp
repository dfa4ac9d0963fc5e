// The readers of fixed-width little-endian integers: a .bin file, all of it 32 bits wide, and the
// data of an .npy file.
//
// Pieces of the input go straight to the final vector, already as narrow as there: there is no
// second copy of the whole, and a size that the input merely claims is never allocated.
#pragma once

#include <cstdint>

#include "bytes.hpp"
#include "values.hpp"

namespace bankproof::cli {

/// How one element is stored.
struct StoredInteger {
  std::uint64_t bytes;  // 4 or 8
  bool is_signed;
};

/// Reads unsigned 32-bit integers to the end. Throws InputError. With `force_64_bit` the values are
/// wide even when they need not be.
InputValues read_binary(ByteInput& input, bool force_64_bit = false);

/// Reads the `count` > 0 integers that are left in the input; the first is at `first_offset`, which
/// only messages and the result use. Throws InputError when there are fewer or more, or one is
/// negative. Requires count · stored.bytes to fit 64 bits.
InputValues read_integers(ByteInput& input, StoredInteger stored, std::uint64_t first_offset,
                          std::uint64_t count, bool force_64_bit = false);

}  // namespace bankproof::cli
