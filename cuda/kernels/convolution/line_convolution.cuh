// Kernels of one-dimensional convolution (CONV 7.2 to 7.5), one thread per element of p.
// algorithms/tiled_convolution/line.hpp has the same programs for the machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"

namespace bankproof::cuda::kernels {

/// The elements of a line, and its ghost cells. Indices below 0 wrap to huge ones.
template <class T>
struct Line {
  const T* elements;
  std::size_t length;
  GhostCells ghosts;

  __device__ bool present(std::size_t i) const {
    return ghosts == GhostCells::nearest || i < length;
  }
  __device__ T operator[](std::size_t i) const { return elements[nearest_cell(i, length)]; }
};

/// Reads N from global memory, and M from global or constant memory; v is the mask's radius.
template <class T, class Mask>
__global__ void convolve_line(const Line<T> n, const Mask m, T* p, std::uint32_t v) {
  const auto i = row_major<std::size_t>(blockIdx.x, threadIdx.x, blockDim.x);
  if (i >= n.length) return;
  T sum{};
  for (std::uint32_t j = 0; j <= 2 * v; ++j) {
    const std::size_t element = i + j - v;
    if (n.present(element)) sum = sum + n[element] * m[j];
  }
  p[i] = sum;
}

/// cells[k] ← N[first + k − v], or 0 for a missing ghost cell, if from ≤ k < to.
template <class T>
__device__ void load_cell(const Line<T>& n, T* cells, std::uint32_t k, std::uint32_t from,
                          std::uint32_t to, std::size_t first, std::uint32_t v) {
  if (k < from || k >= to) return;
  const std::size_t element = first + k - v;
  cells[k] = n.present(element) ? n[element] : T{};
}

/// Keeps the block's elements and their halo in dynamic shared memory, t + 2v elements.
template <class T, class Mask>
__global__ void convolve_line_tiled(const Line<T> n, const Mask m, T* p, std::uint32_t v) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const cells = reinterpret_cast<T*>(numbers);
  const std::uint32_t t = blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * t;

  // Load: the halo on the left, the block's elements, the halo on the right.
  const std::uint32_t turns = (v + t - 1) / t;
  for (std::uint32_t turn = turns; turn > 0; --turn) {
    load_cell(n, cells, left_cell<std::uint32_t>(v, t, turn, threadIdx.x), 0, v, first, v);
  }
  load_cell(n, cells, v + threadIdx.x, v, v + t, first, v);
  for (std::uint32_t turn = 0; turn < turns; ++turn) {
    load_cell(n, cells, right_cell<std::uint32_t>(v, t, turn, threadIdx.x), v + t, v + t + v, first,
              v);
  }
  __syncthreads();

  T sum{};
  for (std::uint32_t j = 0; j <= 2 * v; ++j) sum = sum + cells[threadIdx.x + j] * m[j];
  const auto i = row_major<std::size_t>(blockIdx.x, threadIdx.x, t);
  if (i < n.length) p[i] = sum;
}

/// Keeps the block's t elements in dynamic shared memory, and reads the halo from global memory
/// each time that it needs it.
template <class T, class Mask>
__global__ void convolve_line_cached(const Line<T> n, const Mask m, T* p, std::uint32_t v) {
  extern __shared__ __align__(16) unsigned char numbers[];
  T* const cells = reinterpret_cast<T*>(numbers);
  const std::uint32_t t = blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * t;
  const std::size_t i = first + threadIdx.x;

  if (i < n.length) cells[threadIdx.x] = n.elements[i];
  __syncthreads();

  if (i >= n.length) return;
  T sum{};
  for (std::uint32_t j = 0; j <= 2 * v; ++j) {
    const std::size_t element = i + j - v;
    if (!n.present(element)) continue;
    const std::size_t nearest = nearest_cell(element, n.length);
    const std::size_t cell = nearest - first;  // below 0 wraps to a huge number
    sum = sum + (cell < t ? cells[cell] : n.elements[nearest]) * m[j];
  }
  p[i] = sum;
}

}  // namespace bankproof::cuda::kernels
