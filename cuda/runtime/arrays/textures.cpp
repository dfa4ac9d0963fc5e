// Texture and surface objects (CUDA Runtime API, "Texture Object Management" and "Surface Object
// Management").
#include "textures.hpp"

#include <fmt/format.h>

#include <utility>

#include "../devices.hpp"
#include "../majors.hpp"
#include "texture_limits.hpp"

namespace bankproof::cuda {

namespace {

/// The descriptions by handle. The map is never destroyed, since destructors of the program's
/// static variables may destroy textures.
std::map<std::uint64_t, ImageRecord>& image_records() {
  static auto* const all = new std::map<std::uint64_t, ImageRecord>;
  return *all;
}

const char* word_of(bool is_texture) { return is_texture ? "texture" : "surface"; }

/// The record of an object that exists; null if the call has failed.
ImageRecord* find_image(const char* call, std::uint64_t handle, bool is_texture) {
  const auto found = image_records().find(handle);
  if (found == image_records().end() || found->second.is_texture != is_texture) {
    Runtime::fail(cudaErrorInvalidValue,
                  fmt::format("{}: {} is the handle of no {}", call, handle, word_of(is_texture)));
    return nullptr;
  }
  if (!found->second.destroyed) return &found->second;
  Runtime::get().fail_with(ptx::FaultKind::use_after_free, cudaErrorInvalidValue,
                           fmt::format("{}: the {} was destroyed at {}", call, word_of(is_texture),
                                       text_of(place_of(*found->second.destroyed))));
  return nullptr;
}

cudaError_t destroy_image(const char* call, std::uint64_t handle, bool is_texture) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex());
  const auto found = image_records().find(handle);
  const bool is_gone = found != image_records().end() && found->second.is_texture == is_texture &&
                       found->second.destroyed;
  if (is_gone) {
    return runtime.fail_with(
        ptx::FaultKind::double_free, cudaErrorInvalidValue,
        fmt::format("{} of a {} that was destroyed at {}", call, word_of(is_texture),
                    text_of(place_of(*found->second.destroyed))));
  }
  ImageRecord* const image = find_image(call, handle, is_texture);
  if (image == nullptr) return cudaErrorInvalidValue;
  runtime.touch_before_destruction(call, handle);
  image->destroyed = host_call();
  if (is_texture) {
    runtime.images().remove_texture(handle);
  } else {
    runtime.images().remove_surface(handle);
  }
  return cudaSuccess;
}

/// Answers from the record of the object.
template <class T, class Read>
cudaError_t answer_about_image(const char* call, T* answer, std::uint64_t handle, bool is_texture,
                               Read read) {
  if (answer == nullptr) return no_place(call);
  const std::lock_guard lock(Runtime::get().mutex());
  const ImageRecord* const image = find_image(call, handle, is_texture);
  if (image == nullptr) return cudaErrorInvalidValue;
  *answer = read(*image);
  return cudaSuccess;
}

template <class Object>
cudaError_t add_image(Object object, ImageRecord record, unsigned long long* handle) {
  Runtime& runtime = Runtime::get();
  // Kernels in flight may use what the host destroys.
  runtime.ordering().use_streams();
  *handle = runtime.images().add(std::move(object));
  image_records()[*handle] = record;
  return cudaSuccess;
}

}  // namespace
}  // namespace bankproof::cuda

using bankproof::cuda::ImageRecord;
using bankproof::cuda::no_place;
using bankproof::cuda::Runtime;

BANKPROOF_OF_13(cudaCreateTextureObject);
BANKPROOF_OF_13(cudaGetTextureObjectTextureDesc);

extern "C" {
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* handle,
                                    const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* sampling,
                                    const struct cudaResourceViewDesc* view) {
  constexpr const char* call = "cudaCreateTextureObject";
  if (handle == nullptr || resource == nullptr || sampling == nullptr) return no_place(call);
  const std::lock_guard lock(Runtime::get().mutex());
  bankproof::ptx::TextureObject texture;
  const cudaError_t error = bankproof::cuda::texture_of(call, *resource, *sampling, view, texture);
  if (error != cudaSuccess) return error;
  ImageRecord record{true, *resource, *sampling, {}};
  if (view != nullptr) record.view = *view;
  return bankproof::cuda::add_image(std::move(texture), record, handle);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  return bankproof::cuda::destroy_image("cudaDestroyTextureObject", texture, true);
}
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  return bankproof::cuda::answer_about_image("cudaGetTextureObjectResourceDesc", resource, texture,
                                             true,
                                             [](const ImageRecord& of) { return of.resource; });
}
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* sampling,
                                            cudaTextureObject_t texture) {
  return bankproof::cuda::answer_about_image("cudaGetTextureObjectTextureDesc", sampling, texture,
                                             true,
                                             [](const ImageRecord& of) { return of.sampling; });
}
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture) {
  constexpr const char* call = "cudaGetTextureObjectResourceViewDesc";
  std::optional<cudaResourceViewDesc> found;
  if (view == nullptr) return no_place(call);
  const cudaError_t error = bankproof::cuda::answer_about_image(
      call, &found, texture, true, [](const ImageRecord& of) { return of.view; });
  if (error != cudaSuccess) return error;
  if (!found) {
    return Runtime::fail(cudaErrorInvalidValue, fmt::format("{}: the texture has no view", call));
  }
  *view = *found;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* handle,
                                    const struct cudaResourceDesc* resource) {
  constexpr const char* call = "cudaCreateSurfaceObject";
  if (handle == nullptr || resource == nullptr) return no_place(call);
  const std::lock_guard lock(Runtime::get().mutex());
  if (resource->resType != cudaResourceTypeArray) {
    return Runtime::fail(cudaErrorInvalidValue,
                         fmt::format("{}: surfaces are of arrays alone", call));
  }
  const cudaArray_t array = resource->res.array.array;
  const cudaError_t error = bankproof::cuda::require_array(call, array);
  if (error != cudaSuccess) return error;
  if ((array->flags & cudaArraySurfaceLoadStore) == 0) {
    return Runtime::fail(
        cudaErrorInvalidValue,
        fmt::format("{}: the array was made without cudaArraySurfaceLoadStore", call));
  }
  return bankproof::cuda::add_image(bankproof::ptx::SurfaceObject{array->image},
                                    {false, *resource, {}, {}}, handle);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return bankproof::cuda::destroy_image("cudaDestroySurfaceObject", surface, false);
}
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface) {
  return bankproof::cuda::answer_about_image("cudaGetSurfaceObjectResourceDesc", resource, surface,
                                             false,
                                             [](const ImageRecord& of) { return of.resource; });
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const struct cudaChannelFormatDesc* channels,
                                                 int device) {
  constexpr const char* call = "cudaDeviceGetTexture1DLinearMaxWidth";
  if (texels == nullptr || channels == nullptr) return no_place(call);
  bankproof::cuda::TexelFormat format;
  const cudaError_t error = bankproof::cuda::require_format(call, *channels, format);
  if (error != cudaSuccess) return error;
  if (device < 0 || device >= bankproof::cuda::device_count()) {
    return Runtime::fail(cudaErrorInvalidDevice,
                         fmt::format("{}: device {} does not exist", call, device));
  }
  *texels = bankproof::cuda::most_texels_of_linear_memory;
  return cudaSuccess;
}
}
