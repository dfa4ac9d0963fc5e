// Permutes an array in global memory by rows and by columns, and by the three passes of a schedule
// (THS 5.4 and 5.5), with elements of 4 and 8 bytes (scheduled_permutation.cu lists the types). A
// program also needs transpose.cu. One block permutes a row, or a column, in its shared memory.
//
//     const ScheduleTables schedule{rows, columns, {{{s1, d1}, {s2, d2}, {s3, d3}}}};
//     DeviceArray<std::byte> scratch(
//         permute_scheduled_scratch_bytes<float>(a.size(), schedule));
//     permute_scheduled<float>(a.span(), b.data(), schedule, scratch.span(), stream);
//
// The tables are those of `bankproof schedule --global`, or of schedule.hpp: for each row a plan of
// whole warps, with indices of 2 or 4 bytes. The width is 32 for elements of 4 bytes, and 16 for
// elements of 8 bytes. The tables are not checked. `b` may be `a`; otherwise the arrays do not
// overlap. Scratch memory begins at a multiple of 16 bytes. All calls throw std::invalid_argument
// and CudaError.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"
#include "../support/indices.hpp"

namespace bankproof::cuda {

/// Permutes each row of a rows × columns matrix by its plan: element d[j] of a row of b is element
/// s[j] of the same row of a.
template <class T>
void permute_rows(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
                  const PlanTables& plans, cudaStream_t stream = nullptr);

/// Permutes each column, by plans for the rows of the transposed matrix: transpose, row-wise
/// permutation, transpose.
template <class T>
void permute_columns(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
                     const PlanTables& plans, std::span<std::byte> scratch,
                     cudaStream_t stream = nullptr);
template <class T>
std::size_t permute_columns_scratch_bytes(std::size_t rows, std::size_t columns);

/// Permutes each column in one launch. A block takes a group of columns. The kernel moves whole
/// sectors of global memory if shared memory has room for 32 bytes of each row, and smaller parts
/// otherwise.
template <class T>
void permute_columns_in_one_launch(std::span<const T> a, T* b, std::size_t rows,
                                   std::size_t columns, const PlanTables& plans,
                                   cudaStream_t stream = nullptr);

/// A schedule: a matrix and the plans of its three passes.
struct ScheduleTables {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::array<PlanTables, 3> passes;
};

/// b[P(i)] ← a[i] by rows, by columns, by rows, in five launches. If the matrix has more than n
/// elements, the matrix is in the scratch memory; the additional elements are not moved.
template <class T>
void permute_scheduled(std::span<const T> a, T* b, const ScheduleTables& schedule,
                       std::span<std::byte> scratch, cudaStream_t stream = nullptr);
template <class T>
std::size_t permute_scheduled_scratch_bytes(std::size_t n, const ScheduleTables& schedule);

/// The three passes in three launches. The kernels move whole sectors of global memory if the
/// matrix has few enough rows: shape_for(n, 32, most_rows_in_three_launches<float>()).
template <class T>
void permute_scheduled_in_three_launches(std::span<const T> a, T* b, const ScheduleTables& schedule,
                                         std::span<std::byte> scratch,
                                         cudaStream_t stream = nullptr);
template <class T>
std::size_t permute_scheduled_in_three_launches_scratch_bytes(std::size_t n,
                                                              const ScheduleTables& schedule);

template <class T>
std::size_t most_rows_in_three_launches();

}  // namespace bankproof::cuda
