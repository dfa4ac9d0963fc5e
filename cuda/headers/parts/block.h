// Barriers of the block, fences, clocks and sleep. From version 15 on, clang itself has
// __syncthreads().
#pragma once
#pragma GCC system_header

#include "attributes.h"

#if __clang_major__ >= 15
BANKPROOF_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
BANKPROOF_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
BANKPROOF_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }

BANKPROOF_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
BANKPROOF_DEVICE void __threadfence() { __nvvm_membar_gl(); }
BANKPROOF_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }
#else
// Clang 14 moves loads of shared variables across its builtin barriers and fences, because it
// assumes that no other function writes to a variable whose address is never taken. It does not
// move loads across assembly.
BANKPROOF_DEVICE void bankproof_syncthreads() { asm volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() bankproof_syncthreads()
BANKPROOF_DEVICE int __syncthreads_count(int predicate) {
  int count;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(predicate)
               : "memory");
  return count;
}

#define BANKPROOF_SYNCTHREADS(name)                                        \
  BANKPROOF_DEVICE int __syncthreads_##name(int predicate) {               \
    int result;                                                            \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." #name \
                 ".pred q, 0, p; "                                         \
                 "selp.s32 %0, 1, 0, q; }"                                 \
                 : "=r"(result)                                            \
                 : "r"(predicate)                                          \
                 : "memory");                                              \
    return result;                                                         \
  }
BANKPROOF_SYNCTHREADS(and)
BANKPROOF_SYNCTHREADS(or)
#undef BANKPROOF_SYNCTHREADS

BANKPROOF_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
BANKPROOF_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
BANKPROOF_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
#endif

BANKPROOF_DEVICE void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}
BANKPROOF_DEVICE void __trap() { asm volatile("trap;"); }
BANKPROOF_DEVICE void __brkpt() { asm volatile("brkpt;"); }

// Returns `long`, the C library's clock_t, since clock() must have the same type on the host and on
// the device.
BANKPROOF_DEVICE long clock() {
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
  return ticks;
}
BANKPROOF_DEVICE long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
  return ticks;
}

// ---- The state space of a pointer (Programming Guide, "Address Space Predicate Functions")

#define BANKPROOF_IS_IN(name, code)                                        \
  BANKPROOF_DEVICE unsigned int name(const void* pointer) {                \
    unsigned int is_in;                                                    \
    asm("{ .reg .pred p; isspacep." code " p, %1; selp.u32 %0, 1, 0, p; }" \
        : "=r"(is_in)                                                      \
        : "l"(pointer));                                                   \
    return is_in;                                                          \
  }
BANKPROOF_IS_IN(__isGlobal, "global")
BANKPROOF_IS_IN(__isShared, "shared")
BANKPROOF_IS_IN(__isConstant, "const")
BANKPROOF_IS_IN(__isLocal, "local")
#undef BANKPROOF_IS_IN

#define BANKPROOF_TO_SPACE(space)                                                 \
  BANKPROOF_DEVICE unsigned long __cvta_generic_to_##space(const void* pointer) { \
    unsigned long address;                                                        \
    asm("cvta.to." #space ".u64 %0, %1;" : "=l"(address) : "l"(pointer));         \
    return address;                                                               \
  }                                                                               \
  BANKPROOF_DEVICE void* __cvta_##space##_to_generic(unsigned long address) {     \
    void* pointer;                                                                \
    asm("cvta." #space ".u64 %0, %1;" : "=l"(pointer) : "l"(address));            \
    return pointer;                                                               \
  }
BANKPROOF_TO_SPACE(global)
BANKPROOF_TO_SPACE(shared)
BANKPROOF_TO_SPACE(local)
#undef BANKPROOF_TO_SPACE
