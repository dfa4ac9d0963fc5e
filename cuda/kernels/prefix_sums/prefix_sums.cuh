// Kernels of prefix sums. algorithms/prefix_sums.hpp has the programs without look-back for the
// machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"

namespace bankproof::cuda::kernels {

/// One level of the simple algorithm: a[i] ← a[i − distance] + a[i], from the highest i down, so
/// that every number is read before it is written.
template <class T>
__device__ void add_from_the_left(T* a, std::uint32_t n, std::uint32_t distance) {
  const std::uint32_t items = n - distance;
  for (std::uint32_t turn = (items + blockDim.x - 1) / blockDim.x; turn-- > 0;) {
    const std::uint32_t i = row_major(turn, threadIdx.x, blockDim.x) + distance;
    T sum{};
    if (i < n) {
      const T right = a[i];
      sum = a[i - distance] + right;
    }
    __syncthreads();
    if (i < n) a[i] = sum;
  }
}

/// One block: load, scan level by level, write back. Dynamic shared memory holds the n numbers.
template <class T>
__global__ void prefix_sums_simple(const T* in, T* out, std::uint32_t n) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const a = reinterpret_cast<T*>(numbers);

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) a[i] = in[i];
  __syncthreads();

  for (std::uint32_t distance = 1; distance < n; distance *= 2) {
    add_from_the_left(a, n, distance);
    __syncthreads();
  }

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = a[i];
}

/// above[i] ← below[2i] + below[2i + 1] for the pairs of n numbers. The calling thread is number
/// `thread` of `threads`.
template <class T, class N>
__device__ void add_pairs(const T* below, T* above, N n, N thread, N threads) {
  for (N i = thread; i < n / 2; i += threads) {
    above[i] = below[PairOf<N>{i}.first()] + below[PairOf<N>{i}.other()];
  }
}

/// Turns the n numbers of `below` into their prefix sums; `above` has the prefix sums of the pairs.
template <class T, class N>
__device__ void spread_to_pairs(T* below, const T* above, N n, N thread, N threads) {
  for (N i = thread; i < n / 2; i += threads) {
    const T before = above[i];
    below[PairOf<N>{i}.other()] = before;
    if (const N next = PairOf<N>{i}.next(); next < n) below[next] = before + below[next];
  }
}

/// One block: load, sums of intervals up and down the levels, write back. Dynamic shared memory
/// holds the numbers, then the work arrays of all levels: fewer than 2n numbers in all.
template <class T>
__global__ void prefix_sums_optimal(const T* in, T* out, std::uint32_t n) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const a = reinterpret_cast<T*>(numbers);

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) a[i] = in[i];
  __syncthreads();

  T* below = a;
  std::uint32_t size = n;
  for (; size > 1; size /= 2) {
    add_pairs(below, below + size, size, threadIdx.x, blockDim.x);
    __syncthreads();
    below += size;
  }
  // On the way down, the levels have the same sizes as on the way up, n/2ᵏ.
  for (int k = n > 1 ? 31 - __clz(static_cast<int>(n)) : 0; k > 0; --k) {
    size = n >> (k - 1);
    below -= size;
    spread_to_pairs(below, below + size, size, threadIdx.x, blockDim.x);
    __syncthreads();
  }

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = a[i];
}

// ---- In global memory, one launch per level.

template <class T>
__global__ void add_from_the_left_between(const T* from, T* to, std::size_t n,
                                          std::size_t distance) {
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x); i < n;
       i += all) {
    to[i] = i < distance ? from[i] : from[i - distance] + from[i];
  }
}

template <class T>
__global__ void add_pairs_of_level(const T* below, T* above, std::size_t n) {
  add_pairs<T, std::size_t>(below, above, n,
                            row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x),
                            std::size_t{gridDim.x} * blockDim.x);
}

template <class T>
__global__ void spread_to_pairs_of_level(T* below, const T* above, std::size_t n) {
  spread_to_pairs<T, std::size_t>(below, above, n,
                                  row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x),
                                  std::size_t{gridDim.x} * blockDim.x);
}

}  // namespace bankproof::cuda::kernels
