// Creates and frees arrays, and tells what they are (CUDA Runtime API, "Memory Management").
#include "arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "../called_as.hpp"
#include "texture_limits.hpp"

namespace bankproof::cuda {

namespace {

using ptx::Image;

constexpr unsigned known_flags = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap |
                                 cudaArrayTextureGather | cudaArrayColorAttachment;
constexpr unsigned without_memory = cudaArraySparse | cudaArrayDeferredMapping;

std::string extent_text(const cudaExtent& extent) {
  return fmt::format("{} x {} x {}", extent.width, extent.height, extent.depth);
}

/// The image of an array, without its place; none if there is no array with these sizes.
std::optional<Image> image_of(const cudaExtent& extent, unsigned flags) {
  if (!fits_an_array(extent, flags)) return {};
  const bool is_cube = (flags & cudaArrayCubemap) != 0;
  const bool is_layered = (flags & cudaArrayLayered) != 0;
  Image image;
  image.width = static_cast<std::uint32_t>(extent.width);
  image.height = static_cast<std::uint32_t>(extent.height);
  const auto depth = static_cast<std::uint32_t>(extent.depth);
  image.is_cube = is_cube;
  if (is_layered) {
    image.layers = is_cube ? depth / 6 : depth;
  } else if (!is_cube) {
    image.depth = depth;
  }
  return image;
}

std::uint64_t image_bytes(const Image& image) { return image.slice_bytes * image.slices(); }

void set_row_bytes(Image& image) {
  image.row_bytes = std::uint64_t{image.width} * image.channels.bytes();
  image.slice_bytes = image.row_bytes * image.rows();
}

/// The images of `count` levels, one behind the other.
std::vector<Image> levels_of(const Image& first, unsigned count) {
  std::vector<Image> levels;
  std::uint64_t begin = 0;
  for (unsigned k = 0; k < count; ++k) {
    Image level = first;
    const auto shrink = [&](std::uint32_t& size) {
      if (size != 0) size = std::max(1U, size >> k);
    };
    shrink(level.width);
    shrink(level.height);
    shrink(level.depth);
    set_row_bytes(level);
    level.begin = begin;
    begin += image_bytes(level);
    levels.push_back(level);
  }
  return levels;
}

/// The extent of a level, as cudaArrayGetInfo() returns it.
cudaExtent extent_of(const Image& image, const cudaExtent& given) {
  const bool keeps_depth = image.depth == 0;
  return {image.width, image.height, keeps_depth ? given.depth : image.depth};
}

struct ArrayRequest {
  const char* call = nullptr;
  const cudaChannelFormatDesc* channels = nullptr;
  cudaExtent extent{};
  unsigned flags = 0;
};

/// Allocates the levels in one buffer.
cudaError_t allocate_array(const ArrayRequest& of, unsigned levels, void** pointer,
                           std::vector<cudaArray_t>& arrays) {
  Runtime& runtime = Runtime::get();
  if (of.channels == nullptr) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: no channels are given", of.call));
  }
  if (const cudaError_t error = runtime.require_no_capture(of.call); error != cudaSuccess) {
    return error;
  }
  if ((of.flags & without_memory) != 0) {
    return Runtime::fail(cudaErrorNotSupported,
                         fmt::format("{}: arrays always have memory here; sparse ones, and those "
                                     "that are mapped later, are not modelled",
                                     of.call));
  }
  TexelFormat format;
  if (const cudaError_t error = require_format(of.call, *of.channels, format);
      error != cudaSuccess) {
    return error;
  }
  auto image = (of.flags & ~known_flags) == 0 ? image_of(of.extent, of.flags) : std::nullopt;
  if (!image) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: there is no array of {} texels with the flags {:#x}",
                                     of.call, extent_text(of.extent), of.flags));
  }
  image->channels = format.channels;
  const std::uint32_t longest = std::max({image->width, image->height, image->depth});
  const auto most = static_cast<unsigned>(std::bit_width(longest));
  std::vector<Image> images = levels_of(*image, std::clamp(levels, 1U, most));

  const std::lock_guard lock(runtime.mutex());
  const CalledAs as(CalledAs::current().empty() ? of.call : CalledAs::current());
  const std::uint64_t bytes = images.back().begin + image_bytes(images.back());
  if (const cudaError_t error = runtime.allocate(pointer, bytes); error != cudaSuccess) {
    return error;
  }
  // Kernels in flight may use what the host frees.
  runtime.ordering().use_streams();
  const std::uint32_t buffer = runtime.find(*pointer)->buffer;
  for (Image& one : images) {
    one.buffer = buffer;
    arrays.push_back(
        handles<cudaArray>().make(cudaArray{.pointer = static_cast<char*>(*pointer) + one.begin,
                                            .image = one,
                                            .format = format,
                                            .channels = *of.channels,
                                            .extent = extent_of(one, of.extent),
                                            .flags = of.flags,
                                            .made = host_call()}));
  }
  return cudaSuccess;
}

