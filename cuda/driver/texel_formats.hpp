// Formats of texels and handles of arrays in both APIs.
#pragma once

#include "../headers/parts/driver_textures.h"
#include "../runtime/arrays/arrays.hpp"

namespace bankproof::cuda::driver {

struct DriverFormat {
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned channels = 0;
};

/// Converts a format between the APIs. If the runtime has none for it, all channels have 0 bits.
cudaChannelFormatDesc channels_of(const DriverFormat& format);
DriverFormat format_of(const cudaChannelFormatDesc& channels);

// An array has the same handle in both APIs.
inline cudaArray_t array_of(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }
inline CUarray array_of(cudaArray_t array) { return reinterpret_cast<CUarray>(array); }
inline cudaMipmappedArray_t array_of(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}
inline CUmipmappedArray array_of(cudaMipmappedArray_t array) {
  return reinterpret_cast<CUmipmappedArray>(array);
}

}  // namespace bankproof::cuda::driver
