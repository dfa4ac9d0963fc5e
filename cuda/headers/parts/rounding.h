// Arithmetic with the rounding in its name: _rn to nearest, _rz to zero, _ru up, _rd down (CUDA
// Math API). The compiler never fuses two of these functions into a multiply-add.
#pragma once
#pragma GCC system_header

#include "attributes.h"

#define BANKPROOF_ROUND1(name, Type, c, code)    \
  BANKPROOF_DEVICE Type name(Type x) {           \
    Type result;                                 \
    asm(code " %0, %1;" : "=" c(result) : c(x)); \
    return result;                               \
  }
#define BANKPROOF_ROUND2(name, Type, c, code)              \
  BANKPROOF_DEVICE Type name(Type x, Type y) {             \
    Type result;                                           \
    asm(code " %0, %1, %2;" : "=" c(result) : c(x), c(y)); \
    return result;                                         \
  }
#define BANKPROOF_ROUND3(name, Type, c, code)                        \
  BANKPROOF_DEVICE Type name(Type x, Type y, Type z) {               \
    Type result;                                                     \
    asm(code " %0, %1, %2, %3;" : "=" c(result) : c(x), c(y), c(z)); \
    return result;                                                   \
  }
#define BANKPROOF_SUBTRACT(name, Type, add) \
  BANKPROOF_DEVICE Type name(Type x, Type y) { return add(x, -y); }

#define BANKPROOF_ROUNDINGS(mode, code)                              \
  BANKPROOF_ROUND2(__fadd_##mode, float, "f", "add." code ".f32")    \
  BANKPROOF_SUBTRACT(__fsub_##mode, float, __fadd_##mode)            \
  BANKPROOF_ROUND2(__fmul_##mode, float, "f", "mul." code ".f32")    \
  BANKPROOF_ROUND2(__fdiv_##mode, float, "f", "div." code ".f32")    \
  BANKPROOF_ROUND1(__frcp_##mode, float, "f", "rcp." code ".f32")    \
  BANKPROOF_ROUND1(__fsqrt_##mode, float, "f", "sqrt." code ".f32")  \
  BANKPROOF_ROUND3(__fmaf_##mode, float, "f", "fma." code ".f32")    \
  BANKPROOF_ROUND2(__dadd_##mode, double, "d", "add." code ".f64")   \
  BANKPROOF_SUBTRACT(__dsub_##mode, double, __dadd_##mode)           \
  BANKPROOF_ROUND2(__dmul_##mode, double, "d", "mul." code ".f64")   \
  BANKPROOF_ROUND2(__ddiv_##mode, double, "d", "div." code ".f64")   \
  BANKPROOF_ROUND1(__drcp_##mode, double, "d", "rcp." code ".f64")   \
  BANKPROOF_ROUND1(__dsqrt_##mode, double, "d", "sqrt." code ".f64") \
  BANKPROOF_ROUND3(__fma_##mode, double, "d", "fma." code ".f64")

BANKPROOF_ROUNDINGS(rn, "rn")
BANKPROOF_ROUNDINGS(rz, "rz")
BANKPROOF_ROUNDINGS(ru, "rp")
BANKPROOF_ROUNDINGS(rd, "rm")

#undef BANKPROOF_ROUNDINGS
#undef BANKPROOF_SUBTRACT
#undef BANKPROOF_ROUND1
#undef BANKPROOF_ROUND2
#undef BANKPROOF_ROUND3
