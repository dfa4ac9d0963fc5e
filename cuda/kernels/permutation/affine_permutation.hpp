// Permutes an array in global memory by a formula that is affine over GF(2), such as bit-reversals,
// shuffles, transposes, butterflies, Morton order and xor swizzles of powers of two
// (algorithms/permutation/affine.hpp). The kernel moves whole runs, without indices and without
// bank conflicts. Elements have 4 or 8 bytes (affine_permutation.cu lists the types).
//
//     #include "plan/plan.h"  // of `bankproof schedule bit-reversal:1048576 --emit c`
//     const AffinePlan plan{32, affine_map_of(20, bankproof_s), affine_map_of(20, bankproof_d)};
//     permute_affine<float>(a.span(), b.data(), permutation_of(plan), stream);
#pragma once

#include <span>

#include "../../../algorithms/permutation/affine.hpp"
#include "../support/device.hpp"

namespace bankproof::cuda {

/// b[map(i)] ← a[i]. The arrays do not overlap. Throws CudaError, and std::invalid_argument unless
/// the map is one to one and its number of elements is the size of a.
template <class T>
void permute_affine(std::span<const T> a, T* b, const bankproof::AffineMap& map,
                    cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
