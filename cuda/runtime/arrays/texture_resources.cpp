// From a program's description of a texture to its images and its sampling (CUDA Runtime API,
// cudaCreateTextureObject).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "../../../ptx/textures/texels.hpp"
#include "texture_limits.hpp"
#include "textures.hpp"

namespace bankproof::cuda {

namespace {

// As cudaDeviceProp says.
constexpr std::uint64_t texture_alignment = 512;
constexpr std::uint64_t texture_pitch_alignment = 32;

cudaError_t invalid(const char* call, const std::string& why,
                    cudaError_t error = cudaErrorInvalidValue) {
  return Runtime::fail(error, fmt::format("{}: {}", call, why));
}

/// The images of a resource, and how their texels are read.
struct Resource {
  std::vector<ptx::Image> levels;
  TexelFormat format;
  unsigned flags = 0;  // of an array
};

/// The image of memory that the program has allocated, without its sizes.
cudaError_t linear_image(const char* call, const void* pointer,
                         const cudaChannelFormatDesc& channels, std::size_t bytes,
                         Resource& resource) {
  Runtime& runtime = Runtime::get();
  cudaError_t error = require_format(call, channels, resource.format);
  if (error != cudaSuccess) return error;
  if (reinterpret_cast<std::uintptr_t>(pointer) % texture_alignment != 0) {
    return invalid(
        call, fmt::format("the memory has to begin at a multiple of {} bytes", texture_alignment));
  }
  error = runtime.require_range(call, "of", pointer, bytes);
  if (error != cudaSuccess) return error;
  const DevicePlace place = *runtime.find(pointer);
  ptx::Image image;
  image.buffer = place.buffer;
  image.begin = place.offset;
  image.channels = resource.format.channels;
  resource.levels = {image};
  return cudaSuccess;
}

cudaError_t linear_texels(const char* call, const cudaResourceDesc& of, Resource& resource) {
  const auto& linear = of.res.linear;
  const cudaError_t error =
      linear_image(call, linear.devPtr, linear.desc, linear.sizeInBytes, resource);
  if (error != cudaSuccess) return error;
  ptx::Image& image = resource.levels.front();
  const std::size_t width = linear.sizeInBytes / image.channels.bytes();
  if (width == 0 || width > most_texels_of_linear_memory) {
    return invalid(call, fmt::format("{} texels of linear memory", width));
  }
  image.width = static_cast<std::uint32_t>(width);
  image.row_bytes = image.slice_bytes = linear.sizeInBytes;
  return cudaSuccess;
}

cudaError_t pitched_texels(const char* call, const cudaResourceDesc& of, Resource& resource) {
  const auto& rows = of.res.pitch2D;
  const cudaDeviceProp most = [] {
    cudaDeviceProp properties = {};
    set_texture_limits(properties);
    return properties;
  }();
  const auto fits = [&](std::size_t size, int axis) {
    return size > 0 && size <= static_cast<std::size_t>(most.maxTexture2DLinear[axis]);
  };
  if (!fits(rows.width, 0) || !fits(rows.height, 1) || !fits(rows.pitchInBytes, 2) ||
      rows.pitchInBytes % texture_pitch_alignment != 0) {
    return invalid(call, fmt::format("{} x {} texels with a pitch of {} bytes", rows.width,
                                     rows.height, rows.pitchInBytes));
  }
  TexelFormat format;
  cudaError_t error = require_format(call, rows.desc, format);
  if (error != cudaSuccess) return error;
  const std::size_t width = rows.width * format.channels.bytes();
  if (width > rows.pitchInBytes) {
    return invalid(call, fmt::format("rows of {} bytes are wider than the pitch, {}", width,
                                     rows.pitchInBytes));
  }
  error = linear_image(call, rows.devPtr, rows.desc, (rows.height - 1) * rows.pitchInBytes + width,
                       resource);
  if (error != cudaSuccess) return error;
  ptx::Image& image = resource.levels.front();
  image.width = static_cast<std::uint32_t>(rows.width);
  image.height = static_cast<std::uint32_t>(rows.height);
  image.row_bytes = rows.pitchInBytes;
  image.slice_bytes = rows.pitchInBytes * rows.height;
  return cudaSuccess;
}

cudaError_t levels_in(const char* call, const cudaResourceDesc& of, Resource& resource) {
  const auto add = [&](const cudaArray& array) {
    resource.levels.push_back(array.image);
    resource.format = array.format;
    resource.flags = array.flags;
  };
  if (of.resType == cudaResourceTypeArray) {
    const cudaError_t error = require_array(call, of.res.array.array);
    if (error == cudaSuccess) add(*of.res.array.array);
    return error;
  }
  const cudaMipmappedArray_t mipmap = of.res.mipmap.mipmap;
  const cudaError_t error = require_array(call, mipmap);
  if (error != cudaSuccess) return error;
  for (const cudaArray_t level : mipmap->levels) add(*level);
  return cudaSuccess;
}

cudaError_t resource_of(const char* call, const cudaResourceDesc& of, Resource& resource) {
  switch (of.resType) {
    case cudaResourceTypeArray:
    case cudaResourceTypeMipmappedArray:
      return levels_in(call, of, resource);
    case cudaResourceTypeLinear:
      return linear_texels(call, of, resource);
    case cudaResourceTypePitch2D:
      return pitched_texels(call, of, resource);
  }
  return cudaErrorInvalidValue;  // require_enumerators() has refused other types
}

/// The part of an array, and the format, that a view chooses. Sizes are those of the array.
cudaError_t apply_view(const char* call, const cudaResourceViewDesc& view, Resource& resource) {
  if (view.format != cudaResViewFormatNone) {
    const auto format = format_of(view.format);
    if (!format) {
      return invalid(call,
                     fmt::format("the view has the format {}; compressed blocks are not modelled",
                                 static_cast<int>(view.format)),
                     cudaErrorNotSupported);
    }
    if (format->channels.bytes() != resource.format.channels.bytes()) {
      return invalid(call, "texels of the view have another size than those of the array");
    }
    resource.format = *format;
  }
  const ptx::Image first = resource.levels.front();
  const bool same_sizes = view.width == first.width && view.height == first.height &&
                          (first.depth == 0 || view.depth == first.depth);
  if (!same_sizes) return invalid(call, "the view has other sizes than the array");
  if (view.firstMipmapLevel > view.lastMipmapLevel ||
      view.lastMipmapLevel >= resource.levels.size()) {
    return invalid(call, fmt::format("levels {} to {} of an array with {}", view.firstMipmapLevel,
                                     view.lastMipmapLevel, resource.levels.size()));
  }
  const auto begin = resource.levels.begin();
  resource.levels = {begin + view.firstMipmapLevel, begin + view.lastMipmapLevel + 1};
  const std::uint32_t of_layer = first.is_cube ? 6 : 1;
  const std::uint32_t slices = first.layers == 0 ? 1 : first.layers * of_layer;
  const std::uint32_t count = view.lastLayer - view.firstLayer + 1;
  const bool is_part = view.firstLayer <= view.lastLayer && view.lastLayer < slices;
  const bool has_layers = first.layers != 0;
  if (!is_part || (has_layers && (view.firstLayer % of_layer != 0 || count % of_layer != 0))) {
    return invalid(call,
                   fmt::format("layers {} to {} of {}", view.firstLayer, view.lastLayer, slices));
  }
  for (ptx::Image& image : resource.levels) {
    image.channels = resource.format.channels;
    if (!has_layers) continue;
    image.begin += view.firstLayer * image.slice_bytes;
    image.layers = count / of_layer;
  }
  return cudaSuccess;
}

/// The number in a field of the program's, which may be none of its enumerators.
template <class Enum>
int number_in(const Enum& field) {
  int number = 0;
  static_assert(sizeof field == sizeof number);
  std::memcpy(&number, &field, sizeof number);
  return number;
}

/// Refuses descriptions with numbers that are no enumerators.
cudaError_t require_enumerators(const char* call, const cudaResourceDesc& resource,
                                const cudaTextureDesc& sampling) {
  const auto is_known = [](int number, int last) { return number >= 0 && number <= last; };
  const int type = number_in(resource.resType);
  if (!is_known(type, cudaResourceTypePitch2D)) {
    return invalid(call, fmt::format("no resource has the type {}", type));
  }
  bool known = is_known(number_in(sampling.filterMode), cudaFilterModeLinear) &&
               is_known(number_in(sampling.readMode), cudaReadModeNormalizedFloat) &&
               is_known(number_in(sampling.mipmapFilterMode), cudaFilterModeLinear);
  for (const cudaTextureAddressMode& mode : sampling.addressMode) {
    known = known && is_known(number_in(mode), cudaAddressModeBorder);
  }
  if (!known) return invalid(call, "an address, filter or read mode does not exist");
  return cudaSuccess;
}

cudaError_t sampling_of(const char* call, const cudaTextureDesc& of, const Resource& resource,
                        cudaResourceType type, ptx::Sampling& sampling) {
  const bool has_levels = type == cudaResourceTypeMipmappedArray;
  for (std::size_t axis = 0; axis < sampling.address.size(); ++axis) {
    sampling.address.at(axis) = static_cast<ptx::AddressMode>(of.addressMode[axis]);
    // Linear memory has neither filters nor address modes.
    if (type == cudaResourceTypeLinear) sampling.address.at(axis) = ptx::AddressMode::border;
  }
  sampling.linear = of.filterMode == cudaFilterModeLinear && type != cudaResourceTypeLinear;
  sampling.linear_between_levels = has_levels && of.mipmapFilterMode == cudaFilterModeLinear;
  sampling.normalized_reads =
      of.readMode == cudaReadModeNormalizedFloat || resource.format.is_normalized;
  sampling.normalized_coordinates = of.normalizedCoords != 0;
  sampling.srgb = of.sRGB != 0;
  std::copy(std::begin(of.borderColor), std::end(of.borderColor), sampling.border.begin());
  sampling.level_bias = of.mipmapLevelBias;
  sampling.least_level = of.minMipmapLevelClamp;
  sampling.most_level = of.maxMipmapLevelClamp;
  if ((sampling.linear || sampling.linear_between_levels) &&
      !ptx::gives_numbers(resource.format.channels, sampling)) {
    return invalid(call, "a linear filter of texels that are read as integers",
                   cudaErrorInvalidFilterSetting);
  }
  if (!has_levels) return cudaSuccess;
  if (!sampling.normalized_coordinates) {
    return invalid(call, "the coordinates of a mipmapped array have to be normalized");
  }
  if (!(sampling.least_level <= sampling.most_level)) {
    return invalid(call,
                   fmt::format("levels from {} to {}", sampling.least_level, sampling.most_level));
  }
  return cudaSuccess;
}

/// Refuses a texture that the engine does not model.
cudaError_t require_modelled(const char* call, const cudaTextureDesc& of,
                             const Resource& resource) {
  if (of.maxAnisotropy > 1 && resource.levels.size() > 1) {
    return invalid(call, "filters that depend on the direction (maxAnisotropy) are not modelled",
                   cudaErrorNotSupported);
  }
  if (of.seamlessCubemap == 0) return cudaSuccess;
  if ((resource.flags & cudaArrayCubemap) == 0) {
    return invalid(call, "seamlessCubemap is for cube maps");
  }
  if (of.filterMode == cudaFilterModePoint) return cudaSuccess;
  return invalid(call, "filters across the edges of a cube (seamlessCubemap) are not modelled",
                 cudaErrorNotSupported);
}

}  // namespace

cudaError_t texture_of(const char* call, const cudaResourceDesc& of,
                       const cudaTextureDesc& sampling, const cudaResourceViewDesc* view,
                       ptx::TextureObject& texture) {
  cudaError_t error = require_enumerators(call, of, sampling);
  if (error != cudaSuccess) return error;
  const bool is_array =
      of.resType == cudaResourceTypeArray || of.resType == cudaResourceTypeMipmappedArray;
  if (view != nullptr && !is_array) return invalid(call, "a view of memory that is no array");
  Resource resource;
  error = resource_of(call, of, resource);
  if (error == cudaSuccess && view != nullptr) error = apply_view(call, *view, resource);
  if (error == cudaSuccess) {
    error = sampling_of(call, sampling, resource, of.resType, texture.sampling);
  }
  if (error == cudaSuccess) error = require_modelled(call, sampling, resource);
  texture.levels = std::move(resource.levels);
  return error;
}

}  // namespace bankproof::cuda
