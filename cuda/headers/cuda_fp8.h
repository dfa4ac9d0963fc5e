// CUDA's floating-point types of 8 bits, e4m3 and e5m2, single and as vectors of two and four, with
// their conversions (CUDA Math API, "FP8 Intrinsics"). The numbers are computed by the same code on
// the host and on the device. Left out: the type e8m0 of scales.
#pragma once
#pragma GCC system_header

#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#include "parts/fp8_conversions.h"

#define BANKPROOF_FP8 __host__ __device__

/// A type of one number.
#define BANKPROOF_FP8_TYPE(name, format)                                                       \
  struct name {                                                                                \
    __nv_fp8_storage_t __x;                                                                    \
    name() = default;                                                                          \
    BANKPROOF_FP8 explicit name(__half value)                                                  \
        : __x(__nv_cvt_halfraw_to_fp8(value, __NV_SATFINITE, format)) {}                       \
    BANKPROOF_FP8 explicit name(__nv_bfloat16 value)                                           \
        : __x(__nv_cvt_float_to_fp8(static_cast<float>(value), __NV_SATFINITE, format)) {}     \
    BANKPROOF_FP8 explicit name(float value)                                                   \
        : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, format)) {}                         \
    BANKPROOF_FP8 explicit name(double value)                                                  \
        : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, format)) {}                        \
    BANKPROOF_FP8 explicit name(short value) : name(static_cast<float>(value)) {}              \
    BANKPROOF_FP8 explicit name(unsigned short value) : name(static_cast<float>(value)) {}     \
    BANKPROOF_FP8 explicit name(int value) : name(static_cast<float>(value)) {}                \
    BANKPROOF_FP8 explicit name(unsigned int value) : name(static_cast<float>(value)) {}       \
    BANKPROOF_FP8 explicit name(long value) : name(static_cast<float>(value)) {}               \
    BANKPROOF_FP8 explicit name(unsigned long value) : name(static_cast<float>(value)) {}      \
    BANKPROOF_FP8 explicit name(long long value) : name(static_cast<float>(value)) {}          \
    BANKPROOF_FP8 explicit name(unsigned long long value) : name(static_cast<float>(value)) {} \
    BANKPROOF_FP8 explicit operator __half() const {                                           \
      return __half(__nv_cvt_fp8_to_halfraw(__x, format));                                     \
    }                                                                                          \
    BANKPROOF_FP8 explicit operator float() const {                                            \
      return bankproof_parts::float_of_fp8(__x, format);                                       \
    }                                                                                          \
    BANKPROOF_FP8 explicit operator double() const { return static_cast<float>(*this); }       \
    BANKPROOF_FP8 explicit operator __nv_bfloat16() const {                                    \
      return __nv_bfloat16(static_cast<float>(*this));                                         \
    }                                                                                          \
    template <class Integer, class = bankproof_parts::if_integer<Integer>>                     \
    BANKPROOF_FP8 explicit operator Integer() const {                                          \
      return bankproof_parts::integer_of_fp8<Integer>(static_cast<float>(*this));              \
    }                                                                                          \
    BANKPROOF_FP8 explicit operator bool() const { return (__x & 0x7fU) != 0; }                \
  };

/// A vector of two numbers, the first in the low byte.
#define BANKPROOF_FP8_PAIR(name, format)                                    \
  struct __attribute__((aligned(2))) name {                                 \
    __nv_fp8x2_storage_t __x;                                               \
    name() = default;                                                       \
    BANKPROOF_FP8 explicit name(__half2 value)                              \
        : __x(bankproof_parts::fp8_pair(format, value.x, value.y)) {}       \
    BANKPROOF_FP8 explicit name(__nv_bfloat162 value)                       \
        : __x(bankproof_parts::fp8_pair(format, value.x, value.y)) {}       \
    BANKPROOF_FP8 explicit name(float2 value)                               \
        : __x(bankproof_parts::fp8_pair(format, value.x, value.y)) {}       \
    BANKPROOF_FP8 explicit name(double2 value)                              \
        : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, format)) {}  \
    BANKPROOF_FP8 explicit operator __half2() const {                       \
      const __half2_raw raw = __nv_cvt_fp8x2_to_halfraw2(__x, format);      \
      return __half2(__half(__half_raw{raw.x}), __half(__half_raw{raw.y})); \
    }                                                                       \
    BANKPROOF_FP8 explicit operator float2() const {                        \
      return float2{bankproof_parts::float_of_fp8(__x & 0xffU, format),     \
                    bankproof_parts::float_of_fp8(__x >> 8, format)};       \
    }                                                                       \
  };

/// A vector of four numbers, the first in the lowest byte.
#define BANKPROOF_FP8_QUADRUPLE(name, format)                                                      \
  struct __attribute__((aligned(4))) name {                                                        \
    __nv_fp8x4_storage_t __x;                                                                      \
    name() = default;                                                                              \
    BANKPROOF_FP8 explicit name(__half2 low, __half2 high)                                         \
        : __x(bankproof_parts::fp8_pair(format, low.x, low.y) |                                    \
              static_cast<unsigned>(bankproof_parts::fp8_pair(format, high.x, high.y)) << 16) {}   \
    BANKPROOF_FP8 explicit name(__nv_bfloat162 low, __nv_bfloat162 high)                           \
        : __x(bankproof_parts::fp8_pair(format, low.x, low.y) |                                    \
              static_cast<unsigned>(bankproof_parts::fp8_pair(format, high.x, high.y)) << 16) {}   \
    BANKPROOF_FP8 explicit name(float4 value)                                                      \
        : __x(bankproof_parts::fp8_pair(format, value.x, value.y) |                                \
              static_cast<unsigned>(bankproof_parts::fp8_pair(format, value.z, value.w)) << 16) {} \
    BANKPROOF_FP8 explicit name(double4 value)                                                     \
        : __x(__nv_cvt_double2_to_fp8x2(double2{value.x, value.y}, __NV_SATFINITE, format) |       \
              static_cast<unsigned>(                                                               \
                  __nv_cvt_double2_to_fp8x2(double2{value.z, value.w}, __NV_SATFINITE, format))    \
                  << 16) {}                                                                        \
    BANKPROOF_FP8 explicit operator float4() const {                                               \
      return float4{bankproof_parts::float_of_fp8(__x & 0xffU, format),                            \
                    bankproof_parts::float_of_fp8(__x >> 8 & 0xffU, format),                       \
                    bankproof_parts::float_of_fp8(__x >> 16 & 0xffU, format),                      \
                    bankproof_parts::float_of_fp8(__x >> 24, format)};                             \
    }                                                                                              \
  };

BANKPROOF_FP8_TYPE(__nv_fp8_e4m3, __NV_E4M3)
BANKPROOF_FP8_TYPE(__nv_fp8_e5m2, __NV_E5M2)
BANKPROOF_FP8_PAIR(__nv_fp8x2_e4m3, __NV_E4M3)
BANKPROOF_FP8_PAIR(__nv_fp8x2_e5m2, __NV_E5M2)
BANKPROOF_FP8_QUADRUPLE(__nv_fp8x4_e4m3, __NV_E4M3)
BANKPROOF_FP8_QUADRUPLE(__nv_fp8x4_e5m2, __NV_E5M2)
#undef BANKPROOF_FP8_TYPE
#undef BANKPROOF_FP8_PAIR
#undef BANKPROOF_FP8_QUADRUPLE
#undef BANKPROOF_FP8
