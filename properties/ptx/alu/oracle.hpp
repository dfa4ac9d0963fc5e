// A second formulation of the rows' results: plain, from the text of the PTX ISA, with exact
// numbers (number.hpp) and 128-bit integers. Uses nothing of ptx/alu.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "number.hpp"

namespace bankproof::ptx {

/// The bits of one lane; a predicate is 32 ones or 32 zeros.
__extension__ using Bits = unsigned __int128;
__extension__ using Signed = __int128;
using Results = std::vector<Bits>;

inline constexpr Bits all_ones = 0xffffffff;
inline Bits predicate_bits(bool holds) { return holds ? all_ones : 0; }

/// An opcode taken apart. An oracle takes the modifiers that it knows. A remaining modifier is an
/// error, so no oracle overlooks a modifier that it does not understand.
class Spelling {
 public:
  explicit Spelling(std::string_view opcode);

  std::string_view base() const { return base_; }
  bool take(std::string_view modifier);
  /// Takes the last remaining modifier, which is usually a type. Empty if no modifier remains.
  std::string_view take_last();
  bool has(std::string_view modifier) const;
  bool is_used_up() const { return count_ == 0; }
  std::string left() const;

 private:
  std::span<const std::string_view> modifiers() const { return {modifiers_.data(), count_}; }

  std::string_view base_;
  std::array<std::string_view, 12> modifiers_;  // an array is quick to copy, for each lane
  std::size_t count_ = 0;
};

struct Case {
  Spelling op;
  std::vector<Bits> s;
  std::size_t destinations = 1;  // without the condition code
};

/// The results that the row must give for an exact instruction; nothing for an approximation.
/// Throws std::invalid_argument if the opcode has no oracle.
std::optional<Results> expected(Case a);

/// Whether an approximation is good enough. Throws std::invalid_argument, as expected() does.
bool is_within_bound(Case a, Bits result);

// The oracles of the parts of the instruction set.
std::optional<Results> integer_result(Case& a, std::string_view type);
/// The result of vabsdiff2 or vabsdiff4; their last modifier need not be a type.
std::optional<Results> distances_result(Case& a, std::string_view last);
std::optional<Results> carry_result(Case& a, std::string_view type);
std::optional<Results> bit_result(Case& a, std::string_view type);
std::optional<Results> move_result(Case& a, std::string_view type);
std::optional<Results> float_result(Case& a, std::string_view type);
std::optional<Results> comparison_result(Case& a, std::string_view type);
std::optional<Results> conversion_result(Case& a, std::string_view type);
/// Of cvt, the conversions to and from e4m3x2 and e5m2x2.
std::optional<Results> fp8_result(Case& a, std::string_view from);

// ---- Types

inline bool is_float(std::string_view type) {
  return type == "f16" || type == "bf16" || type == "f32" || type == "f64" || type == "f16x2" ||
         type == "bf16x2";
}
inline bool is_pair(std::string_view type) { return type.ends_with("x2"); }
inline bool is_signed(std::string_view type) { return type.starts_with('s'); }
/// The number of bits of a type: 8, 16, 32, 64 or 128. For a type of pairs, the bits of one
/// element, 16.
inline int bits_of(std::string_view type) {
  if (is_pair(type) || type.ends_with("16")) return 16;
  if (type.ends_with("32")) return 32;
  if (type.ends_with("64")) return 64;
  if (type.ends_with("128")) return 128;
  if (type.ends_with("8")) return 8;
  throw std::invalid_argument("not a type: " + std::string(type));
}

inline Bits low_bits(Bits a, int n) { return n >= 128 ? a : a & ((Bits{1} << n) - 1); }

/// The number of bits of an integer type, at most 64.
inline int integer_bits(std::string_view type) {
  const int n = bits_of(type);
  if (n > 64) throw std::invalid_argument("not an integer type: " + std::string(type));
  return n;
}

/// The integer that these bits represent.
inline Signed value_of(Bits a, std::string_view type) {
  const int n = integer_bits(type);
  const Bits low = low_bits(a, n);
  if (!is_signed(type) || (low >> (n - 1) & 1) == 0) return static_cast<Signed>(low);
  return static_cast<Signed>(low) - static_cast<Signed>(Bits{1} << n);
}
inline Signed smallest(std::string_view type) {
  return is_signed(type) ? -(Signed{1} << (integer_bits(type) - 1)) : Signed{0};
}
inline Signed largest(std::string_view type) {
  return (Signed{1} << (is_signed(type) ? integer_bits(type) - 1 : integer_bits(type))) - 1;
}
inline Signed clamped(Signed x, std::string_view type) {
  return x < smallest(type) ? smallest(type) : x > largest(type) ? largest(type) : x;
}
inline Bits bits_of_value(Signed x, int n) { return low_bits(static_cast<Bits>(x), n); }

// ---- Floating-point operands and results

inline std::uint64_t flushed(std::uint64_t bits, Format format, bool ftz) {
  return ftz && (bits & format.infinity()) == 0 ? bits & format.sign() : bits;
}

/// The modifiers that apply to a result after rounding.
struct Finish {
  bool ftz = false;
  bool sat = false;
  bool relu = false;
  std::uint64_t apply(std::uint64_t bits, Format format) const;
};

std::optional<Mode> take_mode(Spelling& op);

}  // namespace bankproof::ptx
