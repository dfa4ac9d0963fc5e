// min, max and abs as CUDA has them without a namespace, on the host and on the device.
#pragma once
#pragma GCC system_header

#include "mathematics.h"

#define BANKPROOF_ORDER(Type)                                                 \
  BANKPROOF_BOTH constexpr Type min(Type a, Type b) { return b < a ? b : a; } \
  BANKPROOF_BOTH constexpr Type max(Type a, Type b) { return a < b ? b : a; }
BANKPROOF_ORDER(int)
BANKPROOF_ORDER(unsigned int)
BANKPROOF_ORDER(long)
BANKPROOF_ORDER(unsigned long)
BANKPROOF_ORDER(long long)
BANKPROOF_ORDER(unsigned long long)
#undef BANKPROOF_ORDER

// As in C, a signed number counts as unsigned if the other number is unsigned.
#define BANKPROOF_MIXED(Signed, Unsigned)                       \
  BANKPROOF_BOTH constexpr Unsigned min(Signed a, Unsigned b) { \
    return min(static_cast<Unsigned>(a), b);                    \
  }                                                             \
  BANKPROOF_BOTH constexpr Unsigned min(Unsigned a, Signed b) { \
    return min(a, static_cast<Unsigned>(b));                    \
  }                                                             \
  BANKPROOF_BOTH constexpr Unsigned max(Signed a, Unsigned b) { \
    return max(static_cast<Unsigned>(a), b);                    \
  }                                                             \
  BANKPROOF_BOTH constexpr Unsigned max(Unsigned a, Signed b) { \
    return max(a, static_cast<Unsigned>(b));                    \
  }
BANKPROOF_MIXED(int, unsigned int)
BANKPROOF_MIXED(long, unsigned long)
BANKPROOF_MIXED(long long, unsigned long long)
#undef BANKPROOF_MIXED

// Floating-point numbers: a number wins over NaN, as with fmin and fmax.
#define BANKPROOF_FRACTIONS(A, B, Type, suffix)                              \
  BANKPROOF_BOTH Type min(A a, B b) { return __builtin_fmin##suffix(a, b); } \
  BANKPROOF_BOTH Type max(A a, B b) { return __builtin_fmax##suffix(a, b); }
BANKPROOF_FRACTIONS(float, float, float, f)
BANKPROOF_FRACTIONS(double, double, double, )
BANKPROOF_FRACTIONS(float, double, double, )
BANKPROOF_FRACTIONS(double, float, double, )
#undef BANKPROOF_FRACTIONS

BANKPROOF_BOTH unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
BANKPROOF_BOTH unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
BANKPROOF_BOTH long long llmin(long long a, long long b) { return min(a, b); }
BANKPROOF_BOTH long long llmax(long long a, long long b) { return max(a, b); }

BANKPROOF_DEVICE int abs(int x) { return x < 0 ? -x : x; }
BANKPROOF_DEVICE long labs(long x) { return x < 0 ? -x : x; }
BANKPROOF_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }
BANKPROOF_DEVICE long abs(long x) { return x < 0 ? -x : x; }
BANKPROOF_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
BANKPROOF_DEVICE float abs(float x) { return __builtin_fabsf(x); }
BANKPROOF_DEVICE double abs(double x) { return __builtin_fabs(x); }

namespace std {
using ::abs;
using ::labs;
using ::llabs;
}  // namespace std
