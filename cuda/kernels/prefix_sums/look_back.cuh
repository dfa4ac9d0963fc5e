// Prefix sums in one pass with decoupled look-back. A block publishes the sum of its tile (status
// PARTIAL), looks back at earlier tiles until it finds a tile with a prefix sum (status INCLUSIVE),
// and publishes the prefix sum of its own tile. The elements' + need not be commutative.
//
// A warp looks at 32 tiles at a time. Many tiles begin while a warp looks once. If it looked at
// only one tile at a time, it would fall behind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../../algorithms/layout.hpp"
#include "tile_status.cuh"

namespace bankproof::cuda::kernels {

/// For values of 4 bytes: each tile publishes in one word, first its sum and then its prefix sum.
/// The value and the status share one word, so that one access moves both and no fence is needed.
template <class T>
struct PublishedWords {
  using Word = unsigned long long;  // a word of zero has the status INVALID
  Word* words;

  __device__ void publish(std::size_t tile, const T& value, TileStatus now) const {
    std::uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    *const_cast<volatile Word*>(words + tile) = Word{now} << 32 | bits;
  }
  __device__ TileStatus wait_for(std::size_t tile, T& value) const {
    Word seen = 0;
    while ((seen = *const_cast<const volatile Word*>(words + tile)) == 0) __nanosleep(20);
    const auto bits = static_cast<std::uint32_t>(seen);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return static_cast<TileStatus>(seen >> 32);
  }
};

/// For values of more than 4 bytes: each tile publishes in three arrays its status, its sum and its
/// prefix sum.
template <class T>
struct PublishedArrays {
  std::uint32_t* status;
  T* sums;
  T* prefixes;

  __device__ void publish(std::size_t tile, const T& value, TileStatus now) const {
    (now == tile_inclusive ? prefixes : sums)[tile] = value;
    publish_status(status + tile, now);
  }
  __device__ TileStatus wait_for(std::size_t tile, T& value) const {
    const TileStatus now = wait_for_status(status + tile);
    value = (now == tile_inclusive ? prefixes : sums)[tile];
    return now;
  }
};

/// The values that all tiles have published, and the next ticket.
template <class T>
struct LookBack {
  using Tiles = std::conditional_t<sizeof(T) == 4, PublishedWords<T>, PublishedArrays<T>>;
  Tiles tiles;
  std::uint32_t* ticket;
};

/// The value of the lane whose number is larger by `distance`.
template <class T>
__device__ T from_further_lane(const T& value, std::uint32_t distance) {
  constexpr int words = sizeof(T) / 4;  // of 32 bits
  std::uint32_t of[words];
  __builtin_memcpy(of, &value, sizeof(T));
#pragma unroll
  for (int k = 0; k < words; ++k) of[k] = __shfl_down_sync(0xffffffff, of[k], distance);
  T result;
  __builtin_memcpy(&result, of, sizeof(T));
  return result;
}

/// Returns, in lane 0, the sum of all tiles before the tile, which is not tile 0. A whole warp
/// calls it: each lane looks at one tile, lane 0 at the nearest tile.
template <class T>
__device__ T look_back(const typename LookBack<T>::Tiles& tiles, std::size_t tile) {
  const std::uint32_t lane = threadIdx.x;
  T sum{};
  for (std::size_t end = tile;; end -= 32) {
    // Tile 0 always publishes a prefix sum, so the values of lanes that would look before tile 0
    // are not used.
    TileStatus status = tile_partial;
    T value{};
    if (lane < end) status = tiles.wait_for(end - 1 - lane, value);
    const std::uint32_t inclusive = __ballot_sync(0xffffffff, status == tile_inclusive);

    // Add the lanes' values, up to the first lane with a prefix sum.
    const std::uint32_t last = inclusive != 0 ? __ffs(static_cast<int>(inclusive)) - 1 : 31;
#pragma unroll
    for (std::uint32_t distance = 1; distance < 32; distance *= 2) {
      const T further = from_further_lane(value, distance);
      if (lane + distance <= last) value = further + value;
    }
    sum = end == tile ? value : value + sum;
    if (inclusive != 0) return sum;
  }
}

/// One block per tile: `threads` threads with `items` elements each. Needs no dynamic shared
/// memory.
template <int threads, int items, class T>
__global__ void prefix_sums_one_pass(const T* in, T* out, std::size_t n, LookBack<T> state) {
  constexpr int tile_size = threads * items;
  __shared__ T exchanged[tile_size];
  __shared__ T totals[threads];
  __shared__ T before;
  __shared__ std::size_t drawn;

  // Draw a tile.
  if (threadIdx.x == 0) drawn = atomicAdd(state.ticket, 1U);
  __syncthreads();
  const std::size_t tile = drawn;
  const std::size_t first = tile * tile_size;
  const int count = static_cast<int>(smaller<std::size_t>(tile_size, n - first));

  // Load, coalesced; then each thread takes consecutive elements.
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
    exchanged[i] = in[first + i];
  }
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x) * items;
  const int held = mine < count ? (count - mine < items ? count - mine : items) : 0;
  T own[items];
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (k < held) own[k] = k == 0 ? exchanged[mine] : own[k - 1] + exchanged[mine + k];
  }

  // Scan the threads' sums. Only threads at the end of the block may have no elements.
  const int holders = (count + items - 1) / items;
  if (held > 0) totals[threadIdx.x] = own[held - 1];
  __syncthreads();
  for (int distance = 1; distance < holders; distance *= 2) {
    T sum{};
    const int thread = static_cast<int>(threadIdx.x);
    const bool adds = thread >= distance && thread < holders;
    if (adds) sum = totals[thread - distance] + totals[thread];
    __syncthreads();
    if (adds) totals[thread] = sum;
    __syncthreads();
  }

  // The first warp looks back.
  if (threadIdx.x < 32) {
    T upto = totals[holders - 1];
    if (tile > 0) {
      if (threadIdx.x == 0) state.tiles.publish(tile, upto, tile_partial);
      const T sum = look_back<T>(state.tiles, tile);
      upto = sum + upto;
      if (threadIdx.x == 0) before = sum;
    }
    if (threadIdx.x == 0) state.tiles.publish(tile, upto, tile_inclusive);
  }
  __syncthreads();

  // Add, write back.
  T left{};
  const bool is_first = tile == 0 && threadIdx.x == 0;
  if (held > 0 && !is_first) {
    if (threadIdx.x == 0) {
      left = before;
    } else {
      left = totals[threadIdx.x - 1];
      if (tile > 0) left = before + left;
    }
  }
#pragma unroll
  for (int k = 0; k < items; ++k) {
    if (k < held) exchanged[mine + k] = is_first ? own[k] : left + own[k];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) {
    out[first + i] = exchanged[i];
  }
}

}  // namespace bankproof::cuda::kernels
