// The reader of numpy's .npy files, format versions 1.0, 2.0 and 3.0 (numpy.lib.format).
//
// A file is the magic string, two bytes of version, the length of the header (two bytes in version
// 1, else four), the header, and the data. The header is the text of a Python dictionary such as
// {'descr': '<i8', 'fortran_order': False, 'shape': (16384,), }. The reader takes only this form:
// the three keys in any order, each once. Arrays are one-dimensional, of <i4, <u4, <i8 or <u8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bytes.hpp"
#include "values.hpp"

namespace bankproof::cli {

/// The first bytes of every .npy file.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// The content of a header. The parser has checked the syntax, but not the values.
struct NpyHeader {
  std::string descr;  // as written; the source text of a list when the dtype is structured
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Parses the header's dictionary. Throws InputError without the file's name.
NpyHeader parse_npy_header(std::string_view text);

/// Reads a file to its end. Throws InputError. With `force_64_bit` the values are wide even if they
/// fit 32 bits.
InputValues read_npy(ByteInput& input, bool force_64_bit = false);

/// Signed integers: the lanes of a plan, with −1 in idle lanes, or an array for `run`.
struct NpyLanes {
  std::vector<std::uint64_t> shape;
  std::variant<std::vector<std::int16_t>, std::vector<std::int32_t>, std::vector<std::int64_t>>
      values;
};

/// Reads a file of <i2, <i4 or <i8, with 1 to `most_dimensions` (2 or 3) dimensions, to its end.
/// Throws InputError.
NpyLanes read_npy_lanes(ByteInput& input, std::size_t most_dimensions = 2);

/// An array of any plain type, as the bytes in the file.
struct NpyBytes {
  std::string descr;  // such as <f4
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;
};

/// Reads a file whose elements have type `descr`, `element_bytes` each, in C order, to its end.
/// Throws InputError.
NpyBytes read_npy_bytes(ByteInput& input, std::string_view descr, std::uint32_t element_bytes);

}  // namespace bankproof::cli
