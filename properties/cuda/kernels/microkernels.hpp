// One access of one warp: its cost on a chip, to compare with model/gpu/chips.hpp.
//
// A lane accesses the element elements[lane], or nothing if that is `nowhere`. The access is the
// only load, or the only store, of its memory in the launch, so counters show it alone. One more
// load reads the elements' numbers from global memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace bankproof::cuda::tests {

inline constexpr std::uint32_t nowhere = ~std::uint32_t{0};

/// Elements of 1, 2, 4, 8 and 16 bytes.
using Element1 = unsigned char;
using Element2 = unsigned short;
using Element4 = unsigned int;
using Element8 = uint2;
using Element16 = uint4;

/// Fills `words` words of shared memory, word k with word_of(k), and sets out[lane] to the lane's
/// element.
template <class E>
void load_from_shared(const std::uint32_t* elements, E* out, std::uint32_t words);

/// Stores in[element] to the lane's element of shared memory, then reads that element into
/// out[lane].
template <class E>
void store_to_shared(const std::uint32_t* elements, const E* in, E* out, std::uint32_t words);

/// Sets out[lane] to in[element].
template <class E>
void load_from_global(const std::uint32_t* elements, const E* in, E* out);

/// Sets out[element] to in[lane].
template <class E>
void store_to_global(const std::uint32_t* elements, const E* in, E* out);

/// The value of word k.
__host__ __device__ constexpr std::uint32_t word_of(std::uint32_t k) {
  return (k + 1) * 2654435761U;
}

}  // namespace bankproof::cuda::tests
