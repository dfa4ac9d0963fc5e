// The elementary functions of doubles; functions of float use them too. CUDA's own code for them is
// in a library of its toolkit, which clang cannot use here.
//
// Each function reduces its argument with negligible error (to a sum of two doubles, high + low)
// and adds up a Taylor series whose remainder is below 2^-60. At random arguments, the results were
// compared with results of 113 bits: exp, sin and cos were off by at most 0.75 units in the last
// place, the logarithms and pow by at most 0.7, all others by less than 2. A function of float
// rounds the result of the function of double.
//
// This is plain C++, so that a test on the host can compare it with a library of more digits. Such
// a test defines BANKPROOF_DEVICE.
#pragma once
#pragma GCC system_header

namespace bankproof_parts {

struct Sum {
  double high;
  double low;
};

/// a + b without error, by the six operations of Knuth's TwoSum.
BANKPROOF_DEVICE Sum exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}
/// a · b without error. The compiler must not fuse the product with the next sum, because the error
/// would count twice. It fuses even __nvvm_mul_rn_d().
BANKPROOF_DEVICE Sum exact_product(double a, double b) {
#ifdef __CUDA_ARCH__
  double product;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(product) : "d"(a), "d"(b));
#else
  const double product = a * b;
#endif
  return {product, __builtin_fma(a, b, -product)};
}
BANKPROOF_DEVICE Sum product(Sum a, Sum b) {
  const Sum first = exact_product(a.high, b.high);
  return {first.high, first.low + (a.high * b.low + a.low * b.high)};
}

