// Extremes of two or three numbers, or of a sum and a number, for dynamic programming (CUDA Math
// API, "Integer Intrinsics" and "SIMD Intrinsics", __vi…). s32 and u32 are one number a word, s16x2
// and u16x2 two. Sums wrap. relu replaces results below zero by zero. vib also tells whether the
// first operand is an extreme.
#pragma once
#pragma GCC system_header

#include "words.h"

namespace bankproof_parts {
#define BANKPROOF_WIDE(Type, name)                                                         \
  BANKPROOF_DEVICE Type max_##name(Type x, Type y) { return x < y ? y : x; }               \
  BANKPROOF_DEVICE Type min_##name(Type x, Type y) { return y < x ? y : x; }               \
  BANKPROOF_DEVICE Type add_##name(Type x, Type y) {                                       \
    return static_cast<Type>(static_cast<unsigned int>(x) + static_cast<unsigned int>(y)); \
  }
BANKPROOF_WIDE(int, s32)
BANKPROOF_WIDE(unsigned int, u32)
#undef BANKPROOF_WIDE
#define BANKPROOF_PAIR(name, sign)                                           \
  BANKPROOF_DEVICE unsigned int max_##name(unsigned int x, unsigned int y) { \
    return __vmax##sign##2(x, y);                                            \
  }                                                                          \
  BANKPROOF_DEVICE unsigned int min_##name(unsigned int x, unsigned int y) { \
    return __vmin##sign##2(x, y);                                            \
  }                                                                          \
  BANKPROOF_DEVICE unsigned int add_##name(unsigned int x, unsigned int y) { return __vadd2(x, y); }
BANKPROOF_PAIR(s16x2, s)
BANKPROOF_PAIR(u16x2, u)
#undef BANKPROOF_PAIR
}  // namespace bankproof_parts

#define BANKPROOF_OF_THREE(Type, name, extreme)                             \
  BANKPROOF_DEVICE Type __vi##extreme##3_##name(Type x, Type y, Type z) {   \
    using namespace bankproof_parts;                                        \
    return extreme##_##name(extreme##_##name(x, y), z);                     \
  }                                                                         \
  BANKPROOF_DEVICE Type __viadd##extreme##_##name(Type x, Type y, Type z) { \
    using namespace bankproof_parts;                                        \
    return extreme##_##name(add_##name(x, y), z);                           \
  }
#define BANKPROOF_RELU(Type, name, extreme)                                        \
  BANKPROOF_DEVICE Type __vi##extreme##_##name##_relu(Type x, Type y) {            \
    using namespace bankproof_parts;                                               \
    return max_##name(extreme##_##name(x, y), 0);                                  \
  }                                                                                \
  BANKPROOF_DEVICE Type __vi##extreme##3_##name##_relu(Type x, Type y, Type z) {   \
    return bankproof_parts::max_##name(__vi##extreme##3_##name(x, y, z), 0);       \
  }                                                                                \
  BANKPROOF_DEVICE Type __viadd##extreme##_##name##_relu(Type x, Type y, Type z) { \
    return bankproof_parts::max_##name(__viadd##extreme##_##name(x, y, z), 0);     \
  }
#define BANKPROOF_TELLING(Type, name, extreme)                                    \
  BANKPROOF_DEVICE Type __vib##extreme##_##name(Type x, Type y, bool* is_first) { \
    const Type result = bankproof_parts::extreme##_##name(x, y);                  \
    *is_first = result == x;                                                      \
    return result;                                                                \
  }
#define BANKPROOF_TELLING_TWICE(name, extreme)                                          \
  BANKPROOF_DEVICE unsigned int __vib##extreme##_##name(unsigned int x, unsigned int y, \
                                                        bool* high, bool* low) {        \
    const unsigned int result = bankproof_parts::extreme##_##name(x, y);                \
    *high = result >> 16 == x >> 16;                                                    \
    *low = (result & 0xffffU) == (x & 0xffffU);                                         \
    return result;                                                                      \
  }
#define BANKPROOF_EXTREMES(extreme)                \
  BANKPROOF_OF_THREE(int, s32, extreme)            \
  BANKPROOF_OF_THREE(unsigned int, u32, extreme)   \
  BANKPROOF_OF_THREE(unsigned int, s16x2, extreme) \
  BANKPROOF_OF_THREE(unsigned int, u16x2, extreme) \
  BANKPROOF_RELU(int, s32, extreme)                \
  BANKPROOF_RELU(unsigned int, s16x2, extreme)     \
  BANKPROOF_TELLING(int, s32, extreme)             \
  BANKPROOF_TELLING(unsigned int, u32, extreme)    \
  BANKPROOF_TELLING_TWICE(s16x2, extreme)          \
  BANKPROOF_TELLING_TWICE(u16x2, extreme)
BANKPROOF_EXTREMES(max)
BANKPROOF_EXTREMES(min)
#undef BANKPROOF_EXTREMES
#undef BANKPROOF_TELLING_TWICE
#undef BANKPROOF_TELLING
#undef BANKPROOF_RELU
#undef BANKPROOF_OF_THREE
