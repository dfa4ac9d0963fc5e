// The kernel of a convolution reads its mask from global memory or from constant memory (CONV 7.3).
// In one stage, constant memory serves one word to all threads of a warp.
//
// Each .cu file that includes this header has one constant mask. A copy on the call's stream sets
// this mask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "checks.hpp"
#include "device.hpp"

namespace bankproof::cuda::kernels {

enum : std::uint32_t { constant_mask_bytes = 16384 };
__constant__ __align__(16) unsigned char constant_mask[constant_mask_bytes];

/// Copies these bytes of device memory to the constant mask; `what` names the call.
static void set_constant_mask(std::span<const std::byte> mask, const char* what,
                              cudaStream_t stream) {
  if (mask.size() > constant_mask_bytes) {
    refuse(what,
           "a mask of " + std::to_string(mask.size()) + " bytes; constant memory has 16384 for it");
  }
  require(cudaMemcpyToSymbolAsync(constant_mask, mask.data(), mask.size(), 0,
                                  cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyToSymbolAsync");
}

template <class T>
struct GlobalMask {
  const T* weights;

  __device__ T operator[](std::uint32_t k) const { return weights[k]; }
};

template <class T>
struct ConstantMask {
  __device__ T operator[](std::uint32_t k) const {
    return reinterpret_cast<const T*>(constant_mask)[k];
  }
};

}  // namespace bankproof::cuda::kernels
