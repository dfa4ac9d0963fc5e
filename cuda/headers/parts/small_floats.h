// Conversions of host code between float or double and floating-point numbers of 16 bits, by their
// bits. They round to nearest, ties to even, and make one NaN of all, as the device's do.
#pragma once
#pragma GCC system_header

namespace bankproof_parts {

/// The bits of the number in a format with so many bits of fraction and of exponent. One rounding
/// of a double serves float and int, too, since a double holds them exactly.
template <int Fraction, int Exponent>
__host__ inline unsigned short bits_on_host(double value) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 15;
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  unsigned long long fraction = bits & ((1ULL << 52) - 1);
  constexpr int top = (1 << Exponent) - 1;
  if (exponent == 0x7ff && fraction != 0) return 0x7fff;
  int scaled = exponent - 1023 + top / 2;
  if (exponent == 0x7ff || scaled >= top)
    return static_cast<unsigned short>(sign | top << Fraction);
  int shift = 52 - Fraction;
  if (scaled < 1) {  // subnormal, or 0
    shift += 1 - scaled;
    scaled = 1;
    if (shift > 54 || exponent == 0) return static_cast<unsigned short>(sign);
  }
  fraction |= 1ULL << 52;
  unsigned long long rounded = fraction >> shift;
  const unsigned long long rest = fraction & ((1ULL << shift) - 1);
  const unsigned long long middle = 1ULL << (shift - 1);
  if (rest > middle || (rest == middle && (rounded & 1) != 0)) ++rounded;
  // The leading 1 of a normal number, and a carry, add 1 to the exponent.
  const unsigned magnitude =
      (static_cast<unsigned>(scaled - 1) << Fraction) + static_cast<unsigned>(rounded);
  return static_cast<unsigned short>(sign | magnitude);
}

/// The number that has these bits as a half.
__host__ inline float half_on_host(unsigned short bits) {
  const unsigned sign = static_cast<unsigned>(bits >> 15) << 31;
  const unsigned exponent = bits >> 10 & 31;
  const unsigned fraction = bits & 1023;
  unsigned result = sign | (exponent + 112) << 23 | fraction << 13;
  if (exponent == 31) result = sign | 0x7f800000U | fraction << 13;
  float value = 0;
  if (exponent == 0) {
    value = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  __builtin_memcpy(&value, &result, sizeof value);
  return value;
}

/// The lesser of two numbers, or the greater one: the other one if one is NaN, and -0 is below 0.
template <class Number>
__host__ inline Number extreme_on_host(Number a, Number b, bool is_greater) {
  const float x = static_cast<float>(a);
  const float y = static_cast<float>(b);
  if (x != x) return y != y ? Number(y) : b;
  if (y != y) return a;
  const bool is_less = x < y || (x == y && (a.__x & 0x8000U) != 0);
  return is_less != is_greater ? a : b;
}

/// The integer between the least and the greatest one that a number has when its fraction is cut
/// off; 0 of NaN.
template <class Integer>
__host__ inline Integer integer_on_host(float value, Integer least, Integer greatest) {
  if (value != value) return 0;
  if (value <= static_cast<float>(least)) return least;
  return value >= static_cast<float>(greatest) ? greatest : static_cast<Integer>(value);
}

}  // namespace bankproof_parts
