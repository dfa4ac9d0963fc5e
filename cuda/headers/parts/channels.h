// cudaCreateChannelDesc<T>(): the channels of texels of a type.
#pragma once
#pragma GCC system_header

#include "texture_calls.h"

template <class T>
struct cudaChannelFormatDesc cudaCreateChannelDesc();
template <enum cudaChannelFormatKind kind>
struct cudaChannelFormatDesc cudaCreateChannelDesc();

#define BANKPROOF_CHANNELS(type, x, y, z, w, kind)                         \
  template <>                                                              \
  inline struct cudaChannelFormatDesc cudaCreateChannelDesc<type>() {      \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); \
  }
#define BANKPROOF_VECTOR_CHANNELS(scalar, name, bits, kind) \
  BANKPROOF_CHANNELS(scalar, bits, 0, 0, 0, kind)           \
  BANKPROOF_CHANNELS(name##1, bits, 0, 0, 0, kind)          \
  BANKPROOF_CHANNELS(name##2, bits, bits, 0, 0, kind)       \
  BANKPROOF_CHANNELS(name##4, bits, bits, bits, bits, kind)
BANKPROOF_CHANNELS(char, 8, 0, 0, 0, Signed)
BANKPROOF_VECTOR_CHANNELS(signed char, char, 8, Signed)
BANKPROOF_VECTOR_CHANNELS(unsigned char, uchar, 8, Unsigned)
BANKPROOF_VECTOR_CHANNELS(short, short, 16, Signed)
BANKPROOF_VECTOR_CHANNELS(unsigned short, ushort, 16, Unsigned)
BANKPROOF_VECTOR_CHANNELS(int, int, 32, Signed)
BANKPROOF_VECTOR_CHANNELS(unsigned int, uint, 32, Unsigned)
BANKPROOF_VECTOR_CHANNELS(float, float, 32, Float)
#undef BANKPROOF_VECTOR_CHANNELS
#define BANKPROOF_NORMALIZED(sign, bits)                                                        \
  BANKPROOF_CHANNELS(cudaChannelFormatKind##sign##Normalized##bits##X1, bits, 0, 0, 0,          \
                     sign##Normalized##bits##X1)                                                \
  BANKPROOF_CHANNELS(cudaChannelFormatKind##sign##Normalized##bits##X2, bits, bits, 0, 0,       \
                     sign##Normalized##bits##X2)                                                \
  BANKPROOF_CHANNELS(cudaChannelFormatKind##sign##Normalized##bits##X4, bits, bits, bits, bits, \
                     sign##Normalized##bits##X4)
BANKPROOF_NORMALIZED(Unsigned, 8)
BANKPROOF_NORMALIZED(Unsigned, 16)
BANKPROOF_NORMALIZED(Signed, 8)
BANKPROOF_NORMALIZED(Signed, 16)
#undef BANKPROOF_NORMALIZED
#undef BANKPROOF_CHANNELS

inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline struct cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
