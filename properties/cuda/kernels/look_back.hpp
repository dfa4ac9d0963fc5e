// A look-back over tiles whose statuses a test chooses.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace bankproof::cuda::tests {

/// The sum of all tiles, as one warp finds it. Tile k is INCLUSIVE, with its prefix sum, if
/// is_inclusive[k]; otherwise it is PARTIAL, with only its own sum. Tile 0 has to be INCLUSIVE.
template <class T>
T sum_by_look_back(const std::vector<T>& sums, const std::vector<T>& prefixes,
                   const std::vector<std::uint8_t>& is_inclusive);

}  // namespace bankproof::cuda::tests
