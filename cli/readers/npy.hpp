// The reader of numpy's .npy files, format versions 1.0, 2.0 and 3.0 (numpy.lib.format).
//
// A file is the magic string, two bytes of version, the length of the header (two bytes in version
// 1, else four), the header, and the data. The header is the text of a Python dictionary such as
// {'descr': '<i8', 'fortran_order': False, 'shape': (16384,), }. Only this shape of it is read: the
// three keys in any order, each once. Arrays are one-dimensional, of <i4, <u4, <i8 or <u8.
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

/// What a header says, checked for form and not for sense.
struct NpyHeader {
  std::string descr;  // as written; the source text of a list when the dtype is structured
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Parses the header's dictionary. Throws InputError without the file's name.
NpyHeader parse_npy_header(std::string_view text);

/// Reads a file to its end. Throws InputError. With `force_64_bit` the values are wide even when
/// they need not be.
InputValues read_npy(ByteInput& input, bool force_64_bit = false);

/// Signed integers: lanes of a plan, −1 where one is idle, or an array for `run`.
struct NpyLanes {
  std::vector<std::uint64_t> shape;
  std::variant<std::vector<std::int16_t>, std::vector<std::int32_t>, std::vector<std::int64_t>>
      values;
};

/// Reads a file of <i2, <i4 or <i8, of one dimension, two or up to three, to its end. Throws
/// InputError.
NpyLanes read_npy_lanes(ByteInput& input, std::size_t most_dimensions = 2);

/// An array of any plain type, as the bytes it has.
struct NpyBytes {
  std::string descr;  // such as <f4
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;
};

/// Reads a file of elements of type `descr`, `element_bytes` each, in C order, to its end. Throws
/// InputError.
NpyBytes read_npy_bytes(ByteInput& input, std::string_view descr, std::uint32_t element_bytes);

}  // namespace bankproof::cli
