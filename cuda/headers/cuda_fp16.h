// Half precision: the types __half and __half2 with their operators, and CUDA's intrinsics for
// them, one instruction each (CUDA Math API, "Half Precision Intrinsics").
//
// Functions of one argument go through float, and so does arithmetic of host code: rounding a float
// gives the correctly rounded result, since its 24 bits are at least 2 · 11 + 2. Left out:
// comparisons that count NaN as true (…u), and saturating forms.
#pragma once
#pragma GCC system_header

#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "parts/small_floats.h"

struct __attribute__((aligned(2))) __half_raw {
  unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
  unsigned short x, y;
};

struct __attribute__((aligned(2))) __half {
  __half() = default;
  __host__ __device__ __half(__half_raw raw) : __x(raw.x) {}
  __device__ __half(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(__x) : "f"(value)); }
  __device__ __half(double value) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(__x) : "d"(value)); }
  __device__ __half(int value) { asm("cvt.rn.f16.s32 %0, %1;" : "=h"(__x) : "r"(value)); }
  __device__ __half(unsigned int value) { asm("cvt.rn.f16.u32 %0, %1;" : "=h"(__x) : "r"(value)); }
  __host__ __device__ __half(short value) : __half(static_cast<int>(value)) {}
  __host__ __device__ __half(unsigned short value) : __half(static_cast<unsigned int>(value)) {}
  __device__ __half(long long value) { asm("cvt.rn.f16.s64 %0, %1;" : "=h"(__x) : "l"(value)); }
  __device__ __half(unsigned long long value) {
    asm("cvt.rn.f16.u64 %0, %1;" : "=h"(__x) : "l"(value));
  }
  __host__ __half(float value) : __half(static_cast<double>(value)) {}
  __host__ __half(double value) : __x(bankproof_parts::bits_on_host<10, 5>(value)) {}
  __host__ __half(int value) : __half(static_cast<double>(value)) {}
  __host__ __half(unsigned int value) : __half(static_cast<double>(value)) {}
  __host__ __half(long long value) : __half(static_cast<double>(value)) {}
  __host__ __half(unsigned long long value) : __half(static_cast<double>(value)) {}
  __host__ __device__ __half(long value) : __half(static_cast<long long>(value)) {}
  __host__ __device__ __half(unsigned long value)
      : __half(static_cast<unsigned long long>(value)) {}
  __host__ operator float() const { return bankproof_parts::half_on_host(__x); }

  __device__ operator float() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(__x));
    return value;
  }
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
  __device__ explicit operator int() const {
    int value;
    asm("cvt.rzi.s32.f16 %0, %1;" : "=r"(value) : "h"(__x));
    return value;
  }
  __device__ explicit operator unsigned int() const {
    unsigned int value;
    asm("cvt.rzi.u32.f16 %0, %1;" : "=r"(value) : "h"(__x));
    return value;
  }
  __host__ explicit operator int() const {
    return bankproof_parts::integer_on_host(static_cast<float>(*this), -2147483647 - 1, 2147483647);
  }
  __host__ explicit operator unsigned int() const {
    return bankproof_parts::integer_on_host(static_cast<float>(*this), 0U, 4294967295U);
  }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fffU) != 0; }

  unsigned short __x;
};
struct __attribute__((aligned(4))) __half2 {
  __half2() = default;
  __host__ __device__ __half2(__half low, __half high) : x(low), y(high) {}
  __half x, y;
};
typedef __half half;
typedef __half2 half2;

namespace bankproof_parts {
BANKPROOF_BOTH unsigned int bits_of(__half2 v) { return bits_as<unsigned int>(v); }
BANKPROOF_BOTH __half2 half2_of(unsigned int bits) { return bits_as<__half2>(bits); }
BANKPROOF_BOTH __half half_of(unsigned short bits) { return __half(__half_raw{bits}); }
}  // namespace bankproof_parts

// ---- Conversions

BANKPROOF_BOTH float __half2float(__half x) { return static_cast<float>(x); }
BANKPROOF_BOTH __half __float2half(float x) { return __half(x); }
BANKPROOF_BOTH __half __double2half(double x) { return __half(x); }
#define BANKPROOF_TO_HALF(mode, code)                                \
  BANKPROOF_DEVICE __half __float2half_##mode(float x) {             \
    unsigned short bits;                                             \
    asm("cvt." code ".f16.f32 %0, %1;" : "=h"(bits) : "f"(x));       \
    return bankproof_parts::half_of(bits);                           \
  }                                                                  \
  BANKPROOF_DEVICE __half __int2half_##mode(int x) {                 \
    unsigned short bits;                                             \
    asm("cvt." code ".f16.s32 %0, %1;" : "=h"(bits) : "r"(x));       \
    return bankproof_parts::half_of(bits);                           \
  }                                                                  \
  BANKPROOF_DEVICE int __half2int_##mode(__half x) {                 \
    int value;                                                       \
    asm("cvt." code "i.s32.f16 %0, %1;" : "=r"(value) : "h"(x.__x)); \
    return value;                                                    \
  }
