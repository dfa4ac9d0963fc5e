// The text reader: decimal integers separated by white space, with at most one comma between two
// integers.
//
// Example: "2, 0\n1,\n" is {2, 0, 1}. A leading UTF-8 byte order mark, CRLF, leading zeros and one
// comma after the last integer are fine. The reader refuses anything else, with its line and
// column.
#pragma once

#include "bytes.hpp"
#include "values.hpp"

namespace bankproof::cli {

/// Reads to the end, in one pass. Throws InputError. With `force_64_bit` the values are wide even
/// if they fit 32 bits.
InputValues read_text(ByteInput& input, bool force_64_bit = false);

/// The most elements that a permutation's text of `bytes` bytes can have: the text of 0 … n−1 has
/// at least the digits of these numbers, and n−1 separators.
std::uint64_t most_text_elements(std::uint64_t bytes);

}  // namespace bankproof::cli
