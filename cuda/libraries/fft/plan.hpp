// A plan of cuFFT: the sizes of its transforms, and where their elements lie in memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../../headers/cufft.h"
#include "../support/operation.hpp"
#include "transform.hpp"

namespace bankproof::cuda::fft {

/// Where the elements of one side lie: element x of transform b is at
/// b · distance + ((x0 · sizes[1] + x1) · sizes[2] + x2) · stride.
struct Layout {
  std::vector<std::int64_t> sizes;  // of memory; the first does not matter
  std::int64_t stride = 1;
  std::int64_t distance = 0;
};

struct Plan {
  cudaStream_t stream = nullptr;
  bool is_made = false;
  cufftType type = CUFFT_C2C;
  std::vector<std::int64_t> sizes;  // of a transform, 1 to 3
  std::int64_t batch = 1;
  // Without these, elements are dense; and a real side that shares its memory with the complex one
  // has rows of their length.
  bool has_layouts = false;
  Layout in;
  Layout out;

  std::int64_t total() const;
  std::size_t work_bytes() const;
  bool is_double() const { return type >= CUFFT_Z2Z; }
  bool reads_real() const { return type == CUFFT_R2C || type == CUFFT_D2Z; }
  bool writes_real() const { return type == CUFFT_C2R || type == CUFFT_Z2D; }
};

/// Performs the plan's transforms. `sign` is −1 or 1.
void execute(libraries::Operation& on, const Plan& plan, const void* in, void* out, int sign);

}  // namespace bankproof::cuda::fft
