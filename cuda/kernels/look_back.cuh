// Prefix sums in one pass with decoupled look-back: a block publishes the sum of its tile, looks
// back at the tiles before until it meets one whose prefix sum is known, and publishes its own.
// The elements' + need not be commutative.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../algorithms/layout.hpp"
#include "tile_status.cuh"

namespace bankproof::cuda::kernels {

/// What blocks tell one another: arrays with an element for each tile, and the next ticket.
template <class T>
struct LookBack {
  std::uint32_t* status;
  T* sums;
  T* prefixes;
  std::uint32_t* ticket;

  __device__ void publish(T* values, std::size_t tile, const T& value, TileStatus now) const {
    values[tile] = value;
    publish_status(status + tile, now);
  }
  __device__ TileStatus wait_for(std::size_t tile) const { return wait_for_status(status + tile); }
};

/// The sum of all before the tile, for one thread; the tile is not the first.
template <class T>
__device__ T look_back(const LookBack<T>& state, std::size_t tile) {
  std::size_t before = tile - 1;
  TileStatus status = state.wait_for(before);
  T sum = status == tile_prefixed ? state.prefixes[before] : state.sums[before];
  while (status != tile_prefixed) {
    --before;
    status = state.wait_for(before);
    sum = (status == tile_prefixed ? state.prefixes[before] : state.sums[before]) + sum;
  }
  return sum;
}

/// `threads` threads with `items` elements each. Dynamic shared memory: none.
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

  // Load, coalesced; then each thread has elements that follow one another.
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

  // Scan the threads' sums: all threads but the last ones have elements.
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

  // Look back.
  if (threadIdx.x == 0) {
    const T total = totals[holders - 1];
    if (tile == 0) {
      state.publish(state.prefixes, tile, total, tile_prefixed);
    } else {
      state.publish(state.sums, tile, total, tile_summed);
      before = look_back(state, tile);
      state.publish(state.prefixes, tile, before + total, tile_prefixed);
    }
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
