// All names of the mathematical functions, the casts, and the rounding intrinsics.
#include <cuda_runtime.h>
#include <math_constants.h>

#include <cmath>

__global__ void floats(float* out, const float* in, int n) {
  const float a = in[0], b = in[1];
  out[0] = sinf(a) + cosf(a) + tanf(a) + asinf(a) + acosf(a) + atanf(a) + atan2f(a, b);
  out[1] = expf(a) + exp2f(a) + exp10f(a) + expm1f(a) + logf(a) + log2f(a) + log10f(a) + log1pf(a);
  out[2] = sinhf(a) + coshf(a) + tanhf(a) + asinhf(a) + acoshf(a) + atanhf(a) + cbrtf(a);
  out[3] = powf(a, b) + hypotf(a, b) + fmodf(a, b) + fminf(a, b) + fmaxf(a, b) + fdimf(a, b);
  out[4] =
      sqrtf(a) + rsqrtf(a) + fabsf(a) + floorf(a) + ceilf(a) + truncf(a) + rintf(a) + roundf(a);
  out[5] =
      std::sin(a) + std::exp(a) + std::pow(a, b) + std::sqrt(a) + std::abs(a) + std::fmax(a, b);
  out[6] = sin(a) + exp(a) + pow(a, b) + sqrt(a) + abs(a) + min(a, b) + max(a, 1.0f) + pow(a, 2.0f);
  out[7] = __sinf(a) + __cosf(a) + __expf(a) + __logf(a) + __log2f(a) + __powf(a, b) + __tanf(a);
  out[8] =
      __fdividef(a, b) + __saturatef(a) + __fmaf_rn(a, b, a) + __fadd_rz(a, b) + __fmul_ru(a, b);
  out[9] = __frcp_rn(a) + __fsqrt_rd(a) + __fdiv_rn(a, b) + fmaf(a, b, a) + copysignf(a, b);
  out[10] = __int_as_float(__float_as_int(a) ^ n) + __uint_as_float(__float_as_uint(b));
  out[11] = __float2int_rn(a) + __float2uint_rz(b) + __int2float_ru(n) + lrintf(a) + lroundf(b);
  out[12] = ldexpf(a, n) + sinpif(a) + cospif(a) + CUDART_PI_F + __frsqrt_rn(a);
  sincosf(a, out + 13, out + 14);
  out[16] =
      erff(a) + erfcf(a) + erfcxf(a) + erfinvf(a) + erfcinvf(a) + normcdff(a) + normcdfinvf(a);
  out[17] = tgammaf(a) + lgammaf(a) + std::erf(a) + std::tgamma(a) + erf(a) + lgamma(a) + logbf(a);
  out[18] = remainderf(a, b) + nextafterf(a, b) + remquof(a, b, &n) + frexpf(a, &n) + ilogbf(a);
  out[19] = norm3df(a, b, a) + rnorm3df(a, b, a) + norm4df(a, b, a, b) + rnorm4df(a, b, a, b);
  out[20] = rhypotf(a, b) + rcbrtf(a) + scalblnf(a, n) + nanf("") + std::nextafter(a, b) + logb(a);
  out[15] = isnan(a) + isinf(b) + std::isnan(a) + signbit(b) + isfinite(a);
}

__global__ void doubles(double* out, const double* in, int n) {
  const double a = in[0], b = in[1];
  out[0] = sin(a) + cos(a) + tan(a) + asin(a) + acos(a) + atan(a) + atan2(a, b) + sinpi(a);
  out[1] = exp(a) + exp2(a) + exp10(a) + expm1(a) + log(a) + log2(a) + log10(a) + log1p(a);
  out[2] = sinh(a) + cosh(a) + tanh(a) + asinh(a) + acosh(a) + atanh(a) + cbrt(a);
  out[3] = pow(a, b) + pow(a, n) + hypot(a, b) + fmod(a, b) + fmin(a, b) + fmax(a, b) + fdim(a, b);
  out[4] = sqrt(a) + rsqrt(a) + fabs(a) + floor(a) + ceil(a) + trunc(a) + rint(a) + round(a);
  out[5] = std::sin(a) + std::exp(a) + std::pow(a, b) + std::sqrt(a) + std::abs(a) + abs(n);
  out[6] = __dadd_rd(a, b) + __dmul_rn(a, b) + __fma_rz(a, b, a) + __ddiv_rn(a, b) + __dsqrt_ru(a);
  out[7] = __longlong_as_double(__double_as_longlong(a)) + __hiloint2double(n, n);
  out[8] = __double2int_rn(a) + __double2float_rz(b) + __ll2double_rn(n) + llround(a) + CUDART_PI;
  out[9] = ldexp(a, n) + scalbn(b, n) + max(a, b) + min(n, 3) + fma(a, b, a) + modf(a, out + 12);
  sincos(a, out + 10, out + 11);
  out[13] = erf(a) + erfc(a) + erfcx(a) + erfinv(a) + erfcinv(a) + normcdf(a) + normcdfinv(a);
  out[14] = tgamma(a) + lgamma(a) + std::erf(a) + std::lgamma(a) + logb(a) + rcbrt(a);
  out[15] = remainder(a, b) + nextafter(a, b) + remquo(a, b, &n) + frexp(a, &n) + ilogb(a);
  out[16] = norm3d(a, b, a) + rnorm3d(a, b, a) + norm4d(a, b, a, b) + rnorm4d(a, b, a, b);
  out[17] = rhypot(a, b) + scalbln(a, n) + nan("") + std::remainder(a, b);
  sincospi(a, out + 18, out + 19);
}

int main() {
  floats<<<1, 1>>>(nullptr, nullptr, 1);
  doubles<<<1, 1>>>(nullptr, nullptr, 1);
  return static_cast<int>(std::sqrt(std::fabs(std::sin(0.0))));
}
