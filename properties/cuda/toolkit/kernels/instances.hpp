// The instances of CUB's algorithms that the tests compile and try: X(type, operator, …) for each.
// The algorithm is a number of CUB's enumeration, which the kernels check.
#pragma once

// Threads, items of a thread, algorithm: 0 raking, 1 raking that keeps its items, 2 scans of warps.
// CUB always rakes if the threads are not whole warps.
#define BANKPROOF_BLOCK_SCANS(X) \
  X(int, Plus, 32, 1, 2)         \
  X(int, Plus, 256, 4, 2)        \
  X(int, Maximum, 96, 3, 0)      \
  X(float, Plus, 128, 4, 1)      \
  X(double, Maximum, 64, 2, 0)   \
  X(short, Plus, 512, 2, 2)      \
  X(Map, Compose, 256, 1, 2)     \
  X(Map, Compose, 1024, 1, 2)    \
  X(Map, Compose, 160, 5, 1)     \
  X(Map, Compose, 33, 2, 2)      \
  X(WideMap, Compose, 64, 3, 0)  \
  X(WideMap, Compose, 128, 2, 2)

// Threads, algorithm: 0 raking for operators that commute, 1 raking, 2 reductions of warps.
#define BANKPROOF_BLOCK_REDUCTIONS(X) \
  X(int, Plus, 32, 2)                 \
  X(int, Plus, 256, 0)                \
  X(float, Plus, 128, 2)              \
  X(double, Maximum, 96, 0)           \
  X(signed char, Maximum, 512, 1)     \
  X(Map, Compose, 256, 2)             \
  X(Map, Compose, 1024, 1)            \
  X(Map, Compose, 33, 1)              \
  X(WideMap, Compose, 160, 2)

// Types for which a tile's state is one word of 32, 64 or 128 bits, and structs, whose state has
// several parts.
#define BANKPROOF_DEVICE_SCANS(X) \
  X(int, Plus)                    \
  X(unsigned char, Maximum)       \
  X(short, Plus)                  \
  X(float, Maximum)               \
  X(double, Plus)                 \
  X(Map, Compose)                 \
  X(WideMap, Compose)

// CUB reduces the device's items in any order, so these operators have to commute.
#define BANKPROOF_DEVICE_REDUCTIONS(X) \
  X(int, Plus)                         \
  X(unsigned char, Maximum)            \
  X(float, Maximum)                    \
  X(double, Plus)                      \
  X(long long, Plus)
