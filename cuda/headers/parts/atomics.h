// Atomic functions with the scope of the device, of a block (_block) and of the system (_system).
// Their memory order is relaxed (Programming Guide, "Atomic Functions").
#pragma once
#pragma GCC system_header

#include "warp.h"

// Atomic functions of integers and floats. Each scope has a builtin, whose name is `builtin` with a
// prefix for the scope.
#define BANKPROOF_ATOMIC(function, Type, Known, builtin)                                      \
  BANKPROOF_DEVICE Type function(Type* address, Type value) {                                 \
    return static_cast<Type>(                                                                 \
        __nvvm_atom_##builtin(reinterpret_cast<Known*>(address), static_cast<Known>(value))); \
  }

#define BANKPROOF_ATOMIC_SCOPES(function, Type, Known, builtin)  \
  BANKPROOF_ATOMIC(function, Type, Known, builtin)               \
  BANKPROOF_ATOMIC(function##_block, Type, Known, cta_##builtin) \
  BANKPROOF_ATOMIC(function##_system, Type, Known, sys_##builtin)

// CUDA has the functions of BANKPROOF_ATOMIC_SAME for int, unsigned int and unsigned long long.
// Functions that compare, BANKPROOF_ATOMIC_ORDER, also take long long.
#define BANKPROOF_ATOMIC_SAME(function, builtin)                        \
  BANKPROOF_ATOMIC_SCOPES(function, int, int, builtin##_gen_i)          \
  BANKPROOF_ATOMIC_SCOPES(function, unsigned int, int, builtin##_gen_i) \
  BANKPROOF_ATOMIC_SCOPES(function, unsigned long long, long long, builtin##_gen_ll)
#define BANKPROOF_ATOMIC_ORDER(function, builtin)                                 \
  BANKPROOF_ATOMIC_SCOPES(function, int, int, builtin##_gen_i)                    \
  BANKPROOF_ATOMIC_SCOPES(function, unsigned int, unsigned int, builtin##_gen_ui) \
  BANKPROOF_ATOMIC_SCOPES(function, long long, long long, builtin##_gen_ll)       \
  BANKPROOF_ATOMIC_SCOPES(function, unsigned long long, unsigned long long, builtin##_gen_ull)

BANKPROOF_ATOMIC_SAME(atomicAdd, add)
BANKPROOF_ATOMIC_SAME(atomicExch, xchg)
BANKPROOF_ATOMIC_SAME(atomicAnd, and)
BANKPROOF_ATOMIC_SAME(atomicOr, or)
BANKPROOF_ATOMIC_SAME(atomicXor, xor)
BANKPROOF_ATOMIC_SCOPES(atomicAnd, long long, long long, and_gen_ll)
BANKPROOF_ATOMIC_SCOPES(atomicOr, long long, long long, or_gen_ll)
BANKPROOF_ATOMIC_SCOPES(atomicXor, long long, long long, xor_gen_ll)
BANKPROOF_ATOMIC_ORDER(atomicMin, min)
BANKPROOF_ATOMIC_ORDER(atomicMax, max)
BANKPROOF_ATOMIC_SCOPES(atomicInc, unsigned int, unsigned int, inc_gen_ui)
BANKPROOF_ATOMIC_SCOPES(atomicDec, unsigned int, unsigned int, dec_gen_ui)
BANKPROOF_ATOMIC_SCOPES(atomicAdd, float, float, add_gen_f)
BANKPROOF_ATOMIC_SCOPES(atomicAdd, double, double, add_gen_d)
#undef BANKPROOF_ATOMIC
#undef BANKPROOF_ATOMIC_SCOPES
#undef BANKPROOF_ATOMIC_SAME
#undef BANKPROOF_ATOMIC_ORDER

#define BANKPROOF_ATOMIC_REST(scope, builtin)                                                      \
  BANKPROOF_DEVICE int atomicSub##scope(int* address, int value) {                                 \
    return atomicAdd##scope(address, static_cast<int>(0U - static_cast<unsigned int>(value)));     \
  }                                                                                                \
  BANKPROOF_DEVICE unsigned int atomicSub##scope(unsigned int* address, unsigned int value) {      \
    return atomicAdd##scope(address, 0U - value);                                                  \
  }                                                                                                \
  BANKPROOF_DEVICE float atomicExch##scope(float* address, float value) {                          \
    return bankproof_parts::bits_as<float>(                                                        \
        atomicExch##scope(reinterpret_cast<int*>(address), bankproof_parts::bits_as<int>(value))); \
  }                                                                                                \
  BANKPROOF_DEVICE int atomicCAS##scope(int* address, int expected, int value) {                   \
    return __nvvm_atom_##builtin##_gen_i(address, expected, value);                                \
  }                                                                                                \
  BANKPROOF_DEVICE unsigned int atomicCAS##scope(unsigned int* address, unsigned int expected,     \
                                                 unsigned int value) {                             \
    return static_cast<unsigned int>(__nvvm_atom_##builtin##_gen_i(                                \
        reinterpret_cast<int*>(address), static_cast<int>(expected), static_cast<int>(value)));    \
  }                                                                                                \
  BANKPROOF_DEVICE unsigned long long atomicCAS##scope(                                            \
      unsigned long long* address, unsigned long long expected, unsigned long long value) {        \
    return static_cast<unsigned long long>(__nvvm_atom_##builtin##_gen_ll(                         \
        reinterpret_cast<long long*>(address), static_cast<long long>(expected),                   \
        static_cast<long long>(value)));                                                           \
  }
BANKPROOF_ATOMIC_REST(, cas)
BANKPROOF_ATOMIC_REST(_block, cta_cas)
BANKPROOF_ATOMIC_REST(_system, sys_cas)
#undef BANKPROOF_ATOMIC_REST

BANKPROOF_DEVICE unsigned short atomicCAS(unsigned short* address, unsigned short expected,
                                          unsigned short value) {
  unsigned short old;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(old)
               : "l"(address), "h"(expected), "h"(value)
               : "memory");
  return old;
}
