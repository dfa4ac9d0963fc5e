// cvt of two numbers into one register, cvt with .relu and .satfinite, cvt to tf32, and cvt.pack
// (PTX ISA, "cvt", "cvt.pack").
#include <algorithm>

#include "convert.hpp"

namespace bankproof::ptx::lanes {

namespace {

template <class T>
inline constexpr U32 largest_of = Format<T>::infinity - 1;

template <class T, int mode, bool relu, bool finite>
T packed_conversion(float a) {
  T result = rounded<T, mode>(static_cast<double>(a));
  if constexpr (finite) {
    if ((result.bits & 0x7fffU) == Format<T>::infinity) {
      result.bits = static_cast<U16>((result.bits & 0x8000U) | largest_of<T>);
    }
  }
  return rectified<relu>(result);
}

template <class T, int mode, bool relu, bool finite>
void add_from_float(Table& table, const std::string& opcode) {
  // The first source becomes the high half of a pair.
  table.add(joined(opcode, "x2.f32"), [](float a, float b) {
    const T high = packed_conversion<T, mode, relu, finite>(a);
    const T low = packed_conversion<T, mode, relu, finite>(b);
    return Pair<T>{U32{low.bits} | U32{high.bits} << 16U};
  });
  // Without .relu and .satfinite, float_conversions.cpp adds the row.
  if constexpr (relu || finite) {
    table.add(joined(opcode, ".f32"),
              [](float a) { return packed_conversion<T, mode, relu, finite>(a); });
  }
}

template <class T, int mode>
void add_from_floats(Table& table, std::string_view rounding, std::string_view type) {
  add_from_float<T, mode, false, false>(table, joined("cvt", rounding, ".", type));
  add_from_float<T, mode, false, true>(table, joined("cvt", rounding, ".satfinite.", type));
  add_from_float<T, mode, true, false>(table, joined("cvt", rounding, ".relu.", type));
  add_from_float<T, mode, true, true>(table, joined("cvt", rounding, ".relu.satfinite.", type));
}

enum class Lost : std::uint8_t { nearest_even, nearest_away, zero };

/// The 19 high bits of f32; the bits below them are zeros.
template <Lost how, bool relu>
U32 to_tf32(U32 a) {
  const U32 magnitude = a & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return canonical_nan_f32;
  if (relu && a >> 31U != 0) return 0;
  const U32 more = how == Lost::zero           ? 0
                   : how == Lost::nearest_away ? 0x1000U
                                               : 0xfffU + (a >> 13U & 1U);
  return (a & 0x80000000U) | ((magnitude + (magnitude < 0x7f800000U ? more : 0)) & 0xffffe000U);
}

template <Lost how>
void add_to_tf32(Table& table, std::string_view name) {
  table.add(joined("cvt", name, ".tf32.f32"), [](U32 a) { return to_tf32<how, false>(a); });
  if constexpr (how != Lost::nearest_away) {
    table.add(joined("cvt", name, ".relu.tf32.f32"), [](U32 a) { return to_tf32<how, true>(a); });
  }
}

/// The integer of `bits` bits that is nearest to a, as bits.
template <bool is_signed, unsigned bits>
U32 clamped_to_bits(U32 a) {
  const S64 low = is_signed ? -(S64{1} << (bits - 1)) : 0;
  const S64 high = (S64{1} << (is_signed ? bits - 1 : bits)) - 1;
  const S64 value = std::clamp(S64{static_cast<S32>(a)}, low, high);
  return static_cast<U32>(value) & ((1U << bits) - 1U);
}

/// Packs a above b. If a and b have less than 16 bits each, the low bits of c fill the word above
/// a.
template <bool is_signed, unsigned bits>
void add_pack(Table& table, std::string_view type) {
  if constexpr (bits == 16) {
    table.add(joined("cvt.pack.sat.", type, ".s32"), [](U32 a, U32 b) {
      return clamped_to_bits<is_signed, bits>(a) << bits | clamped_to_bits<is_signed, bits>(b);
    });
  } else {
    table.add(joined("cvt.pack.sat.", type, ".s32.b32"), [](U32 a, U32 b, U32 c) {
      return c << (2 * bits) | clamped_to_bits<is_signed, bits>(a) << bits |
             clamped_to_bits<is_signed, bits>(b);
    });
  }
}

}  // namespace

void add_packed_conversions(Table& table) {
  add_from_floats<Half, FE_TONEAREST>(table, ".rn", "f16");
  add_from_floats<Half, FE_TOWARDZERO>(table, ".rz", "f16");
  add_from_floats<Brain, FE_TONEAREST>(table, ".rn", "bf16");
  add_from_floats<Brain, FE_TOWARDZERO>(table, ".rz", "bf16");
  add_to_tf32<Lost::nearest_even>(table, ".rn");
  add_to_tf32<Lost::nearest_away>(table, ".rna");
  add_to_tf32<Lost::zero>(table, ".rz");
  add_pack<false, 16>(table, "u16");
  add_pack<true, 16>(table, "s16");
  add_pack<false, 8>(table, "u8");
  add_pack<true, 8>(table, "s8");
  add_pack<false, 4>(table, "u4");
  add_pack<true, 4>(table, "s4");
  add_pack<false, 2>(table, "u2");
  add_pack<true, 2>(table, "s2");
}

}  // namespace bankproof::ptx::lanes
