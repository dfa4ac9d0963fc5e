// Textures and surfaces, by the functions of CUDA's runtime: a handle is the same in both APIs, and
// the structures say the same in other words.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "calls.hpp"
#include "pointers.hpp"
#include "texel_formats.hpp"

using namespace bankproof::cuda::driver;  // NOLINT(google-build-using-namespace)

namespace {

cudaResourceDesc resource_of_runtime(const CUDA_RESOURCE_DESC& of) {
  cudaResourceDesc resource = {};
  resource.resType = static_cast<cudaResourceType>(of.resType);
  switch (of.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      resource.res.array.array = array_of(of.res.array.hArray);
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      resource.res.mipmap.mipmap = array_of(of.res.mipmap.hMipmappedArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = of.res.linear;
      resource.res.linear = {pointer_of(linear.devPtr),
                             channels_of({linear.format, linear.numChannels}), linear.sizeInBytes};
      break;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = of.res.pitch2D;
      resource.res.pitch2D = {pointer_of(rows.devPtr), channels_of({rows.format, rows.numChannels}),
                              rows.width, rows.height, rows.pitchInBytes};
      break;
    }
  }
  return resource;
}

CUDA_RESOURCE_DESC resource_of_driver(const cudaResourceDesc& of) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = static_cast<CUresourcetype>(of.resType);
  switch (of.resType) {
    case cudaResourceTypeArray:
      resource.res.array.hArray = array_of(of.res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      resource.res.mipmap.hMipmappedArray = array_of(of.res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear: {
      const auto& linear = of.res.linear;
      const DriverFormat format = format_of(linear.desc);
      resource.res.linear = {address_of(linear.devPtr), format.format, format.channels,
                             linear.sizeInBytes};
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& rows = of.res.pitch2D;
      const DriverFormat format = format_of(rows.desc);
      resource.res.pitch2D = {
          address_of(rows.devPtr), format.format, format.channels, rows.width, rows.height,
          rows.pitchInBytes};
      break;
    }
  }
  return resource;
}

cudaTextureDesc sampling_of_runtime(const CUDA_TEXTURE_DESC& of) {
  cudaTextureDesc sampling = {};
  std::memcpy(sampling.addressMode, of.addressMode, sizeof sampling.addressMode);
  std::memcpy(sampling.borderColor, of.borderColor, sizeof sampling.borderColor);
  std::memcpy(&sampling.filterMode, &of.filterMode, sizeof sampling.filterMode);
  std::memcpy(&sampling.mipmapFilterMode, &of.mipmapFilterMode, sizeof sampling.mipmapFilterMode);
  const auto has = [&](unsigned flag) { return (of.flags & flag) != 0; };
  sampling.readMode =
      has(CU_TRSF_READ_AS_INTEGER) ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  sampling.normalizedCoords = has(CU_TRSF_NORMALIZED_COORDINATES) ? 1 : 0;
  sampling.sRGB = has(CU_TRSF_SRGB) ? 1 : 0;
  sampling.disableTrilinearOptimization = has(CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) ? 1 : 0;
  sampling.seamlessCubemap = has(CU_TRSF_SEAMLESS_CUBEMAP) ? 1 : 0;
  sampling.maxAnisotropy = of.maxAnisotropy;
  sampling.mipmapLevelBias = of.mipmapLevelBias;
  sampling.minMipmapLevelClamp = of.minMipmapLevelClamp;
  sampling.maxMipmapLevelClamp = of.maxMipmapLevelClamp;
  return sampling;
}

CUDA_TEXTURE_DESC sampling_of_driver(const cudaTextureDesc& of) {
  CUDA_TEXTURE_DESC sampling = {};
  std::memcpy(sampling.addressMode, of.addressMode, sizeof sampling.addressMode);
  std::memcpy(sampling.borderColor, of.borderColor, sizeof sampling.borderColor);
  sampling.filterMode = static_cast<CUfilter_mode>(of.filterMode);
  sampling.mipmapFilterMode = static_cast<CUfilter_mode>(of.mipmapFilterMode);
  const auto flag = [&](bool holds, unsigned value) { sampling.flags |= holds ? value : 0U; };
  flag(of.readMode == cudaReadModeElementType, CU_TRSF_READ_AS_INTEGER);
  flag(of.normalizedCoords != 0, CU_TRSF_NORMALIZED_COORDINATES);
  flag(of.sRGB != 0, CU_TRSF_SRGB);
  flag(of.disableTrilinearOptimization != 0, CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
  flag(of.seamlessCubemap != 0, CU_TRSF_SEAMLESS_CUBEMAP);
  sampling.maxAnisotropy = of.maxAnisotropy;
  sampling.mipmapLevelBias = of.mipmapLevelBias;
  sampling.minMipmapLevelClamp = of.minMipmapLevelClamp;
  sampling.maxMipmapLevelClamp = of.maxMipmapLevelClamp;
  return sampling;
}

/// Asks the runtime by get(&answer), and translates the answer.
template <class Of, class To, class Get, class Translate>
CUresult describe_image(const char* call, To* to, Get get, Translate translate) {
  return in_context(call, {to}, [&] {
    Of answer = {};
    const cudaError_t error = get(&answer);
    if (error == cudaSuccess) *to = translate(answer);
    return error;
  });
}

// Views have the same layout and numbers in both APIs.
static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == sizeof(cudaResourceViewDesc));

}  // namespace

extern "C" {
CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* sampling, const CUDA_RESOURCE_VIEW_DESC* view) {
  return in_context("cuTexObjectCreate", {texture, resource, sampling}, [&] {
    const cudaResourceDesc of = resource_of_runtime(*resource);
    const cudaTextureDesc how = sampling_of_runtime(*sampling);
    return cudaCreateTextureObject(texture, &of, &how,
                                   reinterpret_cast<const cudaResourceViewDesc*>(view));
  });
}
CUresult cuTexObjectDestroy(CUtexObject texture) {
  return in_context("cuTexObjectDestroy", {}, [&] { return cudaDestroyTextureObject(texture); });
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject texture) {
  return describe_image<cudaResourceDesc>(
      "cuTexObjectGetResourceDesc", resource,
      [&](cudaResourceDesc* of) { return cudaGetTextureObjectResourceDesc(of, texture); },
      resource_of_driver);
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* sampling, CUtexObject texture) {
  return describe_image<cudaTextureDesc>(
      "cuTexObjectGetTextureDesc", sampling,
      [&](cudaTextureDesc* of) { return cudaGetTextureObjectTextureDesc(of, texture); },
      sampling_of_driver);
}
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject texture) {
  return in_context("cuTexObjectGetResourceViewDesc", {view}, [&] {
    return cudaGetTextureObjectResourceViewDesc(reinterpret_cast<cudaResourceViewDesc*>(view),
                                                texture);
  });
}
CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  return in_context("cuSurfObjectCreate", {surface, resource}, [&] {
    const cudaResourceDesc of = resource_of_runtime(*resource);
    return cudaCreateSurfaceObject(surface, &of);
  });
}
CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  return in_context("cuSurfObjectDestroy", {}, [&] { return cudaDestroySurfaceObject(surface); });
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject surface) {
  return describe_image<cudaResourceDesc>(
      "cuSurfObjectGetResourceDesc", resource,
      [&](cudaResourceDesc* of) { return cudaGetSurfaceObjectResourceDesc(of, surface); },
      resource_of_driver);
}
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* texels, CUarray_format format,
                                            unsigned channels, CUdevice device) {
  return about_device("cuDeviceGetTexture1DLinearMaxWidth", device, {texels}, [&] {
    const cudaChannelFormatDesc of = channels_of({format, channels});
    return cudaDeviceGetTexture1DLinearMaxWidth(texels, &of, device);
  });
}
}