BANKPROOF_TO_HALF(rn, "rn")
BANKPROOF_TO_HALF(rz, "rz")
BANKPROOF_TO_HALF(ru, "rp")
BANKPROOF_TO_HALF(rd, "rm")
#undef BANKPROOF_TO_HALF
__host__ inline __half __float2half_rn(float x) { return __half(x); }
__host__ inline __half __int2half_rn(int x) { return __half(x); }
__host__ inline int __half2int_rz(__half x) { return static_cast<int>(x); }
BANKPROOF_BOTH unsigned short __half_as_ushort(__half x) { return x.__x; }
BANKPROOF_BOTH short __half_as_short(__half x) { return static_cast<short>(x.__x); }
BANKPROOF_BOTH __half __ushort_as_half(unsigned short bits) {
  return bankproof_parts::half_of(bits);
}
BANKPROOF_BOTH __half __short_as_half(short bits) {
  return bankproof_parts::half_of(static_cast<unsigned short>(bits));
}

BANKPROOF_BOTH __half2 __halves2half2(__half low, __half high) { return __half2(low, high); }
BANKPROOF_BOTH __half2 make_half2(__half low, __half high) { return __half2(low, high); }
BANKPROOF_BOTH __half2 __half2half2(__half x) { return __half2(x, x); }
BANKPROOF_BOTH __half2 __float2half2_rn(float x) { return __half2(__half(x), __half(x)); }
BANKPROOF_BOTH __half2 __floats2half2_rn(float low, float high) {
  return __half2(__half(low), __half(high));
}
BANKPROOF_BOTH __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
BANKPROOF_BOTH float2 __half22float2(__half2 v) {
  return float2{static_cast<float>(v.x), static_cast<float>(v.y)};
}
BANKPROOF_BOTH __half __low2half(__half2 v) { return v.x; }
BANKPROOF_BOTH __half __high2half(__half2 v) { return v.y; }
BANKPROOF_BOTH float __low2float(__half2 v) { return static_cast<float>(v.x); }
BANKPROOF_BOTH float __high2float(__half2 v) { return static_cast<float>(v.y); }
BANKPROOF_BOTH __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
BANKPROOF_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
BANKPROOF_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }

// ---- Arithmetic

#define BANKPROOF_HALF2(name, code, on_host)                                   \
  __host__ inline __half name(__half a, __half b) { return on_host; }          \
  __host__ inline __half2 name##2(__half2 a, __half2 b) {                      \
    return __half2(name(a.x, b.x), name(a.y, b.y));                            \
  }                                                                            \
  BANKPROOF_DEVICE __half name(__half a, __half b) {                           \
    unsigned short bits;                                                       \
    asm(code ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));        \
    return bankproof_parts::half_of(bits);                                     \
  }                                                                            \
  BANKPROOF_DEVICE __half2 name##2(__half2 a, __half2 b) {                     \
    unsigned int bits;                                                         \
    asm(code ".f16x2 %0, %1, %2;"                                              \
        : "=r"(bits)                                                           \
        : "r"(bankproof_parts::bits_of(a)), "r"(bankproof_parts::bits_of(b))); \
    return bankproof_parts::half2_of(bits);                                    \
  }
BANKPROOF_HALF2(__hadd, "add", __half(static_cast<float>(a) + static_cast<float>(b)))
BANKPROOF_HALF2(__hsub, "sub", __half(static_cast<float>(a) - static_cast<float>(b)))
BANKPROOF_HALF2(__hmul, "mul", __half(static_cast<float>(a) * static_cast<float>(b)))
BANKPROOF_HALF2(__hadd_rn, "add.rn", __half(static_cast<float>(a) + static_cast<float>(b)))
BANKPROOF_HALF2(__hsub_rn, "sub.rn", __half(static_cast<float>(a) - static_cast<float>(b)))
BANKPROOF_HALF2(__hmul_rn, "mul.rn", __half(static_cast<float>(a) * static_cast<float>(b)))
BANKPROOF_HALF2(__hmin, "min", bankproof_parts::extreme_on_host(a, b, false))
BANKPROOF_HALF2(__hmax, "max", bankproof_parts::extreme_on_host(a, b, true))
#undef BANKPROOF_HALF2
BANKPROOF_DEVICE __half __hfma(__half a, __half b, __half c) {
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return bankproof_parts::half_of(bits);
}
BANKPROOF_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned int bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(bankproof_parts::bits_of(a)), "r"(bankproof_parts::bits_of(b)),
        "r"(bankproof_parts::bits_of(c)));
  return bankproof_parts::half2_of(bits);
}
BANKPROOF_BOTH __half __hneg(__half a) {
  return bankproof_parts::half_of(static_cast<unsigned short>(a.__x ^ 0x8000U));
}
BANKPROOF_BOTH __half __habs(__half a) {
  return bankproof_parts::half_of(static_cast<unsigned short>(a.__x & 0x7fffU));
}
BANKPROOF_BOTH __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
BANKPROOF_BOTH __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
// Rounding the quotient of floats to half gives the correctly rounded quotient of halves, since the
// 24 bits of float are at least 2 · 11 + 2.
BANKPROOF_BOTH __half __hdiv(__half a, __half b) {
  return __half(static_cast<float>(a) / static_cast<float>(b));
}
BANKPROOF_BOTH __half2 __h2div(__half2 a, __half2 b) {
  return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

// ---- Comparisons

#define BANKPROOF_COMPARE(name, operation)                                               \
  BANKPROOF_BOTH bool __h##name(__half a, __half b) {                                    \
    return static_cast<float>(a) operation static_cast<float>(b);                        \
  }                                                                                      \
  BANKPROOF_BOTH bool operator operation(__half a, __half b) { return __h##name(a, b); } \
  BANKPROOF_BOTH bool __hb##name##2(__half2 a, __half2 b) {                              \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                   \
  }                                                                                      \
  BANKPROOF_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                            \
    return __floats2half2_rn(__h##name(a.x, b.x) ? 1.0F : 0.0F,                          \
                             __h##name(a.y, b.y) ? 1.0F : 0.0F);                         \
  }
