// Kernels of summed area tables that sum down columns, along rows, or diagonal by diagonal;
// algorithms/summed_area_table/straight.hpp has the same programs for the machines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/summed_area_table/layout.hpp"

namespace bankproof::cuda::kernels {

/// A whole matrix. The bounds of its rows need no computation, unlike the bounds of a staircase.
struct Rectangular {
  std::size_t rows;
  std::size_t columns;

  __host__ __device__ constexpr explicit Rectangular(const SummingOf<std::size_t>& matrix)
      : rows(matrix.rows), columns(matrix.columns) {}
  __host__ __device__ constexpr std::size_t begin(std::size_t) const { return 0; }
  __host__ __device__ constexpr std::size_t end(std::size_t) const { return columns; }
};
using Stairs = SummingOf<std::size_t>;

enum : std::uint32_t {
  table_threads = 128,   // threads of a block
  loads_at_a_time = 16,  // elements that a thread has in flight
};

__device__ inline std::size_t thread_of_grid() {
  return std::size_t{blockIdx.x} * table_threads + threadIdx.x;
}

/// to[i][j] ← from[0][j] + … + from[i][j] for the thread's column. If `to` is `from`, row 0 is not
/// written. `loads` rows are in flight at a time.
template <std::uint32_t loads, class Matrix, class T>
__device__ void sum_down_column(const T* from, T* to, const Matrix& matrix, std::size_t j) {
  T sum{};
  for (std::size_t top = 0; top < matrix.rows; top += loads) {
    T values[loads];
#pragma unroll
    for (std::uint32_t k = 0; k < loads; ++k) {
      const std::size_t i = top + k;
      const bool on_stairs = i < matrix.rows && matrix.begin(i) <= j && j < matrix.end(i);
      values[k] = on_stairs ? from[row_major(i, j, matrix.columns)] : T{};
    }
#pragma unroll
    for (std::uint32_t k = 0; k < loads; ++k) {
      const std::size_t i = top + k;
      sum = sum + values[k];
      const bool below_others = i == 0 ? from != to : matrix.begin(i - 1) <= j;
      if (i < matrix.rows && below_others && j < matrix.end(i)) {
        to[row_major(i, j, matrix.columns)] = sum;
      }
    }
  }
}

/// One thread per column.
template <class T>
__global__ void sum_down(const T* from, T* to, Rectangular matrix) {
  sum_down_column<loads_at_a_time>(from, to, matrix, thread_of_grid());
}

/// a[i][j] ← a[i][0] + … + a[i][j], one thread per row.
template <class T>
__global__ void sum_along(T* a, Rectangular matrix) {
  const auto i = thread_of_grid();
  if (i >= matrix.rows) return;
  T sum{};
  for (std::size_t left = 0; left < matrix.columns; left += loads_at_a_time) {
    T values[loads_at_a_time];
#pragma unroll
    for (std::uint32_t k = 0; k < loads_at_a_time; ++k) {
      const std::size_t j = left + k;
      values[k] = j < matrix.columns ? a[row_major(i, j, matrix.columns)] : T{};
    }
#pragma unroll
    for (std::uint32_t k = 0; k < loads_at_a_time; ++k) {
      const std::size_t j = left + k;
      sum = sum + values[k];
      if (j > 0 && j < matrix.columns) a[row_major(i, j, matrix.columns)] = sum;
    }
  }
}

/// b[i][j] ← a[i][j] + b[i][j−1] + b[i−1][j] − b[i−1][j−1] on a diagonal of elements, one thread
/// per element.
template <class T>
__global__ void sum_diagonal(const T* a, T* b, std::size_t columns,
                             DiagonalOf<std::size_t> diagonal) {
  const auto thread = thread_of_grid();
  if (thread >= diagonal.count) return;
  const std::size_t i = diagonal.row + thread;
  const std::size_t j = diagonal.k - i;
  const std::size_t place = row_major(i, j, columns);
  T sum = a[place];
  if (j > 0) sum = sum + b[place - 1];
  if (i > 0) sum = sum + b[place - columns];
  if (i > 0 && j > 0) sum = sum - b[place - columns - 1];
  b[place] = sum;
}

}  // namespace bankproof::cuda::kernels
