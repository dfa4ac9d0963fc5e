// A kernel's arguments as text, as they stand on the command line and in launch files, and the
// bytes that a kernel gets for them.
//
//     i32:5   f32:0.5   u64:0x10          a number
//     buffer:f32:1024=iota                a pointer to 1024 numbers 0, 1, …
//     buffer:f32:32x32=random:7           to numbers drawn by the seed 7; random:7:0:10 has 0 ≤ x <
//     10 buffer:f32:1024=zeros buffer:f32:1024=undefined           as cudaMalloc leaves them, which
//     is also the default buffer:f32=in.npy                   to those of a file, which have the
//     type bytes:0a0b…   bytes:FILE            a struct by value
//
// In a launch file also buffer:NAME or buffer:NAME+N, the buffer of that name or its element N.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "elements.hpp"

namespace bankproof::cuda {

/// A number.
struct ScalarArgument {
  const ElementType* type = nullptr;
  std::uint64_t bits = 0;
};

/// What a buffer holds at first.
struct BufferDescription {
  enum class Initial : std::uint8_t { undefined, zeros, iota, random, file };
  const ElementType* type = nullptr;
  std::vector<std::uint64_t> dimensions;  // none: those of the file
  Initial initial = Initial::undefined;
  RandomNumbers random;
  std::string file;

  /// The product of the dimensions.
  std::uint64_t count() const;
};

/// A struct by value: its bytes, or a file that has them.
struct BytesArgument {
  std::vector<std::byte> bytes;
  std::string file;
};

/// A pointer into a buffer that a launch file has.
struct BufferReference {
  std::string name;
  std::uint64_t element = 0;
};

struct Argument {
  std::variant<ScalarArgument, BufferDescription, BytesArgument, BufferReference> value;
  std::string text;  // as given
};

/// "f32:1024=iota". Throws ArgumentError.
BufferDescription parse_buffer(std::string_view text);

/// Throws ArgumentError. With `named`, buffer:NAME refers to a buffer.
Argument parse_argument(std::string_view text, bool named = false);

}  // namespace bankproof::cuda
