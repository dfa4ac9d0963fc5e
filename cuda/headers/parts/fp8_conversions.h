// Conversions to and from the floating-point types of 8 bits, by their bits, for host and device;
// part of cuda_fp8.h.
//
// NaN of float, half and bfloat16 gives 0x7f, as the instructions of chips do. NaN of double keeps
// its sign and, in e5m2, the first digits of its fraction: there is no instruction for double.
#pragma once
#pragma GCC system_header

#define BANKPROOF_FP8 static __inline__ __attribute__((host, device, unused))

namespace bankproof_parts {

/// Rounds to nearest, ties to even. `beyond` is the result for numbers that are too large.
BANKPROOF_FP8 unsigned rounded_to_fp8(double value, int fraction, int bias, unsigned largest,
                                      unsigned beyond) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  bits &= ~0ULL >> 1;
  int exponent = static_cast<int>(bits >> 52) - 1023;
  if (exponent > bias + 1) return beyond;
  if (exponent < 1 - bias) exponent = 1 - bias;
  // A double near 2^52 units has no digits below the unit: the sum rounds to units of the result.
  const unsigned long long power = static_cast<unsigned long long>(exponent - fraction + 52 + 1023)
                                   << 52;
  double magnitude;
  double large;
  __builtin_memcpy(&magnitude, &bits, sizeof magnitude);
  __builtin_memcpy(&large, &power, sizeof large);
  const double sum = large + magnitude;
  unsigned long long units;
  __builtin_memcpy(&units, &sum, sizeof units);
  const unsigned code = static_cast<unsigned>(units - power) +
                        (static_cast<unsigned>(exponent - (1 - bias)) << fraction);
  return code > largest ? beyond : code;
}

BANKPROOF_FP8 __nv_fp8_storage_t fp8_of(double value, __nv_saturation_t saturation,
                                        __nv_fp8_interpretation_t format) {
  unsigned long long bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  const unsigned sign = static_cast<unsigned>(bits >> 63) << 7;
  const bool finite = saturation == __NV_SATFINITE;
  unsigned code;
  if (value != value) {
    code = format == __NV_E4M3 ? 0x7fU : 0x7eU | static_cast<unsigned>(bits >> 50 & 3U);
  } else if (format == __NV_E4M3) {
    code = rounded_to_fp8(value, 3, 7, 0x7e, finite ? 0x7e : 0x7f);
  } else {
    code = rounded_to_fp8(value, 2, 15, 0x7b, finite ? 0x7b : 0x7c);
  }
  return static_cast<__nv_fp8_storage_t>(sign | code);
}

BANKPROOF_FP8 __nv_fp8_storage_t fp8_of_float(float value, __nv_saturation_t saturation,
                                              __nv_fp8_interpretation_t format) {
  return value != value ? 0x7f : fp8_of(value, saturation, format);
}

BANKPROOF_FP8 unsigned short half_of_fp8(unsigned code, __nv_fp8_interpretation_t format) {
  const unsigned magnitude = code & 0x7fU;
  const unsigned sign = (code & 0x80U) << 8;
  if (magnitude > (format == __NV_E4M3 ? 0x7eU : 0x7cU)) return 0x7fff;
  unsigned half = magnitude << 8;
  if (format == __NV_E4M3) {
    half = (magnitude << 7) + (8U << 10);
    if (magnitude < 8) {
      // magnitude · 2^-9, whose first digit is implicit in a half.
      int digits = 0;
      while (magnitude >> digits > 1) ++digits;
      half = magnitude == 0 ? 0
                            : static_cast<unsigned>(digits + 6) << 10 |
                                  ((magnitude << (10 - digits)) & 0x3ffU);
    }
  }
  return static_cast<unsigned short>(sign | half);
}

BANKPROOF_FP8 float float_of_half_bits(unsigned short bits) {
  return static_cast<float>(__half(__half_raw{bits}));
}
BANKPROOF_FP8 float float_of_fp8(unsigned code, __nv_fp8_interpretation_t format) {
  const unsigned short half = half_of_fp8(code, format);
  constexpr unsigned nan = 0x7fffffff;
  float value;
  __builtin_memcpy(&value, &nan, sizeof value);
  return half == 0x7fff ? value : float_of_half_bits(half);
}

