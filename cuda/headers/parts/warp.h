// Operations that lanes of a warp perform together: barriers, votes, matches, shuffles and
// reductions (Programming Guide, "Warp Vote Functions" and the next sections).
#pragma once
#pragma GCC system_header

#include "attributes.h"

BANKPROOF_DEVICE void __syncwarp(unsigned int mask = 0xffffffffU) { __nvvm_bar_warp_sync(mask); }
BANKPROOF_DEVICE unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

BANKPROOF_DEVICE int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate != 0);
}
BANKPROOF_DEVICE int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate != 0);
}
BANKPROOF_DEVICE int __uni_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate != 0);
}
BANKPROOF_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate != 0);
}

// ---- Shuffles: in the last operand, bits 8 to 12 are the segment's mask, and the bits below are
// the clamp (PTX ISA, shfl.sync).

namespace bankproof_parts {

#define BANKPROOF_SHUFFLE_BITS(name, clamp)                                                      \
  BANKPROOF_DEVICE unsigned int shuffle_##name(unsigned int mask, unsigned int bits, int lane,   \
                                               int width) {                                      \
    return static_cast<unsigned int>(__nvvm_shfl_sync_##name##_i32(                              \
        mask, static_cast<int>(bits), lane, ((32 - width) << 8) | (clamp)));                     \
  }                                                                                              \
  BANKPROOF_DEVICE unsigned long long shuffle_##name(unsigned int mask, unsigned long long bits, \
                                                     int lane, int width) {                      \
    const unsigned int low = shuffle_##name(mask, static_cast<unsigned int>(bits), lane, width); \
    const unsigned int high =                                                                    \
        shuffle_##name(mask, static_cast<unsigned int>(bits >> 32), lane, width);                \
    return static_cast<unsigned long long>(high) << 32 | low;                                    \
  }

BANKPROOF_SHUFFLE_BITS(idx, 31)
BANKPROOF_SHUFFLE_BITS(up, 0)
BANKPROOF_SHUFFLE_BITS(down, 31)
BANKPROOF_SHUFFLE_BITS(bfly, 31)
#undef BANKPROOF_SHUFFLE_BITS

/// The value of type To that has the same size and the same bits.
template <class To, class From>
BANKPROOF_BOTH To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "bits_as: not of the same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace bankproof_parts

#define BANKPROOF_SHUFFLE(Type, Bits, function, name, Lane)                                  \
  BANKPROOF_DEVICE Type function(unsigned int mask, Type value, Lane lane, int width = 32) { \
    return bankproof_parts::bits_as<Type>(bankproof_parts::shuffle_##name(                   \
        mask, bankproof_parts::bits_as<Bits>(value), static_cast<int>(lane), width));        \
  }
#define BANKPROOF_SHUFFLES(Type, Bits)                                \
  BANKPROOF_SHUFFLE(Type, Bits, __shfl_sync, idx, int)                \
  BANKPROOF_SHUFFLE(Type, Bits, __shfl_up_sync, up, unsigned int)     \
  BANKPROOF_SHUFFLE(Type, Bits, __shfl_down_sync, down, unsigned int) \
  BANKPROOF_SHUFFLE(Type, Bits, __shfl_xor_sync, bfly, int)

BANKPROOF_SHUFFLES(int, unsigned int)
BANKPROOF_SHUFFLES(unsigned int, unsigned int)
BANKPROOF_SHUFFLES(float, unsigned int)
BANKPROOF_SHUFFLES(long, unsigned long long)
BANKPROOF_SHUFFLES(unsigned long, unsigned long long)
BANKPROOF_SHUFFLES(long long, unsigned long long)
BANKPROOF_SHUFFLES(unsigned long long, unsigned long long)
BANKPROOF_SHUFFLES(double, unsigned long long)

// ---- Matches

// These are assembly, because the 64-bit builtins of clang before 15 take a 64-bit mask, which PTX
// does not have.
#define BANKPROOF_MATCH(Type, Bits, c, code)                                                     \
  BANKPROOF_DEVICE unsigned int __match_any_sync(unsigned int mask, Type value) {                \
    unsigned int lanes;                                                                          \
    asm volatile("match.any.sync." code " %0, %1, %2;"                                           \
                 : "=r"(lanes)                                                                   \
                 : c(bankproof_parts::bits_as<Bits>(value)), "r"(mask));                         \
    return lanes;                                                                                \
  }                                                                                              \
  BANKPROOF_DEVICE unsigned int __match_all_sync(unsigned int mask, Type value, int* same) {     \
    unsigned int lanes;                                                                          \
    asm volatile("{ .reg .pred p; match.all.sync." code " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                 : "=r"(lanes), "=r"(*same)                                                      \
                 : c(bankproof_parts::bits_as<Bits>(value)), "r"(mask));                         \
    return lanes;                                                                                \
  }

BANKPROOF_MATCH(int, unsigned int, "r", "b32")
BANKPROOF_MATCH(unsigned int, unsigned int, "r", "b32")
BANKPROOF_MATCH(float, unsigned int, "r", "b32")
BANKPROOF_MATCH(long, unsigned long long, "l", "b64")
BANKPROOF_MATCH(unsigned long, unsigned long long, "l", "b64")
BANKPROOF_MATCH(long long, unsigned long long, "l", "b64")
BANKPROOF_MATCH(unsigned long long, unsigned long long, "l", "b64")
BANKPROOF_MATCH(double, unsigned long long, "l", "b64")
#undef BANKPROOF_MATCH

// ---- Reductions (redux.sync, from sm_80 on)

#define BANKPROOF_REDUCE(Type, suffix, code)                                                \
  BANKPROOF_DEVICE Type __reduce_##suffix##_sync(unsigned int mask, Type value) {           \
    Type result;                                                                            \
    asm volatile("redux.sync." code " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                          \
  }

BANKPROOF_REDUCE(int, add, "add.s32")
BANKPROOF_REDUCE(int, min, "min.s32")
BANKPROOF_REDUCE(int, max, "max.s32")
BANKPROOF_REDUCE(unsigned int, add, "add.u32")
BANKPROOF_REDUCE(unsigned int, min, "min.u32")
BANKPROOF_REDUCE(unsigned int, max, "max.u32")
BANKPROOF_REDUCE(unsigned int, and, "and.b32")
BANKPROOF_REDUCE(unsigned int, or, "or.b32")
BANKPROOF_REDUCE(unsigned int, xor, "xor.b32")
#undef BANKPROOF_REDUCE
