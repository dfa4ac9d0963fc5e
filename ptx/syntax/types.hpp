// The fundamental types (PTX ISA, "Fundamental Types", "Packed Data Types").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bankproof::ptx {

/// The name of a fundamental type, without its dot: b32, f64, pred.
using Type = std::string;

/// How instructions interpret the bits of a value.
enum class Number : std::uint8_t { bits, signed_integer, unsigned_integer, floating, bfloat };

struct FundamentalType {
  std::string_view name;
  std::uint32_t bits;
  Number number = Number::bits;
  bool packed = false;  // two numbers of half the bits
};

/// Null if no type has this name.
const FundamentalType* find_type(std::string_view name);

/// The bits of a type; 1 for pred. Throws std::invalid_argument for an unknown type.
std::uint32_t bits_of(const Type& type);
/// The bytes of a type in memory; 1 for pred. Throws std::invalid_argument for an unknown type.
std::uint64_t bytes_of(const Type& type);
/// b32 for 32
Type bits_type(std::size_t bits);
/// Whether the type is s8, s16, s32 or s64.
bool is_signed(const Type& type);

}  // namespace bankproof::ptx
