// The effects of modifiers of floating-point instructions on operands and results: .ftz, .sat, and
// the canonical NaN (PTX ISA, "Floating Point Instructions").
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lanes.hpp"

namespace bankproof::ptx::lanes {

/// The NaN that every operation gives. Operations on f32, f16 and bf16 pass on no payload; PTX
/// leaves open which NaN an operation on f64 gives.
inline constexpr U32 canonical_nan_f32 = 0x7fffffff;
inline constexpr U64 canonical_nan_f64 = 0x7fffffffffffffff;
inline constexpr U16 canonical_nan_f16 = 0x7fff;

template <class T>
constexpr T canonical_nan() {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(canonical_nan_f32);
  } else {
    return std::bit_cast<double>(canonical_nan_f64);
  }
}

/// With .ftz: replaces a subnormal number by a zero of the same sign. The exponent bits decide.
template <bool ftz>
inline float flush(float x) {
  if constexpr (!ftz) return x;
  const U32 bits = std::bit_cast<U32>(x);
  const U32 keep = (bits & 0x7f800000U) != 0 ? ~U32{0} : 0x80000000U;
  return std::bit_cast<float>(bits & keep);
}

/// With .sat: clamps a number to +0 … 1; NaN gives +0.
template <bool sat, class T>
inline T saturated(T x) {
  if constexpr (!sat) return x;
  const T low = x > T{0} ? x : T{0};
  return low < T{1} ? low : T{1};
}

template <class T>
inline T canonical(T x) {
  return is_number(x) ? x : canonical_nan<T>();
}

/// The result of an operation on f32.
template <bool ftz, bool sat>
inline float finished(float x) {
  if constexpr (sat) return saturated<true>(flush<ftz>(x));
  return canonical(flush<ftz>(x));
}

}  // namespace bankproof::ptx::lanes
