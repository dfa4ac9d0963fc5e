// The types of a kernel's arguments, and numbers of those types as bytes.
//
// Example: -1 as an i16 has the bytes ff ff; 0.1 as an f16, rounded to nearest, has the bytes 66
// 2e.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace bankproof::cuda {

/// An argument, a buffer or a launch that is not possible. what() is one line that says why.
class ArgumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class NumberKind : std::uint8_t { signed_integer, unsigned_integer, floating };

/// A row of the table of types.
struct ElementType {
  std::string_view name;  // "f32"
  std::uint32_t bytes;
  NumberKind kind;
  std::string_view npy;             // numpy's name; a bf16 is stored as an integer of its bits
  std::uint32_t fraction_bits = 0;  // for floating types

  bool operator==(const ElementType& other) const { return name == other.name; }
};

std::span<const ElementType> element_types();

/// Throws ArgumentError, which lists the types.
const ElementType& find_element_type(std::string_view name);

/// The name of the element type of the C++ type T; empty if no element type has the values of T.
template <class T>
std::string_view element_type_name() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? "f32" : "f64";
  } else if constexpr (std::is_integral_v<T>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    return sizeof(T) == 1   ? is_signed ? "i8" : "u8"
           : sizeof(T) == 2 ? is_signed ? "i16" : "u16"
           : sizeof(T) == 4 ? is_signed ? "i32" : "u32"
           : is_signed      ? "i64"
                            : "u64";
  } else {
    return {};
  }
}

/// The bits of a number. The text is decimal, or 0x and the bits in hexadecimal. Floating types
/// also have inf and nan. Throws ArgumentError if the text is no number of the type.
std::uint64_t parse_number(const ElementType& type, std::string_view text);

/// The bits of `value` in the type. For a floating type, the value is rounded to nearest, ties to
/// even; for an integer type, the result is the lowest bits.
std::uint64_t bits_of(const ElementType& type, std::int64_t value);
std::uint64_t bits_of(const ElementType& type, double value);

/// Random numbers x, which depend only on the seed and the range. Without a range, x is any number
/// of an integer type, or 0 ≤ x < 1 of a floating type. With a range, `low` ≤ x < `high`; for an
/// integer type, x is a whole number.
struct RandomNumbers {
  std::uint64_t seed = 0;
  std::optional<double> low;
  std::optional<double> high;
};

/// The bytes of `count` consecutive numbers, little-endian.
std::vector<std::byte> iota_bytes(const ElementType& type, std::uint64_t count);
std::vector<std::byte> random_bytes(const ElementType& type, std::uint64_t count,
                                    const RandomNumbers& random);

}  // namespace bankproof::cuda
