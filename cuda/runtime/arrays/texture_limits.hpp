// How large arrays and textures may be, on a chip of compute capability 8.0 (CUDA Programming
// Guide, "Technical Specifications per Compute Capability").
#pragma once

#include <optional>

#include "../../headers/cuda_runtime_api.h"

namespace bankproof::cuda {

inline constexpr std::size_t most_texels_of_linear_memory = std::size_t{1} << 28;

void set_texture_limits(cudaDeviceProp& of);
/// None if the attribute is not one of these limits.
std::optional<int> texture_limit(cudaDeviceAttr attribute, const cudaDeviceProp& of);
/// Whether there is an array with these sizes and flags (CUDA Runtime API, cudaMalloc3DArray).
bool fits_an_array(const cudaExtent& extent, unsigned flags);

}  // namespace bankproof::cuda
