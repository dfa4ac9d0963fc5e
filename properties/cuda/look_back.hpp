// A look back over tiles of which so much is known as a test wants.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace bankproof::cuda::tests {

/// What one warp finds to be the sum of all tiles, of which tile k has published its sum, or, where
/// `is_prefixed`, its prefix sum. Tile 0 has to be prefixed.
template <class T>
T sum_by_look_back(const std::vector<T>& sums, const std::vector<T>& prefixes,
                   const std::vector<std::uint8_t>& is_prefixed);

}  // namespace bankproof::cuda::tests
