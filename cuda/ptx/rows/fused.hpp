// The fused product and sum, and rounding to odd.
//
// A sum rounded to odd keeps whether anything was lost in its last bit, so that rounding it again
// to a format with at least two bits less gives what rounding the exact sum once would (Boldo and
// Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
#pragma once

#include <bit>
#include <cmath>

#include "lanes.hpp"

namespace bankproof::ptx::lanes {

/// a + b as a double rounded to odd.
inline double sum_to_odd(double a, double b) {
  const double sum = a + b;
  // The error of a rounded sum is a double (Knuth's TwoSum). It is NaN if the sum is not finite.
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const U64 bits = std::bit_cast<U64>(sum);
  const auto inexact = static_cast<U64>(error > 0) | static_cast<U64>(error < 0);
  const U64 adjust = inexact & ~bits;
  // One step towards the exact sum: away from zero if the error has the sign of the sum.
  const U64 inwards = (std::bit_cast<U64>(error) ^ bits) >> 63U;
  return std::bit_cast<double>(bits + adjust - 2 * (adjust & inwards));
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

/// The same rounded twice, by way of double. That is wrong only where the sum in double, if
/// rounded, lies in the middle between two floats, or is subnormal as float.
inline Hasty fused_hastily(float a, float b, float c) {
  const double sum = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
  const U64 bits = std::bit_cast<U64>(sum);
  const U32 result = std::bit_cast<U32>(static_cast<float>(sum));
  const bool middle = (static_cast<U32>(bits) & 0x1fffffffU) == 0x10000000U;
  const bool tiny = ((result & 0x7f800000U) == 0) & ((static_cast<U32>(bits >> 32U) << 1U) != 0);
  return {result, predicate(middle | tiny).mask};
}

}  // namespace bankproof::ptx::lanes
