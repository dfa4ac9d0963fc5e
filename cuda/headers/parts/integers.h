// Integer intrinsics (CUDA Math API, "Integer Intrinsics").
#pragma once
#pragma GCC system_header

#include "attributes.h"

BANKPROOF_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
BANKPROOF_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
// The clz of 0 is the number of bits in PTX, but undefined in C.
BANKPROOF_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
BANKPROOF_DEVICE int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
BANKPROOF_DEVICE int __ffs(int x) { return x == 0 ? 0 : 32 - __clz(x & -x); }
BANKPROOF_DEVICE int __ffsll(long long x) { return x == 0 ? 0 : 64 - __clzll(x & -x); }
BANKPROOF_DEVICE unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
BANKPROOF_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}

BANKPROOF_DEVICE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  unsigned int result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(selector));
  return result;
}

#define BANKPROOF_FUNNEL(name, code)                                                         \
  BANKPROOF_DEVICE unsigned int name(unsigned int low, unsigned int high, unsigned int by) { \
    unsigned int result;                                                                     \
    asm("shf." code ".b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(by));   \
    return result;                                                                           \
  }
BANKPROOF_FUNNEL(__funnelshift_l, "l.wrap")
BANKPROOF_FUNNEL(__funnelshift_lc, "l.clamp")
BANKPROOF_FUNNEL(__funnelshift_r, "r.wrap")
BANKPROOF_FUNNEL(__funnelshift_rc, "r.clamp")
#undef BANKPROOF_FUNNEL

// Three operands of one type.
#define BANKPROOF_INTEGER2(name, Type, constraint, code)                              \
  BANKPROOF_DEVICE Type name(Type x, Type y) {                                        \
    Type result;                                                                      \
    asm(code " %0, %1, %2;" : "=" constraint(result) : constraint(x), constraint(y)); \
    return result;                                                                    \
  }
BANKPROOF_INTEGER2(__mulhi, int, "r", "mul.hi.s32")
BANKPROOF_INTEGER2(__umulhi, unsigned int, "r", "mul.hi.u32")
BANKPROOF_INTEGER2(__mul64hi, long long, "l", "mul.hi.s64")
BANKPROOF_INTEGER2(__umul64hi, unsigned long long, "l", "mul.hi.u64")
BANKPROOF_INTEGER2(__mul24, int, "r", "mul24.lo.s32")
BANKPROOF_INTEGER2(__umul24, unsigned int, "r", "mul24.lo.u32")
#undef BANKPROOF_INTEGER2

BANKPROOF_DEVICE unsigned int __sad(int x, int y, unsigned int z) {
  unsigned int result;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}
BANKPROOF_DEVICE unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  unsigned int result;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(z));
  return result;
}

// The averages do not overflow. __hadd and __uhadd round down, __rhadd and __urhadd round up.
BANKPROOF_DEVICE int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
BANKPROOF_DEVICE int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
BANKPROOF_DEVICE unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
BANKPROOF_DEVICE unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Multiplies each of the four bytes of x with the same byte of y, and adds the products to `sum`.
// The type says whether the bytes are signed.
BANKPROOF_DEVICE int __dp4a(int x, int y, int sum) {
  int result;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(sum));
  return result;
}
BANKPROOF_DEVICE unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int sum) {
  unsigned int result;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(x), "r"(y), "r"(sum));
  return result;
}
