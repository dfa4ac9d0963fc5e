// The descriptions with which the program created its textures and surfaces. The engine has the
// objects themselves (ptx/textures/objects.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "../../../ptx/textures/objects.hpp"
#include "arrays.hpp"

namespace bankproof::cuda {

struct ImageRecord {
  bool is_texture = true;
  cudaResourceDesc resource{};
  cudaTextureDesc sampling{};                // of a texture
  std::optional<cudaResourceViewDesc> view;  // of a texture
  std::optional<HostCall> destroyed{};
};

/// The texture that the program describes; without an error, `texture` is complete.
cudaError_t texture_of(const char* call, const cudaResourceDesc& resource,
                       const cudaTextureDesc& sampling, const cudaResourceViewDesc* view,
                       ptx::TextureObject& texture);

}  // namespace bankproof::cuda
