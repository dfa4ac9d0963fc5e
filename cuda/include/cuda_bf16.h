// The type __nv_bfloat16: conversions, and arithmetic through float, which rounds to the same value
// (24 bits are at least 2 · 8 + 2). Pairs are two of them, but for fused multiply-adds.
#pragma once
#pragma GCC system_header

#include "cuda_runtime.h"

struct __attribute__((aligned(2))) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __device__ __nv_bfloat16(float value) { asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(__x) : "f"(value)); }
  __device__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<float>(value)) {}
  __host__ __nv_bfloat16(float);
  __host__ __nv_bfloat16(int);
  __host__ __device__ operator float() const {
    const unsigned int bits = static_cast<unsigned int>(__x) << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  }
  unsigned short __x;
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

BANKPROOF_DEVICE float __bfloat162float(__nv_bfloat16 x) { return static_cast<float>(x); }
BANKPROOF_DEVICE __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
BANKPROOF_DEVICE __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
// Rounded to odd on the way, so that it is rounded once: a float has more than two bits to spare.
BANKPROOF_DEVICE __nv_bfloat16 __double2bfloat16(double x) {
  const float cut = __double2float_rz(x);
  const bool exact = static_cast<double>(cut) == x;
  return __nv_bfloat16(__uint_as_float(__float_as_uint(cut) | (exact ? 0U : 1U)));
}
__host__ float __bfloat162float(__nv_bfloat16 x);
__host__ __nv_bfloat16 __float2bfloat16(float x);

#define BANKPROOF_BFLOAT2(name)                                                 \
  BANKPROOF_DEVICE __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162{name(a.x, b.x), name(a.y, b.y)};                      \
  }
#define BANKPROOF_BFLOAT(name, operation)                                               \
  BANKPROOF_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {               \
    return __nv_bfloat16(static_cast<float>(a) operation static_cast<float>(b));        \
  }                                                                                     \
  BANKPROOF_DEVICE __nv_bfloat16 operator operation(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return name(a, b);                                                                  \
  }                                                                                     \
  BANKPROOF_BFLOAT2(name)
BANKPROOF_BFLOAT(__hadd, +)
BANKPROOF_BFLOAT(__hsub, -)
BANKPROOF_BFLOAT(__hmul, *)
BANKPROOF_BFLOAT(__hdiv, /)
#undef BANKPROOF_BFLOAT
#define BANKPROOF_BFLOAT_EXTREME(name, code)                                   \
  BANKPROOF_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {      \
    __nv_bfloat16 result;                                                      \
    asm(code ".bf16 %0, %1, %2;" : "=h"(result.__x) : "h"(a.__x), "h"(b.__x)); \
    return result;                                                             \
  }                                                                            \
  BANKPROOF_BFLOAT2(name)
BANKPROOF_BFLOAT_EXTREME(__hmin, "min")
BANKPROOF_BFLOAT_EXTREME(__hmax, "max")
#undef BANKPROOF_BFLOAT_EXTREME
#undef BANKPROOF_BFLOAT2
BANKPROOF_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  __nv_bfloat16 result;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result.__x) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return result;
}
BANKPROOF_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  unsigned int bits;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(bankproof_parts::bits_as<unsigned int>(a)),
        "r"(bankproof_parts::bits_as<unsigned int>(b)),
        "r"(bankproof_parts::bits_as<unsigned int>(c)));
  return bankproof_parts::bits_as<__nv_bfloat162>(bits);
}
BANKPROOF_DEVICE __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return __nv_bfloat162{__nv_bfloat16(low), __nv_bfloat16(high)};
}
