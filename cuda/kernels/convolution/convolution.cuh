// The kernel of the direct convolution; algorithms/convolution.hpp has the same program for the
// machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../support/sweep.cuh"

namespace bankproof::cuda::kernels {

/// z[i] = x[0]·y[i] + … + x[m − 1]·y[i + m − 1] in shared memory. The terms are split into
/// `pieces`; row 0 of `partial` becomes z.
template <class T>
__device__ void convolve(const T* x, const T* y, T* partial, std::uint32_t n, std::uint32_t m,
                         std::uint32_t pieces) {
  const std::uint32_t terms = (m + pieces - 1) / pieces;
  sweep(pieces, n, [&](std::uint32_t piece, std::uint32_t i) {
    T sum{};
    const std::uint32_t end = smaller((piece + 1) * terms, m);
    for (std::uint32_t term = piece * terms; term < end; ++term) {
      sum = sum + x[term] * y[i + term];
    }
    partial[row_major(piece, i, n)] = sum;
  });

  std::uint32_t left = pieces;
  for (auto distance = static_cast<std::uint32_t>(first_distance(left)); distance > 0;
       distance /= 2) {
    __syncthreads();
    sweep(pairs_of_level(left, distance), n, [&](std::uint32_t piece, std::uint32_t i) {
      T* const sum = partial + row_major(piece, i, n);
      *sum = *sum + partial[row_major(piece + distance, i, n)];
    });
    left = distance;
  }
}

/// One block for each `share` numbers of z; `share` is a multiple of a warp, and y has n + m − 1
/// numbers. Dynamic shared memory holds x, the part of y that the block needs, and the partial
/// sums.
template <class T>
__global__ void convolve_shares(const T* x, const T* y, T* z, std::size_t n, std::uint32_t m,
                                std::uint32_t share, std::uint32_t pieces) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const own_x = reinterpret_cast<T*>(numbers);
  T* const own_y = own_x + m;
  const std::uint32_t needed = share + m - 1;
  T* const partial = own_y + needed;
  const std::size_t first = std::size_t{blockIdx.x} * share;

  for (std::uint32_t j = threadIdx.x; j < m; j += blockDim.x) own_x[j] = x[j];
  for (std::uint32_t i = threadIdx.x; i < needed; i += blockDim.x) {
    own_y[i] = first + i < n + m - 1 ? y[first + i] : T{};
  }
  __syncthreads();

  convolve(own_x, own_y, partial, share, m, pieces);

  // Each thread copies back only what it computed, so no barrier is needed.
  for (std::uint32_t i = threadIdx.x; i < share; i += blockDim.x) {
    const T value = partial[i];
    if (first + i < n) z[first + i] = value;
  }
}

}  // namespace bankproof::cuda::kernels
