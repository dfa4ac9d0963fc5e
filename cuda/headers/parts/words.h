// Operations on the two halves or on the four bytes of words (CUDA Math API, "SIMD Intrinsics").
// Names of signed operations have an s, and names of unsigned operations a u. An operation to which
// the sign does not matter has neither. Averages round up. Comparisons set all bits of a part, or
// no bit. Left out: saturating sums, negations, sums of absolute differences, and the comparisons
// that give 0 or 1.
#pragma once
#pragma GCC system_header

// `expression` computes a part of the result from the parts a and b of the operands.
#define BANKPROOF_WORD(name, Part, expression)                                      \
  BANKPROOF_DEVICE unsigned int name(unsigned int x, unsigned int y) {              \
    constexpr unsigned int bits = 8 * sizeof(Part);                                 \
    unsigned int result = 0;                                                        \
    for (unsigned int at = 0; at < 32; at += bits) {                                \
      const int a = static_cast<Part>(x >> at);                                     \
      const int b = static_cast<Part>(y >> at);                                     \
      result |= (static_cast<unsigned int>(expression) & ((1U << bits) - 1)) << at; \
    }                                                                               \
    return result;                                                                  \
  }
#define BANKPROOF_WORDS(name, sign, Half, Byte, expression) \
  BANKPROOF_WORD(__v##name##sign##2, Half, expression)      \
  BANKPROOF_WORD(__v##name##sign##4, Byte, expression)
#define BANKPROOF_BOTH_SIGNS(name, expression)             \
  BANKPROOF_WORDS(name, s, short, signed char, expression) \
  BANKPROOF_WORDS(name, u, unsigned short, unsigned char, expression)
#define BANKPROOF_NO_SIGN(name, expression) \
  BANKPROOF_WORDS(name, , unsigned short, unsigned char, expression)
BANKPROOF_NO_SIGN(add, a + b)
BANKPROOF_NO_SIGN(sub, a - b)
BANKPROOF_NO_SIGN(cmpeq, a == b ? -1 : 0)
BANKPROOF_NO_SIGN(cmpne, a != b ? -1 : 0)
BANKPROOF_BOTH_SIGNS(min, b < a ? b : a)
BANKPROOF_BOTH_SIGNS(max, a < b ? b : a)
BANKPROOF_BOTH_SIGNS(absdiff, a < b ? b - a : a - b)
BANKPROOF_BOTH_SIGNS(avg, (a + b + 1) >> 1)
BANKPROOF_BOTH_SIGNS(cmplt, a < b ? -1 : 0)
BANKPROOF_BOTH_SIGNS(cmple, a <= b ? -1 : 0)
BANKPROOF_BOTH_SIGNS(cmpgt, a > b ? -1 : 0)
BANKPROOF_BOTH_SIGNS(cmpge, a >= b ? -1 : 0)
#undef BANKPROOF_NO_SIGN
#undef BANKPROOF_BOTH_SIGNS
#undef BANKPROOF_WORDS
#undef BANKPROOF_WORD
