// The types __nv_bfloat16 and __nv_bfloat162 with their operators, and CUDA's intrinsics for them.
// Arithmetic is done in float and then rounded. The result is rounded correctly, since the 24 bits
// of float are at least 2 · 8 + 2. An operation on a pair is two operations, except that a fused
// multiply-add of pairs is one instruction. Left out: comparisons that count NaN as true,
// saturating forms.
#pragma once
#pragma GCC system_header

#define __CUDA_BF16_H__

#include "cuda_runtime.h"
#include "parts/small_floats.h"

struct __attribute__((aligned(2))) __nv_bfloat16_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __device__ __nv_bfloat16(float value) { asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(__x) : "f"(value)); }
  // Converts to float, rounded to odd, and rounds the float. The result is that of rounding once,
  // since float has more than two bits to spare.
  __device__ __nv_bfloat16(double value) {
    const float cut = __double2float_rz(value);
    const bool exact = static_cast<double>(cut) == value;
    *this = __nv_bfloat16(__uint_as_float(__float_as_uint(cut) | (exact ? 0U : 1U)));
  }
  __device__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __device__ __nv_bfloat16(unsigned int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __nv_bfloat16(float value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __nv_bfloat16(double value) : __x(bankproof_parts::bits_on_host<7, 8>(value)) {}
  __host__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __nv_bfloat16(unsigned int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ operator float() const {
    const unsigned int bits = static_cast<unsigned int>(__x) << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  }
  unsigned short __x;
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

BANKPROOF_BOTH float __bfloat162float(__nv_bfloat16 x) { return static_cast<float>(x); }
BANKPROOF_BOTH __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
BANKPROOF_BOTH __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
BANKPROOF_BOTH __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
BANKPROOF_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.__x; }
BANKPROOF_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return bankproof_parts::bits_as<__nv_bfloat16>(bits);
}
BANKPROOF_BOTH __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
BANKPROOF_DEVICE int __bfloat162int_rn(__nv_bfloat16 x) { return __float2int_rn(x); }
__host__ inline int __bfloat162int_rz(__nv_bfloat16 x) {
  return bankproof_parts::integer_on_host(static_cast<float>(x), -2147483647 - 1, 2147483647);
}
BANKPROOF_DEVICE int __bfloat162int_rz(__nv_bfloat16 x) { return __float2int_rz(x); }

// ---- Pairs

BANKPROOF_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return __nv_bfloat162{low, high};
}
BANKPROOF_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return __nv_bfloat162{low, high};
}
BANKPROOF_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return __nv_bfloat162{x, x}; }
BANKPROOF_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) {
  return __bfloat162bfloat162(__nv_bfloat16(x));
}
BANKPROOF_BOTH __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return __nv_bfloat162{__nv_bfloat16(low), __nv_bfloat16(high)};
}
BANKPROOF_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __floats2bfloat162_rn(v.x, v.y);
}
BANKPROOF_BOTH float2 __bfloat1622float2(__nv_bfloat162 v) {
  return float2{static_cast<float>(v.x), static_cast<float>(v.y)};
}
BANKPROOF_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
BANKPROOF_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
BANKPROOF_BOTH float __low2float(__nv_bfloat162 v) { return static_cast<float>(v.x); }
BANKPROOF_BOTH float __high2float(__nv_bfloat162 v) { return static_cast<float>(v.y); }

// ---- Arithmetic

#define BANKPROOF_BFLOAT2(name)                                               \
  BANKPROOF_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162{name(a.x, b.x), name(a.y, b.y)};                    \
  }
