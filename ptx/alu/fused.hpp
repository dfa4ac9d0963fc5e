// Fused multiply-add, and rounding to odd.
//
// If a sum is inexact, rounding to odd sets its last bit. Rounding this sum again, to a format with
// at least two bits less, gives the same as rounding the exact sum once (Boldo and Melquiond,
// "Emulation of FMA and correctly rounded sums", 2008).
#pragma once

#include <bit>
#include <cmath>

#include "lanes.hpp"

namespace bankproof::ptx::lanes {

/// a + b as a double rounded to odd.
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  // The error of a rounded sum is a double (Knuth's TwoSum). The error is NaN if the sum is not
  // finite.
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const U64 bits = std::bit_cast<U64>(sum);
  const auto inexact = static_cast<U64>(error > 0) | static_cast<U64>(error < 0);
  const U64 adjust = inexact & ~bits;
  // One step towards the exact sum: away from zero if the error has the sign of the sum.
  const U64 inwards = (std::bit_cast<U64>(error) ^ bits) >> 63U;
  return std::bit_cast<double>(bits + adjust - 2 * (adjust & inwards));
}

/// a + b as a float rounded to odd; both numbers must be far from the largest float.
inline float sum_to_odd(float a, float b) {
  const float sum = a + b;
  const float part = sum - a;
  const float error = (a - (sum - part)) + (b - part);
  const U32 bits = std::bit_cast<U32>(sum);
  const auto inexact = static_cast<U32>(error > 0) | static_cast<U32>(error < 0);
  const U32 adjust = inexact & ~bits;
  const U32 inwards = (std::bit_cast<U32>(error) ^ bits) >> 31U;
  return std::bit_cast<float>(bits + adjust - 2 * (adjust & inwards));
}

/// A double as a float rounded to odd; NaN stays NaN.
inline float to_odd(double x) {
  const auto near = static_cast<float>(x);
  const U32 bits = std::bit_cast<U32>(near);
  const auto back = static_cast<double>(near);
  const auto inexact = static_cast<U32>(x > back) | static_cast<U32>(x < back);
  const U32 adjust = inexact & ~bits;
  const auto outwards = static_cast<U32>(std::fabs(x) > std::fabs(back));
  return std::bit_cast<float>(bits + (adjust & outwards) - (adjust & (outwards ^ 1U)));
}

/// a · b + c rounded once. The product of two floats is a double.
inline float fused(float a, float b, float c) {
  return static_cast<float>(
      sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
}

/// A result, and all ones in `doubt` if it may be wrong.
struct Hasty {
  U32 bits = 0;
  U32 doubt = 0;
};

/// fused(), but rounds the sum to double and then to float. The result can be wrong only if the sum
/// in double was rounded and lies in the middle between two floats, or if the result is subnormal.
/// The form that is not careful doubts every sum in the middle; the careful form doubts only
/// rounded sums. Operands of few digits often give an exact sum in the middle.
template <bool careful>
inline Hasty fused_hastily(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = c;
  const double sum = product + addend;
  const U64 bits = std::bit_cast<U64>(sum);
  const U32 result = std::bit_cast<U32>(static_cast<float>(sum));
  bool wrong = (static_cast<U32>(bits) & 0x1fffffffU) == 0x10000000U;
  // Subtracting one summand from an exact sum gives the other summand. If the sum was rounded, at
  // least one of the two subtractions gives another number (Knuth's TwoSum).
  if constexpr (careful) wrong &= (sum - product != addend) | (sum - addend != product);
  const bool tiny = ((result & 0x7f800000U) == 0) & ((static_cast<U32>(bits >> 32U) << 1U) != 0);
  return {result, predicate(wrong | tiny).mask};
}

}  // namespace bankproof::ptx::lanes
