// Visits all elements of a matrix in parallel, by the threads of a block. algorithms/sweep.hpp does
// the same for the machines, and algorithms/window.hpp has the same windows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"

namespace bankproof::cuda::kernels {

/// An enumerator, not a variable: address maps take references, and a host variable has no address
/// on the device.
enum : std::uint32_t { warp_threads = 32 };

/// each(i, j) for all i < rows, j < columns. Threads without an element return at once.
template <class Each>
__device__ void sweep(std::uint32_t rows, std::uint32_t columns, Each each) {
  const SweepShape<std::uint32_t> shape{rows, columns, blockDim.x, warp_threads};
  const std::uint32_t row_threads = shape.row_threads();
  const std::uint32_t rows_at_once = shape.rows_at_once();
  if (threadIdx.x >= rows_at_once * row_threads) return;
  for (std::uint32_t i = threadIdx.x / row_threads; i < rows; i += rows_at_once) {
    for (std::uint32_t j = threadIdx.x % row_threads; j < columns; j += row_threads) each(i, j);
  }
}

/// The part of a matrix that begins at element (top, left), which may lie outside. Indices below 0
/// wrap to huge ones.
struct Window {
  std::size_t rows;  // the rows of the matrix
  std::size_t columns;
  std::size_t top;
  std::size_t left;

  __device__ bool inside(std::uint32_t i, std::uint32_t j) const {
    return top + i < rows && left + j < columns;
  }
  __device__ std::size_t word(std::uint32_t i, std::uint32_t j) const {
    return row_major(top + i, left + j, columns);
  }
};

/// tile ← rows × columns elements of the window, zeros beyond the edge.
template <class T>
__device__ void copy_window(const T* a, const Window& window, T* tile, std::uint32_t rows,
                            std::uint32_t columns) {
  sweep(rows, columns, [&](std::uint32_t i, std::uint32_t j) {
    tile[row_major(i, j, columns)] = window.inside(i, j) ? a[window.word(i, j)] : T{};
  });
}

/// The rows × columns elements of the window ← tile. Elements outside of the matrix are skipped.
template <class T>
__device__ void copy_back(const T* tile, T* c, const Window& window, std::uint32_t rows,
                          std::uint32_t columns) {
  sweep(rows, columns, [&](std::uint32_t i, std::uint32_t j) {
    const T value = tile[row_major(i, j, columns)];
    if (window.inside(i, j)) c[window.word(i, j)] = value;
  });
}

}  // namespace bankproof::cuda::kernels
