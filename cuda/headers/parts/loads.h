// Loads and stores with cache operators: a value of 1, 2, 4, 8 or 16 bytes as one access (PTX ISA,
// "Cache Operators").
#pragma once
#pragma GCC system_header

#include "attributes.h"

namespace bankproof_parts {

template <unsigned long size>
struct Bytes;
template <>
struct Bytes<1> {
  unsigned char a;
};
template <>
struct Bytes<2> {
  unsigned short a;
};
template <>
struct Bytes<4> {
  unsigned int a;
};
template <>
struct Bytes<8> {
  unsigned int a, b;
};
template <>
struct Bytes<16> {
  unsigned int a, b, c, d;
};

#define BANKPROOF_LOADS(operation)                                                       \
  BANKPROOF_DEVICE void load_##operation(Bytes<1>& to, const void* from) {               \
    unsigned short byte;                                                                 \
    asm volatile("ld." #operation ".u8 %0, [%1];" : "=h"(byte) : "l"(from) : "memory");  \
    to.a = static_cast<unsigned char>(byte);                                             \
  }                                                                                      \
  BANKPROOF_DEVICE void load_##operation(Bytes<2>& to, const void* from) {               \
    asm volatile("ld." #operation ".u16 %0, [%1];" : "=h"(to.a) : "l"(from) : "memory"); \
  }                                                                                      \
  BANKPROOF_DEVICE void load_##operation(Bytes<4>& to, const void* from) {               \
    asm volatile("ld." #operation ".u32 %0, [%1];" : "=r"(to.a) : "l"(from) : "memory"); \
  }                                                                                      \
  BANKPROOF_DEVICE void load_##operation(Bytes<8>& to, const void* from) {               \
    asm volatile("ld." #operation ".v2.u32 {%0, %1}, [%2];"                              \
                 : "=r"(to.a), "=r"(to.b)                                                \
                 : "l"(from)                                                             \
                 : "memory");                                                            \
  }                                                                                      \
  BANKPROOF_DEVICE void load_##operation(Bytes<16>& to, const void* from) {              \
    asm volatile("ld." #operation ".v4.u32 {%0, %1, %2, %3}, [%4];"                      \
                 : "=r"(to.a), "=r"(to.b), "=r"(to.c), "=r"(to.d)                        \
                 : "l"(from)                                                             \
                 : "memory");                                                            \
  }
BANKPROOF_LOADS(ca)
BANKPROOF_LOADS(cg)
BANKPROOF_LOADS(cs)
BANKPROOF_LOADS(lu)
BANKPROOF_LOADS(cv)
#undef BANKPROOF_LOADS

#define BANKPROOF_STORES(operation)                                                             \
  BANKPROOF_DEVICE void store_##operation(void* to, Bytes<1> from) {                            \
    const unsigned short byte = from.a;                                                         \
    asm volatile("st." #operation ".u8 [%0], %1;" ::"l"(to), "h"(byte) : "memory");             \
  }                                                                                             \
  BANKPROOF_DEVICE void store_##operation(void* to, Bytes<2> from) {                            \
    asm volatile("st." #operation ".u16 [%0], %1;" ::"l"(to), "h"(from.a) : "memory");          \
  }                                                                                             \
  BANKPROOF_DEVICE void store_##operation(void* to, Bytes<4> from) {                            \
    asm volatile("st." #operation ".u32 [%0], %1;" ::"l"(to), "r"(from.a) : "memory");          \
  }                                                                                             \
  BANKPROOF_DEVICE void store_##operation(void* to, Bytes<8> from) {                            \
    asm volatile("st." #operation ".v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(from.a), "r"(from.b) \
                 : "memory");                                                                   \
  }                                                                                             \
  BANKPROOF_DEVICE void store_##operation(void* to, Bytes<16> from) {                           \
    asm volatile("st." #operation ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(from.a),     \
                 "r"(from.b), "r"(from.c), "r"(from.d)                                          \
                 : "memory");                                                                   \
  }
BANKPROOF_STORES(wb)
BANKPROOF_STORES(cg)
BANKPROOF_STORES(cs)
BANKPROOF_STORES(wt)
#undef BANKPROOF_STORES

}  // namespace bankproof_parts

/// A read-only load is a plain load here; both move the same bytes.
template <class T>
BANKPROOF_DEVICE T __ldg(const T* address) {
  return *address;
}

#define BANKPROOF_LOAD(operation)                        \
  template <class T>                                     \
  BANKPROOF_DEVICE T __ld##operation(const T* address) { \
    bankproof_parts::Bytes<sizeof(T)> bytes;             \
    bankproof_parts::load_##operation(bytes, address);   \
    T value;                                             \
    __builtin_memcpy(&value, &bytes, sizeof value);      \
    return value;                                        \
  }
BANKPROOF_LOAD(ca)
BANKPROOF_LOAD(cg)
BANKPROOF_LOAD(cs)
BANKPROOF_LOAD(lu)
BANKPROOF_LOAD(cv)
#undef BANKPROOF_LOAD

#define BANKPROOF_STORE(operation)                             \
  template <class T>                                           \
  BANKPROOF_DEVICE void __st##operation(T* address, T value) { \
    bankproof_parts::Bytes<sizeof(T)> bytes;                   \
    __builtin_memcpy(&bytes, &value, sizeof value);            \
    bankproof_parts::store_##operation(address, bytes);        \
  }
BANKPROOF_STORE(wb)
BANKPROOF_STORE(cg)
BANKPROOF_STORE(cs)
BANKPROOF_STORE(wt)
#undef BANKPROOF_STORE
