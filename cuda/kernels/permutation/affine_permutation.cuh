// Kernels of affine permutations, in the tiles of algorithms/permutation/affine_tiles.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/permutation/affine_tiles.hpp"

namespace bankproof::cuda::kernels {

/// At most 2^8 threads, each with several accesses in flight, move a tile of at most 16 KiB.
enum : unsigned { affine_thread_bits = 8 };
template <class T>
constexpr unsigned affine_tile_bits = sizeof(T) == 4 ? 12 : 11;

/// The image of an index under a linear map. Bits first … first + count − 1 of the index are the
/// low `count` bits of `bits`; its other bits are 0.
template <unsigned first, unsigned count, class Word, std::size_t size>
__device__ Word image_of(const Word (&columns)[size], unsigned bits) {
  Word image{};
#pragma unroll
  for (unsigned k = 0; k != count; ++k) {
    if ((bits >> k & 1U) != 0) image ^= columns[first + k];
  }
  return image;
}

/// b[P(i)] ← a[i], one block per tile; each thread has 2^own_bits elements of the tile.
template <unsigned own_bits, class T>
__global__ void permute_affine_tiles(const T* a, T* b, AffineTiles tiles) {
  constexpr unsigned items = 1U << own_bits;
  __shared__ T tile[items << affine_thread_bits];

  // Find where the tile begins.
  std::uint64_t from = 0;
  std::uint64_t to = tiles.offset;
  for (unsigned k = 0; k < tiles.tiles_bits; ++k) {
    if ((blockIdx.x >> k & 1U) == 0) continue;
    from ^= tiles.begin_from[k];
    to ^= tiles.begin_to[k];
  }

  // Read the tile, in runs of a.
  from ^= image_of<0, affine_thread_bits>(tiles.from, threadIdx.x);
  const std::uint32_t put = image_of<0, affine_thread_bits>(tiles.put, threadIdx.x);
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    tile[put ^ image_of<affine_thread_bits, own_bits>(tiles.put, k)] =
        a[from ^ image_of<affine_thread_bits, own_bits>(tiles.from, k)];
  }
  __syncthreads();

  // Write the tile, in runs of b.
  to ^= image_of<0, affine_thread_bits>(tiles.to, threadIdx.x);
  const std::uint32_t taken = image_of<0, affine_thread_bits>(tiles.taken, threadIdx.x);
#pragma unroll
  for (unsigned k = 0; k < items; ++k) {
    b[to ^ image_of<affine_thread_bits, own_bits>(tiles.to, k)] =
        tile[taken ^ image_of<affine_thread_bits, own_bits>(tiles.taken, k)];
  }
}

}  // namespace bankproof::cuda::kernels
