// References to textures, which CUDA had until version 11: a variable texture<T, dimensions, mode>
// that the host binds to memory or to an array.
//
// clang gives such a variable a place on the device, whose address device code gets. The place
// holds a texture object: whoever binds the reference makes an object and writes it there, in the
// order of the default stream. The objects live until the program ends, since kernels may still use
// them.
#pragma once
#pragma GCC system_header

#include "attributes.h"
#include "channels.h"
#include "textures.h"

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  enum cudaTextureReadMode bankproof_mode;
};

template <class T, int dimensions = cudaTextureType1D,
          enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int normalized = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
          enum cudaTextureAddressMode address = cudaAddressModeClamp)
      : textureReference{normalized,
                         filter,
                         {address, address, address},
                         cudaCreateChannelDesc<T>(),
                         0,
                         0,
                         cudaFilterModePoint,
                         0,
                         0,
                         0,
                         0,
                         mode} {}
};

namespace bankproof_parts {

inline cudaError_t bind_reference(const textureReference* reference,
                                  const cudaResourceDesc& resource) {
  cudaTextureDesc sampling = {};
  for (int k = 0; k < 3; ++k) sampling.addressMode[k] = reference->addressMode[k];
  sampling.filterMode = reference->filterMode;
  sampling.readMode = reference->bankproof_mode;
  sampling.normalizedCoords = reference->normalized;
  cudaTextureObject_t object = 0;
  const cudaError_t error = cudaCreateTextureObject(&object, &resource, &sampling, nullptr);
  if (error != cudaSuccess) return error;
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(reference), &object, sizeof object, 0,
                                 cudaMemcpyHostToDevice, 0);
}

/// What a fetch gives: the texel, or a number of floating point for each of its channels.
template <class T>
struct Normalized {
  using Type = float;
};
#define BANKPROOF_NORMALIZED(channels)  \
  template <>                           \
  struct Normalized<uchar##channels> {  \
    using Type = float##channels;       \
  };                                    \
  template <>                           \
  struct Normalized<char##channels> {   \
    using Type = float##channels;       \
  };                                    \
  template <>                           \
  struct Normalized<ushort##channels> { \
    using Type = float##channels;       \
  };                                    \
  template <>                           \
  struct Normalized<short##channels> {  \
    using Type = float##channels;       \
  };
BANKPROOF_NORMALIZED(1)
BANKPROOF_NORMALIZED(2)
BANKPROOF_NORMALIZED(4)
#undef BANKPROOF_NORMALIZED
template <class T, enum cudaTextureReadMode mode>
struct Fetched {
  using Type = T;
};
template <class T>
struct Fetched<T, cudaReadModeNormalizedFloat> : Normalized<T> {};

template <class Reference>
BANKPROOF_DEVICE cudaTextureObject_t object_of(Reference reference) {
  cudaTextureObject_t object;
  asm volatile("ld.const.u64 %0, [%1];" : "=l"(object) : "l"(reference));
  return object;
}

}  // namespace bankproof_parts

inline cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference,
                                   const void* memory, const cudaChannelFormatDesc* channels,
                                   size_t bytes = 0xFFFFFFFFU) {
  if (offset != nullptr) *offset = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = *channels;
  resource.res.linear.sizeInBytes = bytes;
  return bankproof_parts::bind_reference(reference, resource);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference,
                            const void* memory, const cudaChannelFormatDesc& channels,
                            size_t bytes = 0xFFFFFFFFU) {
  return cudaBindTexture(offset, &reference, memory, &channels, bytes);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference,
                            const void* memory, size_t bytes = 0xFFFFFFFFU) {
  return cudaBindTexture(offset, &reference, memory, &reference.channelDesc, bytes);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference,
                                   cudaArray_const_t array, const cudaChannelFormatDesc&) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bankproof_parts::bind_reference(&reference, resource);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference,
                                   cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
inline cudaError_t cudaUnbindTexture(const textureReference* reference) {
  const cudaTextureObject_t none = 0;
  return cudaMemcpyToSymbolAsync(static_cast<const void*>(reference), &none, sizeof none, 0,
                                 cudaMemcpyHostToDevice, 0);
}
inline cudaError_t cudaUnbindTexture(const textureReference& reference) {
  return cudaUnbindTexture(&reference);
}

// clang-format off: a function a paragraph
#define BANKPROOF_REFERENCE(name, dimensions, parameters, ...)             \
  template <class T, enum cudaTextureReadMode mode>                        \
  BANKPROOF_DEVICE typename bankproof_parts::Fetched<T, mode>::Type name(  \
      texture<T, dimensions, mode> reference, BANKPROOF_LIST parameters) { \
    using Type = typename bankproof_parts::Fetched<T, mode>::Type;         \
    return name<Type>(bankproof_parts::object_of(reference), __VA_ARGS__); \
  }
BANKPROOF_REFERENCE(tex1Dfetch, 1, (int x), x)
BANKPROOF_REFERENCE(tex1D, 1, (float x), x)
BANKPROOF_REFERENCE(tex2D, 2, (float x, float y), x, y)
BANKPROOF_REFERENCE(tex3D, 3, (float x, float y, float z), x, y, z)
#undef BANKPROOF_REFERENCE
// clang-format on