BANKPROOF_COMPARE(eq, ==)
BANKPROOF_COMPARE(ne, !=)
BANKPROOF_COMPARE(lt, <)
BANKPROOF_COMPARE(le, <=)
BANKPROOF_COMPARE(gt, >)
BANKPROOF_COMPARE(ge, >=)
#undef BANKPROOF_COMPARE
BANKPROOF_BOTH bool __hisnan(__half a) { return (a.__x & 0x7fffU) > 0x7c00U; }

// ---- Operators

#define BANKPROOF_OPERATOR(operation, one, two)                                               \
  BANKPROOF_BOTH __half operator operation(__half a, __half b) { return one(a, b); }          \
  BANKPROOF_BOTH __half2 operator operation(__half2 a, __half2 b) { return two(a, b); }       \
  BANKPROOF_BOTH __half& operator operation##=(__half& a, __half b) { return a = one(a, b); } \
  BANKPROOF_BOTH __half2& operator operation##=(__half2& a, __half2 b) { return a = two(a, b); }
BANKPROOF_OPERATOR(+, __hadd, __hadd2)
BANKPROOF_OPERATOR(-, __hsub, __hsub2)
BANKPROOF_OPERATOR(*, __hmul, __hmul2)
BANKPROOF_OPERATOR(/, __hdiv, __h2div)
#undef BANKPROOF_OPERATOR
BANKPROOF_BOTH __half operator-(__half a) { return __hneg(a); }
BANKPROOF_BOTH __half2 operator-(__half2 a) { return __hneg2(a); }

// ---- Functions of one argument, through float

#define BANKPROOF_HALF1(name, function)                                                         \
  BANKPROOF_DEVICE __half h##name(__half x) { return __half(function(static_cast<float>(x))); } \
  BANKPROOF_DEVICE __half2 h2##name(__half2 x) { return __half2(h##name(x.x), h##name(x.y)); }
BANKPROOF_HALF1(rcp, 1.0F /)
BANKPROOF_HALF1(sqrt, sqrtf)
BANKPROOF_HALF1(rsqrt, rsqrtf)
BANKPROOF_HALF1(exp, expf)
BANKPROOF_HALF1(exp2, exp2f)
BANKPROOF_HALF1(log, logf)
BANKPROOF_HALF1(log2, log2f)
BANKPROOF_HALF1(floor, floorf)
BANKPROOF_HALF1(ceil, ceilf)
BANKPROOF_HALF1(rint, rintf)
BANKPROOF_HALF1(trunc, truncf)
BANKPROOF_HALF1(exp10, exp10f)
BANKPROOF_HALF1(log10, log10f)
BANKPROOF_HALF1(tanh, tanhf)
BANKPROOF_HALF1(sin, sinf)
BANKPROOF_HALF1(cos, cosf)
#undef BANKPROOF_HALF1

// ---- Shuffles, atomics

#define BANKPROOF_HALF_SHUFFLE(function, Lane)                                                     \
  BANKPROOF_DEVICE __half function(unsigned int mask, __half value, Lane lane, int width = 32) {   \
    return bankproof_parts::half_of(static_cast<unsigned short>(                                   \
        function(mask, static_cast<unsigned int>(value.__x), lane, width)));                       \
  }                                                                                                \
  BANKPROOF_DEVICE __half2 function(unsigned int mask, __half2 value, Lane lane, int width = 32) { \
    return bankproof_parts::half2_of(                                                              \
        function(mask, bankproof_parts::bits_of(value), lane, width));                             \
  }
BANKPROOF_HALF_SHUFFLE(__shfl_sync, int)
BANKPROOF_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
BANKPROOF_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
BANKPROOF_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef BANKPROOF_HALF_SHUFFLE

BANKPROOF_DEVICE __half atomicAdd(__half* address, __half value) {
  unsigned short bits;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(bits)
               : "l"(address), "h"(value.__x)
               : "memory");
  return bankproof_parts::half_of(bits);
}
BANKPROOF_DEVICE __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned int bits;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(bits)
               : "l"(address), "r"(bankproof_parts::bits_of(value))
               : "memory");
  return bankproof_parts::half2_of(bits);
}
