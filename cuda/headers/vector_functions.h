// make_float4() and similar functions, which make vectors from components.
#pragma once
#pragma GCC system_header

#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

// C and C++ both read this.
#define BANKPROOF_MAKE(scalar, name)                                              \
  BANKPROOF_BOTH name##1 make_##name##1(scalar x) {                               \
    const name##1 made = {x};                                                     \
    return made;                                                                  \
  }                                                                               \
  BANKPROOF_BOTH name##2 make_##name##2(scalar x, scalar y) {                     \
    const name##2 made = {x, y};                                                  \
    return made;                                                                  \
  }                                                                               \
  BANKPROOF_BOTH name##3 make_##name##3(scalar x, scalar y, scalar z) {           \
    const name##3 made = {x, y, z};                                               \
    return made;                                                                  \
  }                                                                               \
  BANKPROOF_BOTH name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w) { \
    const name##4 made = {x, y, z, w};                                            \
    return made;                                                                  \
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
