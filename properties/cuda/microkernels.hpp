// One access of one warp: what a chip takes for it, beside what model/gpu/chips.hpp says.
//
// A lane touches the element elements[lane], or nothing where that is `nowhere`. In the launch the
// access is the only load of its memory, or the only store, so that counters show it alone; the
// elements' numbers are read from global memory by one load more.
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

/// Fills `words` words of shared memory, word k with word_of(k); out[lane] ← its element of them.
template <class E>
void load_from_shared(const std::uint32_t* elements, E* out, std::uint32_t words);

/// Stores in[element] to the lane's element of shared memory; out[lane] ← what is there then.
template <class E>
void store_to_shared(const std::uint32_t* elements, const E* in, E* out, std::uint32_t words);

/// out[lane] ← in[element].
template <class E>
void load_from_global(const std::uint32_t* elements, const E* in, E* out);

/// out[element] ← in[lane].
template <class E>
void store_to_global(const std::uint32_t* elements, const E* in, E* out);

/// What word k holds.
__host__ __device__ constexpr std::uint32_t word_of(std::uint32_t k) {
  return (k + 1) * 2654435761U;
}

}  // namespace bankproof::cuda::tests
