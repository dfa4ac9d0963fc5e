// CUDA arrays: the memory of textures and surfaces.
//
// An array is an allocation like those of cudaMalloc, whose pointer the program does not get. Its
// texels lie row by row without gaps (ptx/textures/image.hpp), so that a copy from or to an array
// is a copy from or to this pointer, with all checks of such copies.
#pragma once

#include <vector>

#include "../stream_handles.hpp"
#include "texel_formats.hpp"

// CUDA lets the runtime define these types. A handle of the driver API is a pointer to them, too.
struct cudaArray {
  void* pointer = nullptr;  // to the first texel
  bankproof::ptx::Image image{};
  bankproof::cuda::TexelFormat format{};
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  cudaMipmappedArray_t whole = nullptr;  // the mipmapped array of which it is a level
  bankproof::cuda::HostCall made{};
  bool is_freed = false;

  /// The pointer to the texel; `z` is a plane or a layer.
  char* at(std::size_t x, std::size_t y, std::size_t z) const {
    return static_cast<char*>(pointer) + (image.offset(x, y, z) - image.begin);
  }
};
struct cudaMipmappedArray {
  void* pointer = nullptr;
  std::vector<cudaArray_t> levels{};
  bool is_freed = false;
};

namespace bankproof::cuda {

template <>
inline constexpr const char* kind_of<cudaArray> = "array";
template <>
inline constexpr const char* kind_of<cudaMipmappedArray> = "mipmapped array";

/// Fails unless the array exists. The use of a freed array is a finding.
cudaError_t require_array(const char* call, const cudaArray* array);
cudaError_t require_array(const char* call, const cudaMipmappedArray* array);

}  // namespace bankproof::cuda
