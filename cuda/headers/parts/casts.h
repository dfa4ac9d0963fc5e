// Type casts: those that keep the bits, and those that convert the value with the rounding in the
// function's name (CUDA Math API, "Type Casting Intrinsics").
#pragma once
#pragma GCC system_header

#include "warp.h"

#define BANKPROOF_BITS(name, To, From) \
  BANKPROOF_DEVICE To name(From x) { return bankproof_parts::bits_as<To>(x); }
BANKPROOF_BITS(__float_as_int, int, float)
BANKPROOF_BITS(__float_as_uint, unsigned int, float)
BANKPROOF_BITS(__int_as_float, float, int)
BANKPROOF_BITS(__uint_as_float, float, unsigned int)
BANKPROOF_BITS(__double_as_longlong, long long, double)
BANKPROOF_BITS(__longlong_as_double, double, long long)
#undef BANKPROOF_BITS
BANKPROOF_DEVICE int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
BANKPROOF_DEVICE int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
BANKPROOF_DEVICE double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned int>(low));
}

#define BANKPROOF_CONVERT(name, To, to, From, from, code)   \
  BANKPROOF_DEVICE To name(From x) {                        \
    To result;                                              \
    asm("cvt." code " %0, %1;" : "=" to(result) : from(x)); \
    return result;                                          \
  }
// In PTX, the rounding of a conversion to an integer has an i at its end, as in .rni; other
// roundings do not.
#define BANKPROOF_CONVERTS(mode, code)                                                           \
  BANKPROOF_CONVERT(__float2int_##mode, int, "r", float, "f", code "i.s32.f32")                  \
  BANKPROOF_CONVERT(__float2uint_##mode, unsigned int, "r", float, "f", code "i.u32.f32")        \
  BANKPROOF_CONVERT(__float2ll_##mode, long long, "l", float, "f", code "i.s64.f32")             \
  BANKPROOF_CONVERT(__float2ull_##mode, unsigned long long, "l", float, "f", code "i.u64.f32")   \
  BANKPROOF_CONVERT(__double2int_##mode, int, "r", double, "d", code "i.s32.f64")                \
  BANKPROOF_CONVERT(__double2uint_##mode, unsigned int, "r", double, "d", code "i.u32.f64")      \
  BANKPROOF_CONVERT(__double2ll_##mode, long long, "l", double, "d", code "i.s64.f64")           \
  BANKPROOF_CONVERT(__double2ull_##mode, unsigned long long, "l", double, "d", code "i.u64.f64") \
  BANKPROOF_CONVERT(__double2float_##mode, float, "f", double, "d", code ".f32.f64")             \
  BANKPROOF_CONVERT(__int2float_##mode, float, "f", int, "r", code ".f32.s32")                   \
  BANKPROOF_CONVERT(__uint2float_##mode, float, "f", unsigned int, "r", code ".f32.u32")         \
  BANKPROOF_CONVERT(__ll2float_##mode, float, "f", long long, "l", code ".f32.s64")              \
  BANKPROOF_CONVERT(__ull2float_##mode, float, "f", unsigned long long, "l", code ".f32.u64")    \
  BANKPROOF_CONVERT(__ll2double_##mode, double, "d", long long, "l", code ".f64.s64")            \
  BANKPROOF_CONVERT(__ull2double_##mode, double, "d", unsigned long long, "l", code ".f64.u64")
BANKPROOF_CONVERTS(rn, "rn")
BANKPROOF_CONVERTS(rz, "rz")
BANKPROOF_CONVERTS(ru, "rp")
BANKPROOF_CONVERTS(rd, "rm")
#undef BANKPROOF_CONVERTS
#undef BANKPROOF_CONVERT
BANKPROOF_DEVICE double __int2double_rn(int x) { return x; }
BANKPROOF_DEVICE double __uint2double_rn(unsigned int x) { return x; }
