// Functions that depend on the representation of a number: its exponent and the numbers next to it.
// Also the remainder to the nearest multiple.
#pragma once
#pragma GCC system_header

#include "functions.h"

namespace bankproof_parts {

BANKPROOF_DEVICE double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0.0 || !(__builtin_fabs(x) < infinity())) return x;
  *exponent = exponent_of(__builtin_fabs(x)) - 1022;
  return scaled(x, -*exponent);
}
/// The exponent of x; the least int for 0 and NaN, the largest int for infinity.
BANKPROOF_DEVICE int ilogb(double x) {
  const double a = __builtin_fabs(x);
  if (!(a > 0.0)) return -2147483647 - 1;
  return a == infinity() ? 2147483647 : exponent_of(a) - 1023;
}
BANKPROOF_DEVICE double logb(double x) {
  const double a = __builtin_fabs(x);
  if (!(a < infinity())) return a;
  return a == 0.0 ? -infinity() : ilogb(a);
}

/// The number next to x in the direction of y.
BANKPROOF_DEVICE double nextafter(double x, double y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  if (x == 0.0) return __builtin_copysign(of_bits(1), y);
  const bool away_from_zero = (x < y) == (x > 0.0);
  return of_bits(away_from_zero ? bits_of(x) + 1 : bits_of(x) - 1);
}
BANKPROOF_DEVICE float nextafter(float x, float y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  unsigned int bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const bool away_from_zero = (x < y) == (x > 0.0F);
  bits = away_from_zero ? bits + 1 : bits - 1;
  if (x == 0.0F) bits = y < 0.0F ? 0x80000001U : 1U;
  float next;
  __builtin_memcpy(&next, &bits, sizeof next);
  return next;
}

/// x minus the nearest multiple n · y; if two multiples are equally near, the one with even n. The
/// result is exact. `quotient` gets the sign and the last three bits of n.
BANKPROOF_DEVICE double remquo(double x, double y, int* quotient) {
  const double b = __builtin_fabs(y);
  double a = __builtin_fabs(x);
  *quotient = 0;
  if (!(a < infinity()) || !(b > 0.0)) return not_a_number();
  int multiple = 0;
  while (a >= b) {
    int shift = exponent_of(a) - exponent_of(b);
    double part = scaled(b, shift);
    if (part > a) part = scaled(b, --shift);
    a -= part;
    if (shift < 3) multiple += 1 << shift;
  }
  if (a > b - a || (a == b - a && multiple % 2 != 0)) {
    a -= b;
    ++multiple;
  }
  *quotient = (bits_of(x) ^ bits_of(y)) >> 63 != 0 ? -(multiple & 7) : multiple & 7;
  return (bits_of(x) >> 63) != 0 ? -a : a;
}
BANKPROOF_DEVICE double remainder(double x, double y) {
  int quotient;
  return remquo(x, y, &quotient);
}

}  // namespace bankproof_parts
