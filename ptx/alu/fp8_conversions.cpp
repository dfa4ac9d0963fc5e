// cvt between f32 or f16 and the formats of 8 bits, two numbers at a time (PTX ISA, "cvt").
//
//   e5m2: as f16, but with 2 bits of fraction: infinity 0x7c, largest number 0x7b
//   e4m3: no infinity; its largest number is 0x7e, and 0x7f is the only NaN
//
// Results always saturate: numbers that are too large, and infinity, become the largest number. NaN
// becomes 0x7f or, in a half, 0x7fff.
#include "convert.hpp"

namespace bankproof::ptx::lanes {

namespace {

struct E4m3 {
  static constexpr U32 fraction = 3;
  static constexpr U32 bias = 7;
  static constexpr U32 largest = 0x7e;
  static constexpr float smallest = 0x1p-9F;
};
struct E5m2 {
  static constexpr U32 fraction = 2;
  static constexpr U32 bias = 15;
  static constexpr U32 largest = 0x7b;
  static constexpr float smallest = 0x1p-16F;
};

constexpr U32 nan_of_8_bits = 0x7f;

/// Rounds to nearest, ties to even. `moved` is the number with the format's bias in place of that
/// of f32. Below the format's normal numbers, the sum with `one` has the number, in units of
/// `smallest`, in its low bits, rounded by the hardware.
template <class T, bool relu>
U32 narrowed_to_8(float x) {
  constexpr U32 lost = 23 - T::fraction;
  constexpr U32 least_normal = (128 - T::bias) << 23U;
  constexpr float one = T::smallest * 0x1p23F;
  const U32 bits = std::bit_cast<U32>(x);
  const U32 sign = bits >> 24U & 0x80U;
  const U32 magnitude = bits & 0x7fffffffU;
  const U32 moved = magnitude - ((127 - T::bias) << 23U);
  const U32 normal = (moved + (U32{1} << (lost - 1)) - 1 + (magnitude >> lost & 1U)) >> lost;
  const U32 small =
      std::bit_cast<U32>(std::bit_cast<float>(magnitude) + one) - std::bit_cast<U32>(one);
  const U32 rounded = std::min(magnitude < least_normal ? small : normal, T::largest);
  const U32 number = relu && sign != 0 ? 0 : rounded | sign;
  return magnitude > 0x7f800000U ? nan_of_8_bits : number;
}

inline Half half_of(E4m3, U32 bits) {
  const U32 sign = (bits & 0x80U) << 8U;
  const U32 magnitude = bits & 0x7fU;
  const U32 normal = (magnitude << 7U) + 0x2000U;
  const U32 small = narrowed<Half>(static_cast<float>(magnitude) * E4m3::smallest).bits;
  const U32 number = (magnitude < 8 ? small : normal) | sign;
  return {static_cast<U16>(magnitude == nan_of_8_bits ? canonical_nan_f16 : number)};
}
inline Half half_of(E5m2, U32 bits) {
  const bool is_number = (bits & 0x7fU) <= 0x7cU;
  return {static_cast<U16>(is_number ? bits << 8U : canonical_nan_f16)};
}

template <class T, bool relu>
U16 packed_8(float high, float low) {
  return static_cast<U16>(narrowed_to_8<T, relu>(high) << 8U | narrowed_to_8<T, relu>(low));
}

template <class T>
void add_format(Table& table, std::string_view type) {
  optional(".relu", [&](auto relu, std::string_view modifier) {
    constexpr bool rectifies = decltype(relu)::value;
    table.add(joined("cvt.rn.satfinite", modifier, ".", type, ".f32"),
              [](float a, float b) { return packed_8<T, rectifies>(a, b); });
    table.add(joined("cvt.rn.satfinite", modifier, ".", type, ".f16x2"), [](Pair<Half> a) {
      return packed_8<T, rectifies>(widened(Half{static_cast<U16>(a.bits >> 16U)}),
                                    widened(Half{static_cast<U16>(a.bits)}));
    });
    table.add(joined("cvt.rn", modifier, ".f16x2.", type), [](U16 a) {
      const Half low = rectified<rectifies>(half_of(T{}, a & 0xffU));
      const Half high = rectified<rectifies>(half_of(T{}, U32{a} >> 8U));
      return Pair<Half>{U32{low.bits} | U32{high.bits} << 16U};
    });
  });
}

}  // namespace

void add_fp8_conversions(Table& table) {
  add_format<E4m3>(table, "e4m3x2");
  add_format<E5m2>(table, "e5m2x2");
}

}  // namespace bankproof::ptx::lanes
