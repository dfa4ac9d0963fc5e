// The gamma function and its logarithm, of doubles.
//
// For x ≥ 20, Γ comes from Stirling's series, with a logarithm of more than 53 bits. For x < 20,
// Γ(x) is Γ(x + k) divided by x(x + 1)…(x + k - 1). Near 1 and 2, where ln Γ is 0, ln Γ comes from
// its Taylor series at 2. At random arguments, compared with results of 64 bits, tgamma was off by
// less than 3 units in the last place, and lgamma by less than 4 for positive arguments; for
// negative arguments it is less precise near its zeros.
#pragma once
#pragma GCC system_header

#include "circular.h"

namespace bankproof_parts {

BANKPROOF_DEVICE Sum logarithm_of_sum(Sum x) {
  const Sum ln = logarithm(x.high);
  return {ln.high, ln.low + x.low / x.high};
}

/// ln Γ(x) for x from 20 to 10^300.
BANKPROOF_DEVICE Sum stirling(Sum x) {
  const Sum ln = logarithm_of_sum(x);
  Sum less = exact_sum(x.high, -0.5);
  less.low += x.low;
  const Sum whole = product(less, ln);
  const Sum rest = exact_sum(whole.high, -x.high);
  const double r = 1.0 / x.high;
  const double z = r * r;
  double p = -691.0 / 360360.0;
  p = __builtin_fma(p, z, 1.0 / 1188.0);
  p = __builtin_fma(p, z, -1.0 / 1680.0);
  p = __builtin_fma(p, z, 1.0 / 1260.0);
  p = __builtin_fma(p, z, -1.0 / 360.0);
  p = __builtin_fma(p, z, 1.0 / 12.0);
  const Sum sum = exact_sum(rest.high, 0x1.d67f1c864beb5p-1);  // ½ ln 2π
  return exact_sum(sum.high,
                   sum.low + (rest.low + (whole.low - x.low + (p * r - 0x1.65b5a1b7ff5dfp-55))));
}

BANKPROOF_DEVICE double tgamma(double x) {
  if (x == 0.0) return __builtin_copysign(infinity(), x);
  if (x != x || x == infinity()) return x;
  if (x < 0.0 && x == __builtin_trunc(x)) return not_a_number();
  if (x > 172.0) return infinity();
  if (__builtin_fabs(x) < 0x1p-54) return 1.0 / x;
  if (x < -190.0) {
    const double half = 0.5 * __builtin_floor(x);
    return half == __builtin_floor(half) ? 0.0 : -0.0;
  }
  const double steps = x < 20.0 ? __builtin_ceil(20.0 - x) : 0.0;
  double result = exponential(stirling(exact_sum(x, steps)));
  Sum divisor{1.0, 0.0};
  for (double k = 0.0; k < steps; k += 1.0) {
    divisor = product(divisor, exact_sum(x, k));
    if (__builtin_fabs(divisor.high) > 0x1p500) {
      result /= divisor.high + divisor.low;
      divisor = {1.0, 0.0};
    }
  }
  return result / (divisor.high + divisor.low);
}

/// ln Γ(2 + t) for |t| up to 1/2: (1 - γ)t plus the sum of (ζ(k) - 1)(-t)^k / k for k ≥ 2.
BANKPROOF_DEVICE Sum logarithm_of_gamma_near_two(double t) {
  double p = 3.1044247747322276e-11;
  p = __builtin_fma(p, -t, 6.4229645638381e-11);
  p = __builtin_fma(p, -t, 1.330476437424449e-10);
  p = __builtin_fma(p, -t, 2.7595228851242334e-10);
  p = __builtin_fma(p, -t, 5.731367241678862e-10);
  p = __builtin_fma(p, -t, 1.1921401405860912e-09);
  p = __builtin_fma(p, -t, 2.4836745438024785e-09);
  p = __builtin_fma(p, -t, 5.183475041970047e-09);
  p = __builtin_fma(p, -t, 1.0838659214896955e-08);
  p = __builtin_fma(p, -t, 2.2711094608943164e-08);
  p = __builtin_fma(p, -t, 4.7698101693639804e-08);
  p = __builtin_fma(p, -t, 1.0043224823968099e-07);
  p = __builtin_fma(p, -t, 2.1207184805554665e-07);
  p = __builtin_fma(p, -t, 4.492469198764566e-07);
  p = __builtin_fma(p, -t, 9.55141213040742e-07);
  p = __builtin_fma(p, -t, 2.039215753801366e-06);
  p = __builtin_fma(p, -t, 4.374866789907488e-06);
  p = __builtin_fma(p, -t, 9.439488275268397e-06);
  p = __builtin_fma(p, -t, 2.050721277567069e-05);
  p = __builtin_fma(p, -t, 4.492623673813314e-05);
  p = __builtin_fma(p, -t, 9.945751278180853e-05);
  p = __builtin_fma(p, -t, 0.00022315475845357939);
  p = __builtin_fma(p, -t, 0.0005096695247430425);
  p = __builtin_fma(p, -t, 0.001192753911703261);
  p = __builtin_fma(p, -t, 0.0028905103307415234);
  p = __builtin_fma(p, -t, 0.007385551028673986);
  p = __builtin_fma(p, -t, 0.020580808427784546);
  p = __builtin_fma(p, -t, 0.0673523010531981);
  p = __builtin_fma(p, -t, 0.3224670334241132);
  const Sum linear = product({t, 0.0}, {0x1.b0ee6072093cep-2, 0x1.6cb90701fbfabp-58});
  const Sum sum = exact_sum(linear.high, t * t * p);
  return {sum.high, sum.low + linear.low};
}

/// ln Γ(x) for positive x.
BANKPROOF_DEVICE double logarithm_of_gamma(double x) {
  if (x > 1e300) return x < 2.6e305 ? x * (logarithm(x).high - 1.0) : infinity();
  if (x < 2.5) {
    // ln Γ(x) comes from ln Γ(2 + t), by up to two steps of Γ(x) = Γ(x + 1) / x.
    const double t = x < 0.5 ? x : x < 1.5 ? x - 1.0 : x - 2.0;
    const Sum near_two = logarithm_of_gamma_near_two(t);
    if (x >= 1.5) return near_two.high + near_two.low;
    const Sum ln = logarithm_of_sum(exact_sum(1.0, t));
    const Sum near_one = exact_sum(near_two.high, -ln.high);
    const double low = near_one.low + (near_two.low - ln.low);
    if (x >= 0.5) return near_one.high + low;
    return low + (near_one.high - logarithm(x).high);
  }
  Sum at{x, 0.0};
  Sum divisor{1.0, 0.0};
  for (double k = 1.0; at.high < 20.0; k += 1.0) {
    divisor = product(divisor, at);
    at = exact_sum(x, k);
  }
  const Sum ln = logarithm_of_sum(divisor);
  const Sum above = stirling(at);
  const Sum rest = exact_sum(above.high, -ln.high);
  return rest.high + (rest.low + (above.low - ln.low));
}
BANKPROOF_DEVICE double lgamma(double x) {
  if (x != x) return x;
  const double a = __builtin_fabs(x);
  if (a == infinity() || (x <= 0.0 && x == __builtin_trunc(x))) return infinity();
  if (x > 0.0) return logarithm_of_gamma(x);
  if (a < 0x1p-60) return -logarithm(a).high;
  // Γ(x) Γ(-x) is -π / (x sin πx).
  const double other = logarithm(a * __builtin_fabs(sine_of_pi(x, 0))).high;
  return 0x1.250d048e7a1bdp+0 - other - logarithm_of_gamma(a);
}

}  // namespace bankproof_parts
