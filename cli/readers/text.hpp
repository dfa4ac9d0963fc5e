// The text reader: decimal integers between white space, with at most one comma between two of
// them.
//
// Example: "2, 0\n1,\n" is {2, 0, 1}. A UTF-8 byte order mark in front, CRLF, leading zeros and one
// comma after the last integer are fine. Anything else is refused with its line and column.
#pragma once

#include "bytes.hpp"
#include "values.hpp"

namespace bankproof::cli {

/// Reads to the end, in one pass. Throws InputError. With `force_64_bit` the values are wide even
/// when they need not be.
InputValues read_text(ByteInput& input, bool force_64_bit = false);

/// The most elements that the text of a permutation can have, given its number of bytes: the text
/// of 0 … n−1 has at least as many bytes as these numbers have digits, and n−1 separators.
std::uint64_t most_text_elements(std::uint64_t bytes);

}  // namespace bankproof::cli
