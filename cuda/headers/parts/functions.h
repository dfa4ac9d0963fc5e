// The functions of <cmath> for doubles, made from the functions of elementary.h and circular.h.
// They are in a separate namespace; mathematics.h gives them CUDA's names.
#pragma once
#pragma GCC system_header

#include "circular.h"

namespace bankproof_parts {

BANKPROOF_DEVICE double exp(double x) { return exponential({x, 0.0}); }
BANKPROOF_DEVICE double expm1(double x) { return x == 0.0 ? x : exponential_less_one(x); }
BANKPROOF_DEVICE double exp2(double x) {
  if (!(x < 1100.0)) return exponential({x, 0.0});
  if (x < -1100.0) return 0.0;
  const double k = __builtin_rint(x);
  const Sum r = product({x - k, 0.0}, {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56});
  const Sum e = exponential_of_little(r);
  const Sum one = exact_sum(1.0, e.high);
  return scaled(one.high + (one.low + e.low), static_cast<int>(k));
}
BANKPROOF_DEVICE double exp10(double x) {
  if (!(__builtin_fabs(x) < 400.0)) return exponential({2.0 * x, 0.0});
  return exponential(product({x, 0.0}, {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}));
}
BANKPROOF_DEVICE double log(double x) { return logarithm_to(x, {1.0, 0.0}); }
BANKPROOF_DEVICE double log2(double x) {
  return logarithm_to(x, {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56});
}
BANKPROOF_DEVICE double log10(double x) {
  return logarithm_to(x, {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
}
BANKPROOF_DEVICE double log1p(double x) { return logarithm_of_one_more(x); }
BANKPROOF_DEVICE double pow(double x, double y) { return power(x, y); }

BANKPROOF_DEVICE double sin(double x) { return sine(x, 0); }
BANKPROOF_DEVICE double cos(double x) { return sine(x, 1); }
BANKPROOF_DEVICE double tan(double x) { return tangent(x); }
BANKPROOF_DEVICE double sinpi(double x) { return sine_of_pi(x, 0); }
BANKPROOF_DEVICE double cospi(double x) { return sine_of_pi(x, 1); }

BANKPROOF_DEVICE double atan(double x) {
  if (x == 0.0 || x != x) return x;
  const double a = __builtin_fabs(x);
  const Sum angle =
      a == infinity() ? Sum{0x1.921fb54442d18p+0, 0.0} : arc_tangent({a, 0.0}, {1.0, 0.0});
  return __builtin_copysign(angle.high + angle.low, x);
}
BANKPROOF_DEVICE double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = __builtin_fabs(y), b = __builtin_fabs(x);
  const bool left = (bits_of(x) >> 63) != 0;
  if (a == infinity() && b == infinity()) a = b = 1.0;
  // Scales a and b, so that the products in arc_tangent() neither overflow nor vanish.
  const double larger = a > b ? a : b;
  const double scale = larger > 0x1p900 ? 0x1p-200 : larger < 0x1p-800 ? 0x1p200 : 1.0;
  a *= scale;
  b *= scale;
  Sum angle{0.0, 0.0};
  if (a == infinity() || b == 0.0) {
    if (a != 0.0) angle = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  } else if (b != infinity()) {
    angle = arc_tangent({a, 0.0}, {b, 0.0});
  }
  if (left) {
    const Sum other = exact_sum(0x1.921fb54442d18p+1, -angle.high);
    angle = {other.high, other.low + (0x1.1a62633145c07p-53 - angle.low)};
  }
  return __builtin_copysign(angle.high + angle.low, y);
}

/// √(1 - x²) for |x| at most 1.
BANKPROOF_DEVICE Sum other_leg(double x) {
  const Sum square = exact_product(x, x);
  Sum rest = exact_sum(1.0, -square.high);
  rest.low -= square.low;
  const double root = __builtin_sqrt(rest.high + rest.low);
  if (root == 0.0) return {0.0, 0.0};
  const double error = __builtin_fma(-root, root, rest.high) + rest.low;
  return {root, error / (2.0 * root)};
}
BANKPROOF_DEVICE double asin(double x) {
  const double a = __builtin_fabs(x);
  if (!(a <= 1.0)) return not_a_number();
  if (a < 0x1p-27) return x;
  const Sum angle = arc_tangent({a, 0.0}, other_leg(a));
  return __builtin_copysign(angle.high + angle.low, x);
}
BANKPROOF_DEVICE double acos(double x) {
  const double a = __builtin_fabs(x);
  if (!(a <= 1.0)) return not_a_number();
  Sum angle = arc_tangent(other_leg(a), {a, 0.0});
  if (x < 0.0) {
    const Sum other = exact_sum(0x1.921fb54442d18p+1, -angle.high);
    angle = {other.high, other.low + (0x1.1a62633145c07p-53 - angle.low)};
  }
  return angle.high + angle.low;
}

BANKPROOF_DEVICE double sinh(double x) {
  const double a = __builtin_fabs(x);
  if (a < 0x1p-27 || x != x) return x;
  double result;
  if (a > 709.0) {
    const double half = exponential({0.5 * a, 0.0});
    result = 0.5 * half * half;
  } else if (a > 1.0) {
    const double e = exponential({a, 0.0});
    result = 0.5 * e - 0.5 / e;
  } else {
    const double z = a * a;
    double p = 1.0 / 51090942171709440000.0;
    p = __builtin_fma(p, z, 1.0 / 121645100408832000.0);
    p = __builtin_fma(p, z, 1.0 / 355687428096000.0);
    p = __builtin_fma(p, z, 1.0 / 1307674368000.0);
    p = __builtin_fma(p, z, 1.0 / 6227020800.0);
    p = __builtin_fma(p, z, 1.0 / 39916800.0);
    p = __builtin_fma(p, z, 1.0 / 362880.0);
    p = __builtin_fma(p, z, 1.0 / 5040.0);
    p = __builtin_fma(p, z, 1.0 / 120.0);
    p = __builtin_fma(p, z, 1.0 / 6.0);
    result = __builtin_fma(a * z, p, a);
  }
  return __builtin_copysign(result, x);
}
BANKPROOF_DEVICE double cosh(double x) {
  const double a = __builtin_fabs(x);
  if (a > 709.0) {
    const double half = exponential({0.5 * a, 0.0});
    return 0.5 * half * half;
  }
  const double e = exponential({a, 0.0});
  return 0.5 * e + 0.5 / e;
}
BANKPROOF_DEVICE double tanh(double x) {
  const double a = __builtin_fabs(x);
  if (a < 0x1p-27 || x != x) return x;
  double result = 1.0;
  if (a < 22.0) {
    const double t = exponential_less_one(2.0 * a);
    result = t / (t + 2.0);
  }
  return __builtin_copysign(result, x);
}
BANKPROOF_DEVICE double asinh(double x) {
  const double a = __builtin_fabs(x);
  if (a < 0x1p-27 || !(a < infinity())) return x;
  const double result = a > 0x1p28 ? logarithm(a).high + 0x1.62e42fefa39efp-1
                                   : log1p(a + a * a / (1.0 + __builtin_sqrt(a * a + 1.0)));
  return __builtin_copysign(result, x);
}
BANKPROOF_DEVICE double acosh(double x) {
  if (!(x >= 1.0)) return not_a_number();
  if (x > 0x1p28) return x == infinity() ? x : logarithm(x).high + 0x1.62e42fefa39efp-1;
  const double t = x - 1.0;
  return log1p(t + __builtin_sqrt(2.0 * t + t * t));
}
BANKPROOF_DEVICE double atanh(double x) {
  const double a = __builtin_fabs(x);
  if (!(a <= 1.0)) return not_a_number();
  if (a < 0x1p-27) return x;
  return __builtin_copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x);
}

BANKPROOF_DEVICE double cbrt(double x) {
  const bool small = __builtin_fabs(x) < 0x1p-900;
  const double a = small ? __builtin_fabs(x) * 0x1p300 : __builtin_fabs(x);
  if (a == 0.0 || !(a < infinity())) return x;
  const Sum l = logarithm(a);
  const double root = exponential({l.high / 3.0, 0.0});
  // One step of Newton's method, in which a - root³ is computed almost without error.
  const Sum square = exact_product(root, root);
  const Sum cube = product(square, {root, 0.0});
  const double better = root + ((a - cube.high) - cube.low) / (3.0 * square.high);
  return __builtin_copysign(small ? better * 0x1p-100 : better, x);
}
BANKPROOF_DEVICE double hypot(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (a == infinity() || b == infinity()) return infinity();
  if (x != x || y != y) return x + y;
  if (a < b) {
    const double other = a;
    a = b;
    b = other;
  }
  if (a == 0.0) return 0.0;
  const double scale = a > 0x1p500 ? 0x1p-600 : a < 0x1p-500 ? 0x1p600 : 1.0;
  a *= scale;
  b *= scale;
  const Sum first = exact_product(a, a);
  const Sum second = exact_product(b, b);
  const Sum sum = exact_sum(first.high, second.high);
  return __builtin_sqrt(sum.high + (sum.low + (first.low + second.low))) / scale;
}

/// The exponent of the leading bit of a positive number, plus a constant.
BANKPROOF_DEVICE int exponent_of(double x) {
  const int exponent = static_cast<int>(bits_of(x) >> 52);
  return exponent != 0 ? exponent : static_cast<int>(bits_of(x * 0x1p54) >> 52) - 54;
}
/// The exact remainder of x / y. As long as the rest is at least |y|, subtracts |y| times the
/// largest power of two for which the product is at most the rest.
BANKPROOF_DEVICE double fmod(double x, double y) {
  const double b = __builtin_fabs(y);
  double a = __builtin_fabs(x);
  if (!(a < infinity()) || !(b > 0.0)) return not_a_number();
  while (a >= b) {
    double part = scaled(b, exponent_of(a) - exponent_of(b));
    if (part > a) part *= 0.5;
    a -= part;
  }
  return __builtin_copysign(a, x);
}

}  // namespace bankproof_parts
