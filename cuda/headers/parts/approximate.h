// The fast functions, one or two approximate instructions each. CUDA Math API, "Single Precision
// Intrinsics", gives the definitions, such as the products with log2(e), ln(2), log10(2) and
// log2(10).
#pragma once
#pragma GCC system_header

#include "attributes.h"

#define BANKPROOF_APPROXIMATE(name, code)         \
  BANKPROOF_DEVICE float name(float x) {          \
    float result;                                 \
    asm(code " %0, %1;" : "=f"(result) : "f"(x)); \
    return result;                                \
  }
namespace bankproof_parts {
BANKPROOF_APPROXIMATE(power_of_two, "ex2.approx.f32")
BANKPROOF_APPROXIMATE(logarithm, "lg2.approx.f32")
}  // namespace bankproof_parts
BANKPROOF_APPROXIMATE(__sinf, "sin.approx.f32")
BANKPROOF_APPROXIMATE(__cosf, "cos.approx.f32")
BANKPROOF_APPROXIMATE(__tanhf, "tanh.approx.f32")
BANKPROOF_APPROXIMATE(rsqrtf, "rsqrt.approx.f32")
#undef BANKPROOF_APPROXIMATE

// __frsqrt_rn rounds to nearest, but rsqrt.approx is off by up to 2^-22.9. So this function rounds
// a quotient of doubles, which gives the nearest float unless the quotient lies within 2^-29 of the
// midpoint of two floats.
BANKPROOF_DEVICE float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}

BANKPROOF_DEVICE float __fdividef(float x, float y) {
  float result;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}
BANKPROOF_DEVICE float __saturatef(float x) {
  float result;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

BANKPROOF_DEVICE float __expf(float x) {
  return bankproof_parts::power_of_two(x * 1.4426950408889634F);
}
BANKPROOF_DEVICE float __exp10f(float x) {
  return bankproof_parts::power_of_two(x * 3.3219280948873623F);
}
BANKPROOF_DEVICE float __log2f(float x) { return bankproof_parts::logarithm(x); }
BANKPROOF_DEVICE float __logf(float x) {
  return bankproof_parts::logarithm(x) * 0.6931471805599453F;
}
BANKPROOF_DEVICE float __log10f(float x) {
  return bankproof_parts::logarithm(x) * 0.3010299956639812F;
}
BANKPROOF_DEVICE float __powf(float x, float y) {
  return bankproof_parts::power_of_two(y * bankproof_parts::logarithm(x));
}
BANKPROOF_DEVICE float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
BANKPROOF_DEVICE void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
