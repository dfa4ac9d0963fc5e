// Fills of rows with a value of 1, 2 or 4 bytes.
#pragma once

#include <fmt/format.h>

#include <cstring>

#include "calls.hpp"
#include "pointers.hpp"

namespace bankproof::cuda::driver {

/// Fills `height` rows of `width` values, which begin `pitch` bytes apart.
template <class T>
CUresult fill_rows(const char* call, CUdeviceptr to, size_t pitch, T value, size_t width,
                   size_t height, CUstream stream) {
  return in_context(call, {}, [&] {
    const size_t bytes = width * sizeof(T);
    if (width > ~size_t{0} / sizeof(T) || (height > 1 && bytes > pitch)) {
      return fail(call, CUDA_ERROR_INVALID_VALUE,
                  fmt::format("rows of {} values of {} bytes are wider than the pitch, {}", width,
                              sizeof(T), pitch));
    }
    if (to % sizeof(T) != 0 || (height > 1 && pitch % sizeof(T) != 0)) {
      return fail(call, CUDA_ERROR_INVALID_VALUE,
                  fmt::format("values of {} bytes begin at multiples of {} bytes, not at {:#x}",
                              sizeof(T), sizeof(T), to));
    }
    // The runtime renames the operation to that of this call.
    return as_result(Runtime::get().perform("cudaMemset", stream, [=] {
      std::byte pattern[sizeof(T)];
      std::memcpy(pattern, &value, sizeof(T));
      for (size_t row = 0; width > 0 && row < height; ++row) {
        const cudaError_t error =
            Runtime::get().fill(pointer_of(to + row * pitch), std::span(pattern), bytes);
        if (error != cudaSuccess) return error;
      }
      return cudaSuccess;
    }));
  });
}

}  // namespace bankproof::cuda::driver