#define BANKPROOF_BFLOAT(name, operation)                                                     \
  BANKPROOF_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {                       \
    return __nv_bfloat16(static_cast<float>(a) operation static_cast<float>(b));              \
  }                                                                                           \
  BANKPROOF_BOTH __nv_bfloat16 operator operation(__nv_bfloat16 a, __nv_bfloat16 b) {         \
    return name(a, b);                                                                        \
  }                                                                                           \
  BANKPROOF_BOTH __nv_bfloat16& operator operation##=(__nv_bfloat16& a, __nv_bfloat16 b) {    \
    return a = name(a, b);                                                                    \
  }                                                                                           \
  BANKPROOF_BFLOAT2(name)                                                                     \
  BANKPROOF_BOTH __nv_bfloat162 operator operation(__nv_bfloat162 a, __nv_bfloat162 b) {      \
    return name##2(a, b);                                                                     \
  }                                                                                           \
  BANKPROOF_BOTH __nv_bfloat162& operator operation##=(__nv_bfloat162& a, __nv_bfloat162 b) { \
    return a = name##2(a, b);                                                                 \
  }
BANKPROOF_BFLOAT(__hadd, +)
BANKPROOF_BFLOAT(__hsub, -)
BANKPROOF_BFLOAT(__hmul, *)
BANKPROOF_BFLOAT(__hdiv, /)
#undef BANKPROOF_BFLOAT
#define BANKPROOF_BFLOAT_EXTREME(name, code, is_greater)                       \
  __host__ inline __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return bankproof_parts::extreme_on_host(a, b, is_greater);                 \
  }                                                                            \
  BANKPROOF_DEVICE __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {      \
    __nv_bfloat16 result;                                                      \
    asm(code ".bf16 %0, %1, %2;" : "=h"(result.__x) : "h"(a.__x), "h"(b.__x)); \
    return result;                                                             \
  }                                                                            \
  BANKPROOF_BFLOAT2(name)
BANKPROOF_BFLOAT_EXTREME(__hmin, "min", false)
BANKPROOF_BFLOAT_EXTREME(__hmax, "max", true)
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
BANKPROOF_BOTH __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return __hdiv2(a, b); }
BANKPROOF_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(a.__x ^ 0x8000U));
}
BANKPROOF_BOTH __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(a.__x & 0x7fffU));
}
BANKPROOF_BOTH __nv_bfloat162 __hneg2(__nv_bfloat162 a) {
  return __nv_bfloat162{__hneg(a.x), __hneg(a.y)};
}
BANKPROOF_BOTH __nv_bfloat162 __habs2(__nv_bfloat162 a) {
  return __nv_bfloat162{__habs(a.x), __habs(a.y)};
}
BANKPROOF_BOTH __nv_bfloat16 operator-(__nv_bfloat16 a) { return __hneg(a); }
BANKPROOF_BOTH __nv_bfloat162 operator-(__nv_bfloat162 a) { return __hneg2(a); }

// ---- Comparisons

#define BANKPROOF_BFLOAT_COMPARE(name, operation)                            \
  BANKPROOF_BOTH bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {          \
    return static_cast<float>(a) operation static_cast<float>(b);            \
  }                                                                          \
  BANKPROOF_BOTH bool operator operation(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return __h##name(a, b);                                                  \
  }                                                                          \
  BANKPROOF_BOTH bool __hb##name##2(__nv_bfloat162 a, __nv_bfloat162 b) {    \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                       \
  }
BANKPROOF_BFLOAT_COMPARE(eq, ==)
BANKPROOF_BFLOAT_COMPARE(ne, !=)
BANKPROOF_BFLOAT_COMPARE(lt, <)
BANKPROOF_BFLOAT_COMPARE(le, <=)
BANKPROOF_BFLOAT_COMPARE(gt, >)
BANKPROOF_BFLOAT_COMPARE(ge, >=)
#undef BANKPROOF_BFLOAT_COMPARE
BANKPROOF_BOTH bool __hisnan(__nv_bfloat16 a) { return (a.__x & 0x7fffU) > 0x7f80U; }

// ---- Functions of one argument, through float

#define BANKPROOF_BFLOAT1(name, function)                      \
  BANKPROOF_DEVICE __nv_bfloat16 h##name(__nv_bfloat16 x) {    \
    return __nv_bfloat16(function(static_cast<float>(x)));     \
  }                                                            \
  BANKPROOF_DEVICE __nv_bfloat162 h2##name(__nv_bfloat162 x) { \
    return __nv_bfloat162{h##name(x.x), h##name(x.y)};         \
  }