BANKPROOF_DEVICE unsigned long long bits_of(double x) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
BANKPROOF_DEVICE double of_bits(unsigned long long bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
BANKPROOF_DEVICE double infinity() { return of_bits(0x7ff0000000000000ULL); }
BANKPROOF_DEVICE double not_a_number() { return of_bits(0x7fffffffffffffffULL); }

/// 2^exponent for normal numbers.
BANKPROOF_DEVICE double power_of_two(int exponent) {
  return of_bits(static_cast<unsigned long long>(exponent + 1023) << 52);
}
/// x · 2^exponent, rounded once.
BANKPROOF_DEVICE double scaled(double x, int exponent) {
  if (exponent > 3000) exponent = 3000;
  if (exponent < -3000) exponent = -3000;
  for (; exponent > 1000; exponent -= 1000) x *= power_of_two(1000);
  // A step is exact if its result is normal. Otherwise x is still to be multiplied by a factor below
  // 2^-53, so the end result is 0.
  for (; exponent < -1022; exponent += 969) x *= power_of_two(-969);
  return x * power_of_two(exponent);
}

// ---- e^x

/// e^(r.high + r.low) - 1 for |r| at most 1/2, where r.low is the rounding error of r.high.
BANKPROOF_DEVICE Sum exponential_of_little(Sum r) {
  double p = 1.0 / 1307674368000.0;
  p = __builtin_fma(p, r.high, 1.0 / 87178291200.0);
  p = __builtin_fma(p, r.high, 1.0 / 6227020800.0);
  p = __builtin_fma(p, r.high, 1.0 / 479001600.0);
  p = __builtin_fma(p, r.high, 1.0 / 39916800.0);
  p = __builtin_fma(p, r.high, 1.0 / 3628800.0);
  p = __builtin_fma(p, r.high, 1.0 / 362880.0);
  p = __builtin_fma(p, r.high, 1.0 / 40320.0);
  p = __builtin_fma(p, r.high, 1.0 / 5040.0);
  p = __builtin_fma(p, r.high, 1.0 / 720.0);
  p = __builtin_fma(p, r.high, 1.0 / 120.0);
  p = __builtin_fma(p, r.high, 1.0 / 24.0);
  p = __builtin_fma(p, r.high, 1.0 / 6.0);
  p = __builtin_fma(p, r.high, 0.5);
  const double tail = __builtin_fma(r.high * r.high, p, r.low);
  return exact_sum(r.high, tail);
}

/// e^(x.high + x.low), off by less than 0.6 units in the last place or, if the result is subnormal,
/// by less than 1.
BANKPROOF_DEVICE double exponential(Sum x) {
  if (x.high != x.high) return x.high;
  if (x.high > 710.0) return infinity();
  if (x.high < -746.0) return 0.0;
  const double k = __builtin_rint(x.high * 0x1.71547652b82fep+0);
  const double r = __builtin_fma(-k, 0x1.62e42fefa2000p-1, x.high);
  const Sum whole = exact_sum(r, -k * 0x1.9ef35793c7673p-41);
  const Sum e = exponential_of_little(exact_sum(whole.high, whole.low + x.low));
  const Sum one = exact_sum(1.0, e.high);
  return scaled(one.high + (one.low + e.low), static_cast<int>(k));
}

/// e^x - 1.
BANKPROOF_DEVICE double exponential_less_one(double x) {
  if (x > -0.5 && x < 0.5) {
    const Sum e = exponential_of_little({x, 0.0});
    return e.high + e.low;
  }
  if (!(x < 709.0)) return exponential({x, 0.0});
  if (x < -40.0) return -1.0;
  const double k = __builtin_rint(x * 0x1.71547652b82fep+0);
  const double r = __builtin_fma(-k, 0x1.62e42fefa2000p-1, x);
  const Sum e = exponential_of_little(exact_sum(r, -k * 0x1.9ef35793c7673p-41));
  const double scale = power_of_two(static_cast<int>(k) - 1);
  const Sum whole = exact_sum(scale * e.high, scale - 0.5);
  return 2.0 * (whole.high + (whole.low + scale * e.low));
}

// ---- ln x

/// ln x for positive finite x, to about 65 bits. x is m · 2^k with m between √½ and √2, so ln x is
/// 2 artanh((m - 1)/(m + 1)) + k ln 2.
BANKPROOF_DEVICE Sum logarithm(double x) {
  int exponent = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    exponent = -54;
  }
  const unsigned long long bits = bits_of(x);
  exponent += static_cast<int>(bits >> 52) - 1023;
  double m = of_bits((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++exponent;
  }
  const double f = m - 1.0;
  const Sum divisor = exact_sum(1.0, m);
  Sum s;
  s.high = f / divisor.high;
  s.low = (__builtin_fma(-s.high, divisor.high, f) - s.high * divisor.low) / divisor.high;
  Sum square = exact_product(s.high, s.high);
  square.low += 2.0 * s.high * s.low;
  const Sum cube = product(s, square);
  Sum third;
  third.high = cube.high / 3.0;
  third.low = (__builtin_fma(-3.0, third.high, cube.high) + cube.low) / 3.0;
  const double z = square.high;
  double p = 1.0 / 27.0;
  p = __builtin_fma(p, z, 1.0 / 25.0);
  p = __builtin_fma(p, z, 1.0 / 23.0);
  p = __builtin_fma(p, z, 1.0 / 21.0);
  p = __builtin_fma(p, z, 1.0 / 19.0);
  p = __builtin_fma(p, z, 1.0 / 17.0);
  p = __builtin_fma(p, z, 1.0 / 15.0);
  p = __builtin_fma(p, z, 1.0 / 13.0);
  p = __builtin_fma(p, z, 1.0 / 11.0);
  p = __builtin_fma(p, z, 1.0 / 9.0);
  p = __builtin_fma(p, z, 1.0 / 7.0);
  p = __builtin_fma(p, z, 1.0 / 5.0);
  const double tail = cube.high * z * p;
  const double k = exponent;
  const Sum large = exact_sum(k * 0x1.62e42fefa2000p-1, 2.0 * s.high);
  const Sum rest = exact_sum(k * 0x1.9ef35793c7673p-41, 2.0 * third.high);
  const Sum sum = exact_sum(large.high, rest.high);
  return exact_sum(sum.high,
                   sum.low + (large.low + (rest.low + 2.0 * (s.low + (third.low + tail)))));
}

/// Whether x is no positive finite number. If it is none, `result` becomes its logarithm.
BANKPROOF_DEVICE bool is_special_logarithm(double x, double& result) {
  if (x > 0.0 && x < infinity()) return false;
  result = x == 0.0 ? -infinity() : x > 0.0 ? x : not_a_number();
  return true;
}

/// The logarithm of x to a base. `reciprocal` is 1 / ln base.
BANKPROOF_DEVICE double logarithm_to(double x, Sum reciprocal) {
  double special;
  if (is_special_logarithm(x, special)) return special;
  const Sum result = product(logarithm(x), reciprocal);
  return result.high + result.low;
}

/// ln (1 + x).
BANKPROOF_DEVICE double logarithm_of_one_more(double x) {
  if (x == 0.0) return x;
  double special;
  if (is_special_logarithm(1.0 + x, special)) return x < -1.0 || x != x ? not_a_number() : special;
  const Sum whole = exact_sum(1.0, x);
  const Sum result = logarithm(whole.high);
  return result.high + (result.low + whole.low / whole.high);
}

// ---- x^y

/// Whether y is an odd integer.
BANKPROOF_DEVICE bool is_odd(double y) {
  return __builtin_trunc(y) == y && __builtin_fabs(y) < 0x1p53 &&
         2.0 * __builtin_trunc(y * 0.5) != y;
}

/// x^y, with the special cases of C's pow.
BANKPROOF_DEVICE double power(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return x + y;
  const double a = __builtin_fabs(x);
  if (y == infinity() || y == -infinity()) {
    if (a == 1.0) return 1.0;
    return (a > 1.0) == (y > 0.0) ? infinity() : 0.0;
  }
  const bool negative = is_odd(y) && (bits_of(x) >> 63) != 0;
  double result;
  if (a == 0.0 || a == infinity()) {
    result = (a == 0.0) == (y > 0.0) ? 0.0 : infinity();
  } else if (x < 0.0 && __builtin_trunc(y) != y) {
    return not_a_number();
  } else {
    const Sum l = logarithm(a);
    Sum e = exact_product(l.high, y);
    e.low = e.high > 800.0 || e.high < -800.0 ? 0.0 : e.low + l.low * y;
    result = exponential(e);
  }
  return negative ? -result : result;
}

}  // namespace bankproof_parts
