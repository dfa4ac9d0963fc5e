// The arguments of kernels as the command line and launch files write them, parsed:
//
//     i32:5   f32:0.5   u64:0x10       a number
//     buffer:f32:1024=iota             a pointer to 1024 numbers 0, 1, …
//     buffer:f32:32x32=random:7        a pointer to numbers drawn with seed 7
//     buffer:f32:1024=random:7:0:10    the same, with 0 ≤ x < 10
//     buffer:f32:1024=zeros            a pointer to zeros
//     buffer:f32:1024=undefined        undefined contents, as after cudaMalloc; the default
//     buffer:f32=in.npy                a pointer to the numbers of a file, which have the type
//     buffer:f32:1024=in.bin           a pointer to the numbers whose bytes are the file
//     bytes:0a0b…   bytes:FILE         a struct by value
//     bytes:00…@8:buffer:f32:16=iota   a struct with a pointer at its byte 8; several may follow
//
// A launch file may also have buffer:NAME, a pointer to the buffer of that name, and buffer:NAME+N,
// a pointer to element N of that buffer.
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

/// A buffer: its type, its dimensions and its initial contents.
struct BufferDescription {
  enum class Initial : std::uint8_t { undefined, zeros, iota, random, file };
  const ElementType* type = nullptr;
  std::vector<std::uint64_t> dimensions;  // empty: the dimensions in the file
  Initial initial = Initial::undefined;
  RandomNumbers random;
  std::string file;

  /// The product of the dimensions.
  std::uint64_t count() const;
};

/// A pointer into a named buffer of a launch file.
struct BufferReference {
  std::string name;
  std::uint64_t element = 0;
};

/// A pointer in a struct.
struct PlacedPointer {
  std::uint64_t offset = 0;  // of its first byte
  std::variant<BufferDescription, BufferReference> to;
};

/// A struct by value: its bytes, or the file that holds them, and the pointers that replace some of
/// the bytes.
struct BytesArgument {
  std::vector<std::byte> bytes;
  std::string file;
  std::vector<PlacedPointer> pointers{};
};

struct Argument {
  std::variant<ScalarArgument, BufferDescription, BytesArgument, BufferReference> value;
  std::string text;  // as given
};

/// The name in reports of the buffer to which an argument, or a byte of a struct, points: "argument
/// 0", "argument 0 at byte 8".
std::string name_of_argument(std::size_t number, std::uint64_t byte = 0);

/// "f32:1024=iota". Throws ArgumentError.
BufferDescription parse_buffer(std::string_view text);

/// Parses any argument. buffer:NAME is allowed only if `named` is set. Throws ArgumentError.
Argument parse_argument(std::string_view text, bool named = false);

}  // namespace bankproof::cuda