cudaError_t allocate_array(const ArrayRequest& of, cudaArray_t* array) {
  if (array == nullptr) return no_place(of.call);
  void* pointer = nullptr;
  std::vector<cudaArray_t> arrays;
  const cudaError_t error = allocate_array(of, 1, &pointer, arrays);
  if (error == cudaSuccess) *array = arrays.front();
  return error;
}

/// Frees the memory when the device has done all that it was told, as cudaFree() does.
cudaError_t release_array(const char* call, void* pointer) {
  const CalledAs as(CalledAs::current().empty() ? call : CalledAs::current());
  Runtime& runtime = Runtime::get();
  runtime.synchronize_device();
  return runtime.release(pointer);
}

template <class Array>
cudaError_t require_live(const char* call, const Array* array) {
  if (!is_live(call, array)) return cudaErrorInvalidResourceHandle;
  if (!array->is_freed) return cudaSuccess;
  return Runtime::get().fail_with(
      ptx::FaultKind::use_after_free, cudaErrorInvalidResourceHandle,
      fmt::format("{} uses an array that {}", call,
                  Runtime::get().freed_at(array->pointer).value_or("was freed")));
}

}  // namespace

cudaError_t require_array(const char* call, const cudaArray* array) {
  return require_live(call, array);
}
cudaError_t require_array(const char* call, const cudaMipmappedArray* array) {
  return require_live(call, array);
}

}  // namespace bankproof::cuda

using bankproof::cuda::no_place;
using bankproof::cuda::require_array;
using bankproof::cuda::Runtime;

extern "C" {
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   enum cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels,
                            size_t width, size_t height, unsigned int flags) {
  return bankproof::cuda::allocate_array({"cudaMallocArray", channels, {width, height, 0}, flags},
                                         array);
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels,
                              struct cudaExtent extent, unsigned int flags) {
  return bankproof::cuda::allocate_array({"cudaMalloc3DArray", channels, extent, flags}, array);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  constexpr const char* call = "cudaFreeArray";
  if (array == nullptr) return cudaSuccess;
  const std::lock_guard lock(Runtime::get().mutex());
  if (!bankproof::cuda::is_live(call, array)) return cudaErrorInvalidResourceHandle;
  if (array->whole != nullptr) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: the array is a level of a mipmapped array", call));
  }
  array->is_freed = true;
  return bankproof::cuda::release_array(call, array->pointer);
}
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* channels, struct cudaExtent* extent,
                             unsigned int* flags, cudaArray_t array) {
  const std::lock_guard lock(Runtime::get().mutex());
  const cudaError_t error = require_array("cudaArrayGetInfo", array);
  if (error != cudaSuccess) return error;
  if (channels != nullptr) *channels = array->channels;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  const std::lock_guard lock(Runtime::get().mutex());
  if (channels == nullptr) return no_place("cudaGetChannelDesc");
  const cudaError_t error = require_array("cudaGetChannelDesc", array);
  if (error == cudaSuccess) *channels = array->channels;
  return error;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const struct cudaChannelFormatDesc* channels,
                                     struct cudaExtent extent, unsigned int levels,
                                     unsigned int flags) {
  constexpr const char* call = "cudaMallocMipmappedArray";
  if (array == nullptr) return no_place(call);
  cudaMipmappedArray made;
  const cudaError_t error = bankproof::cuda::allocate_array({call, channels, extent, flags}, levels,
                                                            &made.pointer, made.levels);
  if (error != cudaSuccess) return error;
  *array = bankproof::cuda::handles<cudaMipmappedArray>().make(std::move(made));
  for (const cudaArray_t level : (*array)->levels) level->whole = *array;
  return cudaSuccess;
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  constexpr const char* call = "cudaFreeMipmappedArray";
  if (array == nullptr) return cudaSuccess;
  const std::lock_guard lock(Runtime::get().mutex());
  if (!bankproof::cuda::is_live(call, array)) return cudaErrorInvalidResourceHandle;
  array->is_freed = true;
  for (const cudaArray_t level : array->levels) level->is_freed = true;
  return bankproof::cuda::release_array(call, array->pointer);
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int number) {
  constexpr const char* call = "cudaGetMipmappedArrayLevel";
  if (level == nullptr) return no_place(call);
  const std::lock_guard lock(Runtime::get().mutex());
  const cudaError_t error = require_array(call, array);
  if (error != cudaSuccess) return error;
  if (number >= array->levels.size()) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: level {} of an array of {}", call,
                                                            number, array->levels.size()));
  }
  *level = array->levels[number];
  return cudaSuccess;
}
}
