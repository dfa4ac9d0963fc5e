// Complex numbers, as CUDA's libraries name them.
#pragma once
#pragma GCC system_header

#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

/// Complex numbers of float.
typedef float2 cuFloatComplex;
BANKPROOF_BOTH cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
BANKPROOF_BOTH float cuCrealf(cuFloatComplex x) { return x.x; }
BANKPROOF_BOTH float cuCimagf(cuFloatComplex x) { return x.y; }
BANKPROOF_BOTH cuFloatComplex cuConjf(cuFloatComplex x) { return make_cuFloatComplex(x.x, -x.y); }
BANKPROOF_BOTH cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x + y.x, x.y + y.y);
}
BANKPROOF_BOTH cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x - y.x, x.y - y.y);
}
BANKPROOF_BOTH cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/// x / y. Divides x and y by |y.x| + |y.y| first, so that the square of y neither overflows nor
/// vanishes.
BANKPROOF_BOTH cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
  const float scale = 1.0F / (fabsf(y.x) + fabsf(y.y));
  const cuFloatComplex a = {x.x * scale, x.y * scale};
  const cuFloatComplex b = {y.x * scale, y.y * scale};
  const float inverse = 1.0F / (b.x * b.x + b.y * b.y);
  return make_cuFloatComplex((a.x * b.x + a.y * b.y) * inverse, (a.y * b.x - a.x * b.y) * inverse);
}
BANKPROOF_BOTH float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
/// x · y + z
BANKPROOF_BOTH cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex z) {
  return cuCaddf(cuCmulf(x, y), z);
}

/// Complex numbers of double.
typedef double2 cuDoubleComplex;
BANKPROOF_BOTH cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  return make_double2(real, imaginary);
}
BANKPROOF_BOTH double cuCreal(cuDoubleComplex x) { return x.x; }
BANKPROOF_BOTH double cuCimag(cuDoubleComplex x) { return x.y; }
BANKPROOF_BOTH cuDoubleComplex cuConj(cuDoubleComplex x) { return make_cuDoubleComplex(x.x, -x.y); }
BANKPROOF_BOTH cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x + y.x, x.y + y.y);
}
BANKPROOF_BOTH cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x - y.x, x.y - y.y);
}
BANKPROOF_BOTH cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
/// x / y. Divides x and y by |y.x| + |y.y| first, so that the square of y neither overflows nor
/// vanishes.
BANKPROOF_BOTH cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
  const double scale = 1.0 / (fabs(y.x) + fabs(y.y));
  const cuDoubleComplex a = {x.x * scale, x.y * scale};
  const cuDoubleComplex b = {y.x * scale, y.y * scale};
  const double inverse = 1.0 / (b.x * b.x + b.y * b.y);
  return make_cuDoubleComplex((a.x * b.x + a.y * b.y) * inverse, (a.y * b.x - a.x * b.y) * inverse);
}
BANKPROOF_BOTH double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }
/// x · y + z
BANKPROOF_BOTH cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex z) {
  return cuCadd(cuCmul(x, y), z);
}

typedef cuFloatComplex cuComplex;
BANKPROOF_BOTH cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
BANKPROOF_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_cuDoubleComplex(x.x, x.y);
}
BANKPROOF_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}
