// The texels of arrays, textures and surfaces, as programs describe them.
#pragma once

#include <optional>

#include "../../../ptx/textures/image.hpp"
#include "../../headers/cuda_runtime_api.h"

namespace bankproof::cuda {

struct TexelFormat {
  ptx::Channels channels;
  bool is_normalized = false;  // textures give its integers as numbers of [0, 1] or [-1, 1]
};

/// None if texels cannot have these channels: one, two or four of the same 8, 16 or 32 bits.
std::optional<TexelFormat> format_of(const cudaChannelFormatDesc& channels);
/// None for formats of compressed blocks.
std::optional<TexelFormat> format_of(cudaResourceViewFormat format);
/// The same, as an error of the call.
cudaError_t require_format(const char* call, const cudaChannelFormatDesc& channels,
                           TexelFormat& format);

}  // namespace bankproof::cuda