template <class Number>
BANKPROOF_FP8 __nv_fp8x2_storage_t fp8_pair(__nv_fp8_interpretation_t format, Number low,
                                            Number high) {
  return static_cast<__nv_fp8x2_storage_t>(
      fp8_of_float(static_cast<float>(low), __NV_SATFINITE, format) |
      fp8_of_float(static_cast<float>(high), __NV_SATFINITE, format) << 8);
}

template <class T>
struct integer_of_cuda;
template <class T, class = typename integer_of_cuda<T>::type>
using if_integer = T;
#define BANKPROOF_INTEGER(T, least, largest)                         \
  template <>                                                        \
  struct integer_of_cuda<T> {                                        \
    typedef T type;                                                  \
    static constexpr T least_value = least, largest_value = largest; \
  };
BANKPROOF_INTEGER(char, -128, 127)
BANKPROOF_INTEGER(signed char, -128, 127)
BANKPROOF_INTEGER(unsigned char, 0, 255)
BANKPROOF_INTEGER(short, -32768, 32767)
BANKPROOF_INTEGER(unsigned short, 0, 65535)
BANKPROOF_INTEGER(int, -2147483647 - 1, 2147483647)
BANKPROOF_INTEGER(unsigned int, 0, 4294967295U)
BANKPROOF_INTEGER(long, -9223372036854775807L - 1, 9223372036854775807L)
BANKPROOF_INTEGER(unsigned long, 0, 18446744073709551615UL)
BANKPROOF_INTEGER(long long, -9223372036854775807LL - 1, 9223372036854775807LL)
BANKPROOF_INTEGER(unsigned long long, 0, 18446744073709551615ULL)
#undef BANKPROOF_INTEGER

/// Rounds towards zero and saturates. NaN gives 0 or, in 64 bits, only the highest bit.
template <class T>
BANKPROOF_FP8 T integer_of_fp8(float value) {
  typedef integer_of_cuda<T> Limits;
  if (value != value) return sizeof(T) == 8 ? static_cast<T>(1ULL << 63) : T(0);
  if (value < static_cast<float>(Limits::least_value)) return Limits::least_value;
  if (value >= static_cast<float>(Limits::largest_value)) return Limits::largest_value;
  return static_cast<T>(value);
}

}  // namespace bankproof_parts

BANKPROOF_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double value,
                                                        const __nv_saturation_t saturation,
                                                        const __nv_fp8_interpretation_t format) {
  return bankproof_parts::fp8_of(value, saturation, format);
}
BANKPROOF_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float value,
                                                       const __nv_saturation_t saturation,
                                                       const __nv_fp8_interpretation_t format) {
  return bankproof_parts::fp8_of_float(value, saturation, format);
}
BANKPROOF_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw value,
                                                         const __nv_saturation_t saturation,
                                                         const __nv_fp8_interpretation_t format) {
  return bankproof_parts::fp8_of_float(bankproof_parts::float_of_half_bits(value.x), saturation,
                                       format);
}
BANKPROOF_FP8 __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw value, const __nv_saturation_t saturation,
                            const __nv_fp8_interpretation_t format) {
  return bankproof_parts::fp8_of_float(static_cast<float>(__nv_bfloat16(value)), saturation,
                                       format);
}

/// The conversions of pairs; `low` and `high` are the two numbers.
#define BANKPROOF_PAIRS(name, source, of_one, low, high)                                          \
  BANKPROOF_FP8 __nv_fp8x2_storage_t name(const source value, const __nv_saturation_t saturation, \
                                          const __nv_fp8_interpretation_t format) {               \
    return static_cast<__nv_fp8x2_storage_t>(of_one(low, saturation, format) |                    \
                                             of_one(high, saturation, format) << 8);              \
  }
BANKPROOF_PAIRS(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, value.x, value.y)
BANKPROOF_PAIRS(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, value.x, value.y)
BANKPROOF_PAIRS(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8,
                __half_raw{value.x}, __half_raw{value.y})
BANKPROOF_PAIRS(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                __nv_bfloat16_raw{value.x}, __nv_bfloat16_raw{value.y})
#undef BANKPROOF_PAIRS

BANKPROOF_FP8 __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t code,
                                                 const __nv_fp8_interpretation_t format) {
  return __half_raw{bankproof_parts::half_of_fp8(code, format)};
}
BANKPROOF_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t codes,
                                                     const __nv_fp8_interpretation_t format) {
  return __half2_raw{bankproof_parts::half_of_fp8(codes & 0xffU, format),
                     bankproof_parts::half_of_fp8(codes >> 8, format)};
}
#undef BANKPROOF_FP8
