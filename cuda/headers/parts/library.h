// Functions of the C library for device code: printf, assert, the heap, memcpy, memset. As in CUDA,
// printf and the heap are only declared: the machine that runs the PTX provides them.
#pragma once
#pragma GCC system_header

#include "attributes.h"

extern "C" {
__device__ int printf(const char* format, ...);
__device__ int vprintf(const char* format, void* arguments);
__device__ void* malloc(unsigned long size);
__device__ void free(void* pointer);
__device__ __attribute__((noreturn)) void __assertfail(const char* condition, const char* file,
                                                       unsigned int line, const char* function,
                                                       unsigned long size);
__device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);

/// The function that <assert.h> calls.
static __inline__ __attribute__((device, always_inline, nodebug, unused, noreturn)) void
__assert_fail(const char* condition, const char* file, unsigned int line, const char* function) {
  __assertfail(condition, file, line, function, 1);
}
}

// The compiler unrolls these copies or, if it does not know the size, makes a loop.
BANKPROOF_DEVICE void* memcpy(void* to, const void* from, unsigned long size) {
  __builtin_memcpy(to, from, size);
  return to;
}
BANKPROOF_DEVICE void* memset(void* to, int byte, unsigned long size) {
  __builtin_memset(to, byte, size);
  return to;
}
