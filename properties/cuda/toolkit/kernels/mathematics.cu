// Calls functions of doubles, one after another, with the same arguments.
#include <cmath>

/// Any numbers: 12 results for each number.
__global__ void of_all(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double x = in[i];
  const double results[] = {exp(x), exp2(x), exp10(x), expm1(x), sin(x), cos(x),
                            tan(x), atan(x), asinh(x), cbrt(x),  erf(x), erfc(x)};
  for (int k = 0; k < 12; ++k) out[12 * i + k] = results[k];
}

/// Numbers from 0 to 1: 12 results for each number.
__global__ void of_parts(const double* in, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double x = in[i];
  const double results[] = {asin(x),       acos(x),      atanh(x), log(x),
                            log2(x),       log10(x),     log1p(x), tgamma(170.0 * x),
                            lgamma(3 * x), acosh(1 + x), sinh(x),  tanh(x)};
  for (int k = 0; k < 12; ++k) out[12 * i + k] = results[k];
}

__global__ void of_powers(const double* in, const int* exponents, double* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[2 * i] = ldexp(in[i], exponents[i]);
  out[2 * i + 1] = scalbn(in[i], exponents[i]);
}