BANKPROOF_BFLOAT1(rcp, 1.0F /)
BANKPROOF_BFLOAT1(sqrt, sqrtf)
BANKPROOF_BFLOAT1(rsqrt, rsqrtf)
BANKPROOF_BFLOAT1(exp, expf)
BANKPROOF_BFLOAT1(exp2, exp2f)
BANKPROOF_BFLOAT1(log, logf)
BANKPROOF_BFLOAT1(log2, log2f)
BANKPROOF_BFLOAT1(floor, floorf)
BANKPROOF_BFLOAT1(ceil, ceilf)
BANKPROOF_BFLOAT1(rint, rintf)
BANKPROOF_BFLOAT1(trunc, truncf)
BANKPROOF_BFLOAT1(exp10, exp10f)
BANKPROOF_BFLOAT1(log10, log10f)
BANKPROOF_BFLOAT1(tanh, tanhf)
BANKPROOF_BFLOAT1(sin, sinf)
BANKPROOF_BFLOAT1(cos, cosf)
#undef BANKPROOF_BFLOAT1

// ---- Shuffles

#define BANKPROOF_BFLOAT_SHUFFLE(function, Lane)                                               \
  BANKPROOF_DEVICE __nv_bfloat16 function(unsigned int mask, __nv_bfloat16 value, Lane lane,   \
                                          int width = 32) {                                    \
    return __ushort_as_bfloat16(static_cast<unsigned short>(                                   \
        function(mask, static_cast<unsigned int>(value.__x), lane, width)));                   \
  }                                                                                            \
  BANKPROOF_DEVICE __nv_bfloat162 function(unsigned int mask, __nv_bfloat162 value, Lane lane, \
                                           int width = 32) {                                   \
    return bankproof_parts::bits_as<__nv_bfloat162>(                                           \
        function(mask, bankproof_parts::bits_as<unsigned int>(value), lane, width));           \
  }
BANKPROOF_BFLOAT_SHUFFLE(__shfl_sync, int)
BANKPROOF_BFLOAT_SHUFFLE(__shfl_up_sync, unsigned int)
BANKPROOF_BFLOAT_SHUFFLE(__shfl_down_sync, unsigned int)
BANKPROOF_BFLOAT_SHUFFLE(__shfl_xor_sync, int)
#undef BANKPROOF_BFLOAT_SHUFFLE

// ---- Atomic additions, which chips before 9.0 do by comparing and swapping

BANKPROOF_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
#if __CUDA_ARCH__ >= 900
  unsigned short bits;
  asm volatile("atom.add.noftz.bf16 %0, [%1], %2;"
               : "=h"(bits)
               : "l"(address), "h"(value.__x)
               : "memory");
  return __ushort_as_bfloat16(bits);
#else
  unsigned short* const word = reinterpret_cast<unsigned short*>(address);
  unsigned short old = *reinterpret_cast<volatile unsigned short*>(word), expected;
  do {
    expected = old;
    old = atomicCAS(word, expected, (__ushort_as_bfloat16(expected) + value).__x);
  } while (old != expected);
  return __ushort_as_bfloat16(old);
#endif
}
BANKPROOF_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  using bankproof_parts::bits_as;
#if __CUDA_ARCH__ >= 900
  unsigned int bits;
  asm volatile("atom.add.noftz.bf16x2 %0, [%1], %2;"
               : "=r"(bits)
               : "l"(address), "r"(bits_as<unsigned int>(value))
               : "memory");
  return bits_as<__nv_bfloat162>(bits);
#else
  unsigned int* const word = reinterpret_cast<unsigned int*>(address);
  unsigned int old = *reinterpret_cast<volatile unsigned int*>(word), expected;
  do {
    expected = old;
    const __nv_bfloat162 sum = bits_as<__nv_bfloat162>(expected) + value;
    old = atomicCAS(word, expected, bits_as<unsigned int>(sum));
  } while (old != expected);
  return bits_as<__nv_bfloat162>(old);
#endif
}
