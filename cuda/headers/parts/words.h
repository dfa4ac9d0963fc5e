// Operations on the two halves or on the four bytes of words (CUDA Math API, "SIMD Intrinsics").
// Names of signed operations have an s, and names of unsigned operations a u. An operation to which
// the sign does not matter has neither. ss and us saturate; sums, negations and absolute values
// wrap without that. avg rounds halves away from zero, hadd rounds down. cmp sets all bits of a
// part, or no bit; set gives 1 or 0. sad adds the absolute differences of all parts.
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
#define BANKPROOF_SIGNED(name, expression) BANKPROOF_WORDS(name, s, short, signed char, expression)
#define BANKPROOF_UNSIGNED(name, expression) \
  BANKPROOF_WORDS(name, u, unsigned short, unsigned char, expression)
#define BANKPROOF_BOTH_SIGNS(name, expression) \
  BANKPROOF_SIGNED(name, expression)           \
  BANKPROOF_UNSIGNED(name, expression)
#define BANKPROOF_NO_SIGN(name, expression) \
  BANKPROOF_WORDS(name, , unsigned short, unsigned char, expression)
#define BANKPROOF_COMPARISON(kind, name, comparison)     \
  BANKPROOF_##kind(cmp##name, (a comparison b) ? -1 : 0) \
      BANKPROOF_##kind(set##name, (a comparison b) ? 1 : 0)
// The numbers of a signed part of `bits` bits lie from -top - 1 to top.
#define BANKPROOF_TOP ((1 << (bits - 1)) - 1)
#define BANKPROOF_CLAMPED(value)                     \
  ((value) < -BANKPROOF_TOP - 1 ? -BANKPROOF_TOP - 1 \
   : (value) > BANKPROOF_TOP    ? BANKPROOF_TOP      \
                                : (value))
BANKPROOF_NO_SIGN(add, a + b)
BANKPROOF_NO_SIGN(sub, a - b)
BANKPROOF_SIGNED(adds, BANKPROOF_CLAMPED(a + b))
BANKPROOF_SIGNED(subs, BANKPROOF_CLAMPED(a - b))
BANKPROOF_WORDS(addu, s, unsigned short, unsigned char,
                (a + b) >> bits == 0 ? a + b : (1 << bits) - 1)
BANKPROOF_WORDS(subu, s, unsigned short, unsigned char, a > b ? a - b : 0)
BANKPROOF_BOTH_SIGNS(min, b < a ? b : a)
BANKPROOF_BOTH_SIGNS(max, a < b ? b : a)
BANKPROOF_BOTH_SIGNS(absdiff, a < b ? b - a : a - b)
BANKPROOF_BOTH_SIGNS(avg, (a + b + (a + b < 0 ? 0 : 1)) >> 1)
BANKPROOF_UNSIGNED(hadd, (a + b) >> 1)
BANKPROOF_COMPARISON(NO_SIGN, eq, ==)
BANKPROOF_COMPARISON(NO_SIGN, ne, !=)
BANKPROOF_COMPARISON(BOTH_SIGNS, lt, <)
BANKPROOF_COMPARISON(BOTH_SIGNS, le, <=)
BANKPROOF_COMPARISON(BOTH_SIGNS, gt, >)
BANKPROOF_COMPARISON(BOTH_SIGNS, ge, >=)
#undef BANKPROOF_CLAMPED
#undef BANKPROOF_TOP
#undef BANKPROOF_COMPARISON
#undef BANKPROOF_NO_SIGN
#undef BANKPROOF_BOTH_SIGNS
#undef BANKPROOF_UNSIGNED
#undef BANKPROOF_SIGNED
#undef BANKPROOF_WORDS
#undef BANKPROOF_WORD

#define BANKPROOF_OF_ONE(parts)                                                                    \
  BANKPROOF_DEVICE unsigned int __vneg##parts(unsigned int x) { return __vsub##parts(0, x); }      \
  BANKPROOF_DEVICE unsigned int __vnegss##parts(unsigned int x) { return __vsubss##parts(0, x); }  \
  BANKPROOF_DEVICE unsigned int __vabs##parts(unsigned int x) { return __vabsdiffs##parts(x, 0); } \
  BANKPROOF_DEVICE unsigned int __vabsss##parts(unsigned int x) {                                  \
    return __vmaxs##parts(x, __vnegss##parts(x));                                                  \
  }
BANKPROOF_OF_ONE(2)
BANKPROOF_OF_ONE(4)
#undef BANKPROOF_OF_ONE

#define BANKPROOF_SAD(sign)                                                       \
  BANKPROOF_DEVICE unsigned int __vsad##sign##2(unsigned int x, unsigned int y) { \
    const unsigned int z = __vabsdiff##sign##2(x, y);                             \
    return (z & 0xffffU) + (z >> 16);                                             \
  }                                                                               \
  BANKPROOF_DEVICE unsigned int __vsad##sign##4(unsigned int x, unsigned int y) { \
    const unsigned int z = __vabsdiff##sign##4(x, y);                             \
    return (z & 0xffU) + (z >> 8 & 0xffU) + (z >> 16 & 0xffU) + (z >> 24);        \
  }
BANKPROOF_SAD(s)
BANKPROOF_SAD(u)
#undef BANKPROOF_SAD
