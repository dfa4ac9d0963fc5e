// Fills of rows with a value of 1, 2 or 4 bytes.
#pragma once

#include <fmt/format.h>

#include <utility>

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
    Work work;  // as that of a node of a graph, since the stream may be captured
    const cudaMemsetParams parameters = {pointer_of(to), pitch, value, sizeof(T), width, height};
    const cudaError_t error = fill_work(call, &parameters, work);
    if (error != cudaSuccess) return as_result(error);
    return as_result(Runtime::get().perform(std::move(work), stream));
  });
}

}  // namespace bankproof::cuda::driver
