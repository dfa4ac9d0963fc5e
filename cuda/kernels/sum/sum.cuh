// Kernels of sums of at least one number; algorithms/sum.hpp has the same programs for the
// machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"
#include "../support/packet.cuh"

namespace bankproof::cuda::kernels {

/// Adds up a[0 … n−1] in shared memory. The sum is in a[0], where thread 0 may read it. All threads
/// of the block take part.
template <class T>
__device__ void add_pairwise(T* a, std::uint32_t n) {
  for (auto distance = static_cast<std::uint32_t>(first_distance(n)); distance > 0; distance /= 2) {
    for (std::uint32_t i = threadIdx.x; i < pairs_of_level(n, distance); i += blockDim.x) {
      a[i] = a[i] + a[i + distance];
    }
    // The first 32 numbers always belong to one warp, and the first number to thread 0.
    if (distance > 32) {
      __syncthreads();
    } else if (distance > 1) {
      __syncwarp();
    }
    n = distance;
  }
}

/// One block: load, add, write back. Dynamic shared memory holds the n numbers.
template <class T>
__global__ void sum_pairwise(const T* in, T* result, std::uint32_t n) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const a = reinterpret_cast<T*>(numbers);

  for (std::uint32_t i = threadIdx.x; i < n; i += blockDim.x) a[i] = in[i];
  __syncthreads();

  add_pairwise(a, n);

  if (threadIdx.x == 0) *result = a[0];
}

/// Block i writes the sum of its threads' columns to sums[i].
template <class T>
__global__ void sum_columns(const T* in, T* sums, std::size_t n) {
  __shared__ T b[1024];

  // Add: one column per thread.
  T sum{};
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x); i < n;
       i += all) {
    sum = sum + in[i];
  }
  const auto columns = static_cast<std::uint32_t>(n < blockDim.x ? n : blockDim.x);
  if (threadIdx.x < columns) b[threadIdx.x] = sum;
  __syncthreads();

  add_pairwise(b, columns);

  if (threadIdx.x == 0) sums[blockIdx.x] = b[0];
}

template <class T>
__device__ T sum_of(const Packet<T>& packet) {
  T sum = packet.elements[0];
  for (std::uint32_t k = 1; k < Packet<T>::size; ++k) sum = sum + packet.elements[k];
  return sum;
}

/// Block i writes the sum of its packets to sums[i]; each thread has `loads` packets in flight.
/// `before` is the number of elements before the first packet: fewer than a packet has, or all n
/// elements.
template <class T>
__global__ void sum_packets(const T* in, std::size_t before, const Packet<T>* packets, T* sums,
                            std::size_t n) {
  constexpr int loads = 4;
  __shared__ T b[1024];
  const std::size_t count = (n - before) / Packet<T>::size;
  const std::size_t all = std::size_t{gridDim.x} * blockDim.x;

  // Add whole packets, then the elements before and after the packets.
  T sum{};
  std::size_t i = row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x);
  const std::size_t thread = i;
  for (; i + (loads - 1) * all < count; i += loads * all) {
    Packet<T> loaded[loads];
#pragma unroll
    for (int k = 0; k < loads; ++k) loaded[k] = packets[i + k * all];
#pragma unroll
    for (const Packet<T>& packet : loaded) sum = sum + sum_of(packet);
  }
  for (; i < count; i += all) sum = sum + sum_of(packets[i]);
  if (thread < before) sum = sum + in[thread];
  if (const std::size_t rest = before + count * Packet<T>::size + thread; rest < n) {
    sum = sum + in[rest];
  }

  b[threadIdx.x] = sum;
  __syncthreads();

  add_pairwise(b, blockDim.x);

  if (threadIdx.x == 0) sums[blockIdx.x] = b[0];
}

}  // namespace bankproof::cuda::kernels
