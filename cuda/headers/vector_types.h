// The built-in vector types, with the alignment that the Programming Guide's table gives.
#pragma once
#pragma GCC system_header

#define __VECTOR_TYPES_H__

#include "parts/attributes.h"

#define BANKPROOF_VECTORS(scalar, name, align2, align4)             \
  struct name##1 { scalar x; };                                     \
  struct __attribute__((aligned(align2))) name##2 { scalar x, y; }; \
  struct name##3 { scalar x, y, z; };                               \
  struct __attribute__((aligned(align4))) name##4 { scalar x, y, z, w; };

BANKPROOF_VECTORS(signed char, char, 2, 4)
BANKPROOF_VECTORS(unsigned char, uchar, 2, 4)
BANKPROOF_VECTORS(short, short, 4, 8)
BANKPROOF_VECTORS(unsigned short, ushort, 4, 8)
BANKPROOF_VECTORS(int, int, 8, 16)
BANKPROOF_VECTORS(unsigned int, uint, 8, 16)
BANKPROOF_VECTORS(long int, long, 16, 16)
BANKPROOF_VECTORS(unsigned long int, ulong, 16, 16)
BANKPROOF_VECTORS(long long int, longlong, 16, 16)
BANKPROOF_VECTORS(unsigned long long int, ulonglong, 16, 16)
BANKPROOF_VECTORS(float, float, 8, 16)
BANKPROOF_VECTORS(double, double, 16, 16)
#undef BANKPROOF_VECTORS

// clang-format off: a line a type
#ifndef __cplusplus
// In C, a type is called `struct float4` unless it is given a name.
#define BANKPROOF_NAMES(name)     \
  typedef struct name##1 name##1; \
  typedef struct name##2 name##2; \
  typedef struct name##3 name##3; \
  typedef struct name##4 name##4;
BANKPROOF_NAMES(char)
BANKPROOF_NAMES(uchar)
BANKPROOF_NAMES(short)
BANKPROOF_NAMES(ushort)
BANKPROOF_NAMES(int)
BANKPROOF_NAMES(uint)
BANKPROOF_NAMES(long)
BANKPROOF_NAMES(ulong)
BANKPROOF_NAMES(longlong)
BANKPROOF_NAMES(ulonglong)
BANKPROOF_NAMES(float)
BANKPROOF_NAMES(double)
#undef BANKPROOF_NAMES
#endif
// clang-format on

/// The size of a grid or a block; missing components are 1.
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
      : x(a), y(b), z(c) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#ifndef __cplusplus
typedef struct dim3 dim3;
#endif
