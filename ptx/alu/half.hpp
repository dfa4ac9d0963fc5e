// binary16 and bfloat16: conversion to float, and conversion from float and double in every
// rounding mode.
#pragma once

#include <algorithm>
#include <bit>
#include <cfenv>

#include "flush.hpp"
#include "fused.hpp"

namespace bankproof::ptx::lanes {

inline float widened(Brain a) { return std::bit_cast<float>(U32{a.bits} << 16U); }

inline float widened(Half a) {
  const U32 sign = (U32{a.bits} & 0x8000U) << 16U;
  const U32 magnitude = U32{a.bits} & 0x7fffU;
  // `moved` rebases the exponent of a normal number. `top` gives infinity and NaN the top exponent.
  // `small` gives a subnormal number an implicit bit that it does not have, and subtracts this bit
  // again.
  const U32 moved = (magnitude << 13U) + 0x38000000U;
  const U32 top = moved + 0x38000000U;
  const U32 small =
      std::bit_cast<U32>(std::bit_cast<float>((magnitude << 13U) + 0x38800000U) - 0x1p-14F);
  const U32 bits = magnitude >= 0x7c00U ? top : magnitude >= 0x400U ? moved : small;
  return std::bit_cast<float>(bits | sign);
}

/// Rounds to nearest; NaN becomes canonical.
template <class T>
inline T narrowed(float x);

template <>
inline Brain narrowed<Brain>(float x) {
  const U32 bits = std::bit_cast<U32>(x);
  const U32 rounded = (bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U;
  return {static_cast<U16>(is_number(x) ? rounded : canonical_nan_f16)};
}

template <>
inline Half narrowed<Half>(float x) {
  const U32 bits = std::bit_cast<U32>(x);
  const U32 sign = bits >> 16U & 0x8000U;
  const U32 magnitude = bits & 0x7fffffffU;
  const U32 normal = (magnitude - 0x38000000U + 0xfffU + (magnitude >> 13U & 1U)) >> 13U;
  // The low bits of magnitude + 1/2 hold the magnitude in units of 2^-24, rounded by the hardware.
  const U32 small =
      std::bit_cast<U32>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<U32>(0.5F);
  const U32 finite = magnitude < 0x38800000U ? small : normal;
  const U32 number = (magnitude < 0x477ff000U ? finite : 0x7c00U) | sign;
  return {static_cast<U16>(is_number(x) ? number : canonical_nan_f16)};
}

template <class T>
inline T narrowed(double x) {
  return narrowed<T>(to_odd(x));
}

/// The shape of a format: the bits of the fraction, the exponent of the lowest digit of a subnormal
/// number, and the bits of infinity.
template <class T>
struct Format;
template <>
struct Format<Half> {
  static constexpr int fraction = 10;
  static constexpr int lowest = -24;
  static constexpr U32 infinity = 0x7c00;
};
template <>
struct Format<Brain> {
  static constexpr int fraction = 7;
  static constexpr int lowest = -133;
  static constexpr U32 infinity = 0x7f80;
};

/// Rounds in a mode of <cfenv>. Computes with integers, so that the host's rounding mode does not
/// matter.
template <class T, int mode>
T rounded(double x) {
  using F = Format<T>;
  const U64 bits = std::bit_cast<U64>(x);
  const auto sign = static_cast<U32>(bits >> 48U) & 0x8000U;
  const U64 magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000) return {canonical_nan_f16};
  if (magnitude == 0x7ff0000000000000) return {static_cast<U16>(sign | F::infinity)};
  if (magnitude == 0) return {static_cast<U16>(sign)};
  const int exponent = static_cast<int>(magnitude >> 52U);
  const U64 significand = (magnitude & 0xfffffffffffff) | (exponent != 0 ? U64{1} << 52U : 0);
  const int scale = (exponent != 0 ? exponent : 1) - 1075;  // x = significand · 2^scale
  const int top = static_cast<int>(std::bit_width(significand)) - 1 + scale;
  const int last = std::max(top - F::fraction, F::lowest);
  const int drop = std::min(last - scale, 63);  // positive, since double has more digits
  const U64 kept = significand >> drop;
  const U64 lost = significand & ((U64{1} << drop) - 1);
  const U64 half = U64{1} << (drop - 1);
  const bool up = mode == FE_TONEAREST  ? lost > half || (lost == half && (kept & 1U) != 0)
                  : mode == FE_UPWARD   ? lost != 0 && sign == 0
                  : mode == FE_DOWNWARD ? lost != 0 && sign != 0
                                        : false;
  // `kept` includes the implicit digit of a normal number, which adds one to the exponent field.
  const U64 number =
      kept + (static_cast<U64>(last - F::lowest) << F::fraction) + static_cast<U64>(up);
  if (number < F::infinity) return {static_cast<U16>(sign | number)};
  const bool infinite = mode == FE_TONEAREST || (mode == FE_UPWARD && sign == 0) ||
                        (mode == FE_DOWNWARD && sign != 0);
  return {static_cast<U16>(sign | (infinite ? F::infinity : F::infinity - 1))};
}

/// Applies f to the low halves of the pairs and to their high halves.
template <class T, class F, class... P>
inline Pair<T> each_half(F f, P... a) {
  const T low = f(T{static_cast<U16>(a.bits)}...);
  const T high = f(T{static_cast<U16>(a.bits >> 16U)}...);
  return {U32{low.bits} | U32{high.bits} << 16U};
}

template <bool ftz>
inline Half flush(Half a) {
  if constexpr (!ftz) return a;
  return {static_cast<U16>((a.bits & 0x7c00U) != 0 ? a.bits : a.bits & 0x8000U)};
}
template <bool ftz>
inline Brain flush(Brain a) {
  if constexpr (!ftz) return a;
  return {static_cast<U16>((a.bits & 0x7f80U) != 0 ? a.bits : a.bits & 0x8000U)};
}

inline bool is_nan(Half a) { return (a.bits & 0x7fffU) > 0x7c00U; }
inline bool is_nan(Brain a) { return (a.bits & 0x7fffU) > 0x7f80U; }

/// With .relu: negative numbers and -0 become +0, and NaN becomes canonical.
template <bool relu, class T>
inline T rectified(T a) {
  if constexpr (!relu) return a;
  if (is_nan(a)) return T{canonical_nan_f16};
  return T{static_cast<U16>(a.bits & 0x8000U ? 0 : a.bits)};
}

}  // namespace bankproof::ptx::lanes
