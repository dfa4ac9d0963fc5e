// make_float4() and similar functions, which make vectors from components.
#pragma once
#pragma GCC system_header

#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define BANKPROOF_MAKE(scalar, name)                                                   \
  BANKPROOF_BOTH name##1 make_##name##1(scalar x) { return name##1 {x}; }              \
  BANKPROOF_BOTH name##2 make_##name##2(scalar x, scalar y) { return name##2 {x, y}; } \
  BANKPROOF_BOTH name##3 make_##name##3(scalar x, scalar y, scalar z) {                \
    return name##3 {x, y, z};                                                          \
  }                                                                                    \
  BANKPROOF_BOTH name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) {      \
    return name##4 {x, y, z, w};                                                       \
  }

BANKPROOF_MAKE(signed char, char)
BANKPROOF_MAKE(unsigned char, uchar)
BANKPROOF_MAKE(short, short)
BANKPROOF_MAKE(unsigned short, ushort)
BANKPROOF_MAKE(int, int)
BANKPROOF_MAKE(unsigned int, uint)
BANKPROOF_MAKE(long int, long)
BANKPROOF_MAKE(unsigned long int, ulong)
BANKPROOF_MAKE(long long int, longlong)
BANKPROOF_MAKE(unsigned long long int, ulonglong)
BANKPROOF_MAKE(float, float)
BANKPROOF_MAKE(double, double)
#undef BANKPROOF_MAKE
