// Kernels of the passes of a scheduled permutation. algorithms/permutation/scheduled.hpp has the
// same programs for the machines. Here α and β are one array in shared memory: a thread keeps the
// words that it has read from α until all threads have read theirs.
//
// A plan for a row has lanes() lanes, in whole warps: lane j moves word s[j] to word d[j]. An idle
// lane has the largest index. A matrix may end early: words with numbers n and higher do not exist,
// and lanes do not move them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"

namespace bankproof::cuda::kernels {

/// The plans of all rows of a matrix, one after the other.
template <class Index>
struct RowPlansOf {
  const Index* s;
  const Index* d;
  std::uint32_t lanes;
};

/// row[d[j]] ← row[s[j]] in shared memory, for all lanes j of the plan of row `number`. A thread
/// has at most `items` lanes. All threads of the block take part.
template <int items, class T, class Index>
__device__ void permute_row(T* row, std::uint32_t words, const RowPlansOf<Index>& plans,
                            std::size_t number) {
  // The loop is unrolled, so that `kept` is in registers, if there are enough registers.
  constexpr int unrolled = items * sizeof(T) <= 160 ? items : 1;
  T kept[items];
#pragma unroll unrolled
  for (int k = 0; k < items; ++k) {
    const std::uint32_t j = row_major<std::uint32_t>(k, threadIdx.x, blockDim.x);
    if (j >= plans.lanes) continue;
    const std::uint32_t source = plans.s[row_major<std::size_t>(number, j, plans.lanes)];
    if (source < words) kept[k] = row[source];
  }
  __syncthreads();
#pragma unroll unrolled
  for (int k = 0; k < items; ++k) {
    const std::uint32_t j = row_major<std::uint32_t>(k, threadIdx.x, blockDim.x);
    if (j >= plans.lanes) continue;
    const std::uint32_t target = plans.d[row_major<std::size_t>(number, j, plans.lanes)];
    if (target < words) row[target] = kept[k];
  }
}

/// Row-wise permutation, one block per row (THS 5.4). `b` may be `a`. Dynamic shared memory holds a
/// row.
template <int items, class T, class Index>
__global__ void __launch_bounds__(1024)
    permute_rows(const T* a, T* b, std::size_t n_of_a, std::size_t n_of_b, std::uint32_t columns,
                 RowPlansOf<Index> plans) {
  extern __shared__ __align__(16) unsigned char words[];
  T* const row = reinterpret_cast<T*>(words);
  const std::size_t first = row_major<std::size_t>(blockIdx.x, 0, columns);

  // Load the row.
#pragma unroll 4
  for (std::uint32_t j = threadIdx.x; j < columns; j += blockDim.x) {
    row[j] = first + j < n_of_a ? a[first + j] : T{};
  }
  __syncthreads();

  permute_row<items>(row, columns, plans, blockIdx.x);
  __syncthreads();

  // Write it back.
#pragma unroll 4
  for (std::uint32_t j = threadIdx.x; j < columns; j += blockDim.x) {
    if (first + j < n_of_b) b[first + j] = row[j];
  }
}

/// The columns of a matrix that a block has in shared memory: a power of two of them, `pitch` words
/// apart.
struct ColumnGroup {
  std::uint32_t log2_columns;
  std::uint32_t pitch;
};

/// Column-wise permutation without transposes, one block per group of columns. `b` may be `a`.
/// Dynamic shared memory holds the group.
template <int items, class T, class Index>
__global__ void __launch_bounds__(1024)
    permute_columns(const T* a, T* b, std::uint32_t rows, std::uint32_t columns, ColumnGroup group,
                    RowPlansOf<Index> plans) {
  extern __shared__ __align__(16) unsigned char words[];
  T* const tile = reinterpret_cast<T*>(words);
  const std::uint32_t width = 1U << group.log2_columns;
  const std::size_t left = row_major<std::size_t>(blockIdx.x, 0, width);
  const auto count = static_cast<std::uint32_t>(smaller<std::size_t>(width, columns - left));

  // Load the columns: adjacent threads have adjacent words of a row.
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < rows * width; i += blockDim.x) {
    const std::uint32_t row = i >> group.log2_columns;
    const std::uint32_t column = i & (width - 1);
    if (column < count) {
      tile[row_major(column, row, group.pitch)] =
          a[row_major(row, left + column, std::size_t{columns})];
    }
  }
  __syncthreads();

  for (std::uint32_t column = 0; column < count; ++column) {
    permute_row<items>(tile + row_major(column, 0U, group.pitch), rows, plans, left + column);
  }
  __syncthreads();

  // Write them back.
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < rows * width; i += blockDim.x) {
    const std::uint32_t row = i >> group.log2_columns;
    const std::uint32_t column = i & (width - 1);
    if (column < count) {
      b[row_major(row, left + column, std::size_t{columns})] =
          tile[row_major(column, row, group.pitch)];
    }
  }
}

}  // namespace bankproof::cuda::kernels
