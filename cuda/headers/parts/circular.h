// Sine, cosine and the arc tangent of doubles; functions of float use them too. See elementary.h.
#pragma once
#pragma GCC system_header

#include "elementary.h"

namespace bankproof_parts {

/// An angle: `rest` plus a multiple of a quarter turn. `quarter` holds the last two bits of the
/// multiplier.
struct Angle {
  Sum rest;
  unsigned int quarter;
};

/// The reduced angle for |x| ≥ 2^20, by the method of Payne and Hanek. It skips the bits of 2/π
/// that only add whole turns, and uses the next 192 bits, which leaves an error below 2^-137.
BANKPROOF_DEVICE Angle reduced_much(double x) {
  static constexpr unsigned long long two_over_pi[22] = {0x0000000000000000, 0xa2f9836e4e441529,
                                                         0xfc2757d1f534ddc0, 0xdb6295993c439041,
                                                         0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
                                                         0x06492eea09d1921c, 0xfe1deb1cb129a73e,
                                                         0xe88235f52ebb4484, 0xe99c7026b45f7e41,
                                                         0x3991d639835339f4, 0x9c845f8bbdf9283b,
                                                         0x1ff897ffde05980f, 0xef2f118b5a0a6d1f,
                                                         0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
                                                         0x7527bac7ebe5f17b, 0x3d0739f78a5292ea,
                                                         0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
                                                         0xf0cfbc209af4361d, 0};
  using Wide = unsigned __int128;
  const unsigned long long bits = bits_of(x);
  const unsigned long long mantissa = (bits & 0x000fffffffffffffULL) | 0x0010000000000000ULL;
  // |x| is mantissa · 2^(start - 62). The table's first word is the whole part of 2/π, which is 0.
  // The window skips bits whose product with |x| counts only whole turns (four quarters).
  const unsigned int start = static_cast<unsigned int>((bits >> 52) & 2047U) - 1075 + 62;
  // At most 16 for such x. The minimum says so to who only sees that the exponent is any number.
  const unsigned int word = start / 64 < 18 ? start / 64 : 18;
  const unsigned int shift = start % 64;
  unsigned long long window[3];
  for (int i = 0; i < 3; ++i) {
    window[i] = two_over_pi[word + i] << shift;
    if (shift != 0) window[i] |= two_over_pi[word + i + 1] >> (64 - shift);
  }
  const Wide low = static_cast<Wide>(mantissa) * window[2];
  const Wide middle =
      static_cast<Wide>(mantissa) * window[1] + static_cast<unsigned long long>(low >> 64);
  const unsigned long long top =
      mantissa * window[0] + static_cast<unsigned long long>(middle >> 64);
  // The product's highest two bits count quarters; the bits below are the fraction of a quarter.
  Wide fraction = (static_cast<Wide>(top) << 64 | static_cast<unsigned long long>(middle)) << 2 |
                  static_cast<unsigned long long>(low) >> 62;
  unsigned int quarter = static_cast<unsigned int>(top >> 62);
  const bool above = static_cast<unsigned long long>(fraction >> 127) != 0;
  if (above) {
    fraction = ~fraction + 1;
    ++quarter;
  }
  // The two doubles of f hold 106 bits of the fraction, each without rounding.
  int zeros = 0;
  while (zeros < 64 && static_cast<unsigned long long>(fraction >> 127) == 0) {
    fraction <<= 1;
    ++zeros;
  }
  const double scale = power_of_two(-zeros);
  Sum f;
  f.high = static_cast<double>(static_cast<unsigned long long>(fraction >> 75)) * 0x1p-53 * scale;
  f.low =
      static_cast<double>(static_cast<unsigned long long>(fraction >> 22) & 0x1fffffffffffffULL) *
      0x1p-106 * scale;
  Sum rest = product(f, {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54});
  const bool negative = (bits >> 63) != above;
  if (negative) rest = {-rest.high, -rest.low};
  return {rest, (bits >> 63) != 0 ? 0U - quarter : quarter};
}

/// The reduced angle for any finite x. Subtracts a multiple of π/2, which is the sum of three
/// doubles. The first subtraction is exact.
BANKPROOF_DEVICE Angle reduced(double x) {
  if (__builtin_fabs(x) >= 0x1p20) return reduced_much(x);
  const double k = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  const double first = __builtin_fma(-k, 0x1.921fb54442d18p+0, x);
  const Sum second = exact_product(k, 0x1.1a62633145c07p-54);
  Sum rest = exact_sum(first, -second.high);
  rest.low += __builtin_fma(-k, -0x1.f1976b7ed8fbcp-110, -second.low);
  return {rest, static_cast<unsigned int>(static_cast<int>(k))};
}

/// sin r for |r| at most π/4.
BANKPROOF_DEVICE double sine_of_little(Sum r) {
  const double z = r.high * r.high;
  double p = -1.0 / 121645100408832000.0;
  p = __builtin_fma(p, z, 1.0 / 355687428096000.0);
  p = __builtin_fma(p, z, -1.0 / 1307674368000.0);
  p = __builtin_fma(p, z, 1.0 / 6227020800.0);
  p = __builtin_fma(p, z, -1.0 / 39916800.0);
  p = __builtin_fma(p, z, 1.0 / 362880.0);
  p = __builtin_fma(p, z, -1.0 / 5040.0);
  p = __builtin_fma(p, z, 1.0 / 120.0);
  p = __builtin_fma(p, z, -1.0 / 6.0);
  return r.high + __builtin_fma(z * r.high, p, r.low * (1.0 - 0.5 * z));
}
BANKPROOF_DEVICE double cosine_of_little(Sum r) {
  const Sum square = exact_product(r.high, r.high);
  const double z = square.high;
  double p = 1.0 / 2432902008176640000.0;
  p = __builtin_fma(p, z, -1.0 / 6402373705728000.0);
  p = __builtin_fma(p, z, 1.0 / 20922789888000.0);
  p = __builtin_fma(p, z, -1.0 / 87178291200.0);
  p = __builtin_fma(p, z, 1.0 / 479001600.0);
  p = __builtin_fma(p, z, -1.0 / 3628800.0);
  p = __builtin_fma(p, z, 1.0 / 40320.0);
  p = __builtin_fma(p, z, -1.0 / 720.0);
  p = __builtin_fma(p, z, 1.0 / 24.0);
  const Sum one = exact_sum(1.0, -0.5 * z);
  return one.high + (one.low + (z * z * p - (0.5 * square.low + r.high * r.low)));
}

/// The sine of the angle plus `quarters` quarter turns; one quarter turn gives the cosine.
BANKPROOF_DEVICE double sine(Angle angle, unsigned int quarters) {
  const unsigned int quarter = (angle.quarter + quarters) & 3U;
  const double value =
      (quarter & 1U) != 0 ? cosine_of_little(angle.rest) : sine_of_little(angle.rest);
  return quarter >= 2U ? -value : value;
}
BANKPROOF_DEVICE double sine(double x, unsigned int quarters) {
  if (!(__builtin_fabs(x) < infinity())) return not_a_number();
  if (x == 0.0 && quarters == 0) return x;
  return sine(reduced(x), quarters);
}
BANKPROOF_DEVICE double tangent(double x) {
  if (!(__builtin_fabs(x) < infinity())) return not_a_number();
  if (x == 0.0) return x;
  const Angle angle = reduced(x);
  return sine(angle, 0) / sine(angle, 1);
}

/// sin πx, or cos πx if `quarters` is 1. Subtracting a multiple of 1/2 from x is exact.
BANKPROOF_DEVICE double sine_of_pi(double x, unsigned int quarters) {
  if (!(__builtin_fabs(x) < infinity())) return not_a_number();
  if (x == 0.0 && quarters == 0) return x;
  const double turns = 2.0 * __builtin_rint(0.5 * x);
  const double part = x - turns;
  const double k = __builtin_rint(2.0 * part);
  const double rest = part - 0.5 * k;
  return sine(Angle{product({rest, 0.0}, {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}),
                    static_cast<unsigned int>(static_cast<int>(k))},
              quarters);
}

/// The arc tangent of numerator / denominator. Neither may be negative, and they may not be both 0
/// or both infinite.
///
/// If the angle a is not small, subtracts an angle b with tan b = 13/32 or 1. Then tan(a - b) =
/// (tan a - tan b)/(1 + tan a tan b) is below 0.21.
BANKPROOF_DEVICE Sum arc_tangent(Sum numerator, Sum denominator) {
  const bool turned = numerator.high > denominator.high;
  const Sum n = turned ? denominator : numerator;
  const Sum d = turned ? numerator : denominator;
  const double about = n.high / d.high;
  const double c = about < 0.2 ? 0.0 : about < 0.67 ? 0.40625 : 1.0;
  const Sum base = about < 0.2    ? Sum{0.0, 0.0}
                   : about < 0.67 ? Sum{0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56}
                                  : Sum{0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
  const Sum cd = exact_product(c, d.high);
  const Sum cn = exact_product(c, n.high);
  Sum over = exact_sum(n.high, -cd.high);
  over.low += n.low - (cd.low + c * d.low);
  Sum under = exact_sum(d.high, cn.high);
  under.low += d.low + (cn.low + c * n.low);
  Sum t;
  t.high = over.high / under.high;
  t.low = (__builtin_fma(-t.high, under.high, over.high) + (over.low - t.high * under.low)) /
          under.high;
  const double z = t.high * t.high;
  double p = 1.0 / 27.0;
  p = __builtin_fma(-p, z, 1.0 / 25.0);
  p = __builtin_fma(-p, z, 1.0 / 23.0);
  p = __builtin_fma(-p, z, 1.0 / 21.0);
  p = __builtin_fma(-p, z, 1.0 / 19.0);
  p = __builtin_fma(-p, z, 1.0 / 17.0);
  p = __builtin_fma(-p, z, 1.0 / 15.0);
  p = __builtin_fma(-p, z, 1.0 / 13.0);
  p = __builtin_fma(-p, z, 1.0 / 11.0);
  p = __builtin_fma(-p, z, 1.0 / 9.0);
  p = __builtin_fma(-p, z, 1.0 / 7.0);
  p = __builtin_fma(-p, z, 1.0 / 5.0);
  p = __builtin_fma(-p, z, 1.0 / 3.0);
  const Sum sum = exact_sum(base.high, t.high);
  Sum result = exact_sum(sum.high, sum.low + (base.low + (t.low - z * t.high * p)));
  if (turned) {
    const Sum right = exact_sum(0x1.921fb54442d18p+0, -result.high);
    result = exact_sum(right.high, right.low + (0x1.1a62633145c07p-54 - result.low));
  }
  return result;
}

}  // namespace bankproof_parts
