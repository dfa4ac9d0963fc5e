// Summed area tables on a device, b[i][j] = Σ a[i'][j'] over i' ≤ i and j' ≤ j, for row-major
// matrices of int32, uint32, int64, float and double; and the sums of rectangles from the tables.
//
//     DeviceArray<std::byte> scratch(summed_area_table_scratch_bytes<float>(rows, columns));
//     summed_area_table<float>(a.span(), b.data(), rows, columns, scratch.span(), {}, stream);
//     rectangle_sums<float>(b.span(), rows, columns, rectangles.span(), sums.data(), stream);
//
// Integers wrap. The order in which floating-point numbers are added depends only on the sizes and
// the options. look_back is an exception: its order depends on which tiles are done first, so the
// last bits of a result may differ from run to run. `b` may be `a`; otherwise the arrays do not
// overlap. Scratch memory begins at a multiple of 16 bytes.
//
// r4w1, r1w1, hybrid and rectangle_sums() subtract entries. Their results are NaN at entries that
// include an element that is not finite, and where a table overflows.
//
// All calls throw std::invalid_argument and CudaError. A program needs summed_area_table.cu and
// transpose.cu.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../support/device.hpp"

namespace bankproof::cuda {

/// The variants of `summed-area-table` (THS 6), named by the reads and writes of global memory per
/// element. look_back also reads and writes each element once, but in a single launch.
enum class TableVariant : std::uint8_t {
  r2w2,       // 2R2W: down the columns, along the rows
  r4w4,       // 4R4W: down, transpose, down, transpose
  r4w1,       // 4R1W: a launch for each diagonal of elements
  r2w1,       // 2R1W: tiles in two passes
  r1w1,       // 1R1W: a launch for each diagonal of tiles
  hybrid,     // (1+r)R1W: the first and last diagonals of tiles as r2w1, others as r1w1
  look_back,  // 1R1W in one launch
};

struct TableOptions {
  TableVariant variant = TableVariant::look_back;
  /// The number of diagonals in each triangle of hybrid. If the tiles have fewer than twice as many
  /// diagonals, each triangle has half of them.
  std::size_t triangle = 64;
};

/// b ← the table of a, which has rows × columns elements. Variants with many launches run faster as
/// a Graph (graph.hpp).
template <class T>
void summed_area_table(std::span<const T> a, T* b, std::size_t rows, std::size_t columns,
                       std::span<std::byte> scratch, const TableOptions& options = {},
                       cudaStream_t stream = nullptr);

/// The scratch memory that a call needs; r2w2 and r4w1 need none.
template <class T>
std::size_t summed_area_table_scratch_bytes(std::size_t rows, std::size_t columns,
                                            const TableOptions& options = {});

/// The elements in the rows top … bottom and the columns left … right of a matrix.
struct alignas(16) Rectangle {
  std::uint32_t top;
  std::uint32_t left;
  std::uint32_t bottom;
  std::uint32_t right;
};

/// sums[k] ← the sum of the elements in rectangles[k], from the table of the matrix. The rectangles
/// lie in the matrix and are not empty.
template <class T>
void rectangle_sums(std::span<const T> table, std::size_t rows, std::size_t columns,
                    std::span<const Rectangle> rectangles, T* sums, cudaStream_t stream = nullptr);

}  // namespace bankproof::cuda
