// Finds the thread of a call's last launch that writes an element of the result. Messages of tests
// name the thread, because it shows where a kernel may be wrong. If blocks draw their tiles, the
// thread is unknown.
//
// The tests compare these threads with those that the reference machine reports for an element
// beyond the end of an array.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "../../../algorithms/layout.hpp"
#include "../../../algorithms/summed_area_table/layout.hpp"
#include "../../../cuda/kernels/summed_area_table/summed_area_table.hpp"
#include "../../../cuda/kernels/transpose/transpose.hpp"

namespace bankproof::cuda::tests {

/// A thread, identified by its block and by its number in the block.
struct Writer {
  std::size_t block;
  std::size_t thread;
};

/// The thread that writes an element, if it is known.
using WriterOf = std::function<std::optional<Writer>(std::size_t element)>;

inline std::string text_of(const Writer& writer) {
  return "block " + std::to_string(writer.block) + ", warp " + std::to_string(writer.thread / 32) +
         ", thread " + std::to_string(writer.thread);
}

/// In blocks of `threads` threads, thread i of the grid writes element i.
inline WriterOf a_thread_each(std::size_t threads) {
  return [=](std::size_t e) { return Writer{e / threads, e % threads}; };
}

/// The threads of one block write the elements, turn after turn.
inline WriterOf one_block_of(std::size_t threads) {
  return [=](std::size_t e) { return Writer{0, e % threads}; };
}

/// The threads of one block write each row, turn after turn.
inline WriterOf a_block_a_row(std::size_t columns, std::size_t threads) {
  return [=](std::size_t e) { return Writer{e / columns, e % columns % threads}; };
}

/// Thread i writes elements 2i + 1 and 2i + 2; element 0 is copied.
inline WriterOf a_thread_a_pair(std::size_t threads) {
  return [=](std::size_t e) -> std::optional<Writer> {
    if (e == 0) return {};
    return a_thread_each(threads)((e - 1) / 2);
  };
}

/// Each block writes a share of n elements in whole warps; if `blocks` is 0, a share has at most
/// 1024 elements.
inline WriterOf in_shares(std::size_t n, std::size_t blocks, std::size_t threads) {
  return [=](std::size_t e) {
    const std::size_t shares = blocks == 0 ? ceil_div(n, 1024) : blocks;
    const std::size_t share = ceil_div(ceil_div(n, shares), 32) * 32;
    return Writer{e / share, e % share % threads};
  };
}

/// The transpose of a matrix of rows × columns, in tiles of 32 × 32 with 32 × 8 threads.
inline WriterOf transposing(std::size_t rows, std::size_t columns,
                            TransposeVariant variant = TransposeVariant::swizzled) {
  return [=](std::size_t e) {
    const std::size_t i = e % rows;  // of the matrix
    const std::size_t j = e / rows;
    const bool direct = variant == TransposeVariant::direct;
    const std::size_t x = direct ? j % 32 : i % 32;
    const std::size_t y = direct ? i % 32 % 8 : j % 32 % 8;
    return Writer{i / 32 * ceil_div(columns, 32) + j / 32, row_major(y, x, std::size_t{32})};
  };
}

/// The threads of a block sweep square tiles of a matrix (algorithms/sweep.hpp). `blocks` blocks
/// take turns; if `blocks` is 0, each tile has its own block.
inline WriterOf sweeping_tiles(std::size_t columns, std::uint64_t side, std::uint64_t threads,
                               std::size_t blocks = 0) {
  return [=](std::size_t e) {
    const std::size_t i = e / columns;
    const std::size_t j = e % columns;
    const SweepShape<std::uint64_t> shape{side, side, threads, 32};
    const std::size_t tile = i / side * ceil_div(columns, side) + j / side;
    return Writer{
        blocks == 0 ? tile : tile % blocks,
        i % side % shape.rows_at_once() * shape.row_threads() + j % side % shape.row_threads()};
  };
}

/// Tiles of 32 rows; each of 32 × 8 threads has 4 packets, one below the other.
template <class T>
WriterOf image_in_registers(std::size_t columns) {
  return [=](std::size_t e) {
    constexpr std::size_t each = 16 / sizeof(T);
    const std::size_t i = e / columns;
    const std::size_t j = e % columns;
    return Writer{i / 32 * ceil_div(columns, 32 * each) + j / (32 * each),
                  row_major(i % 32 / 4, j % (32 * each) / each, std::size_t{32})};
  };
}

/// Tiles of 2 × 4 warps of 4 × 8 threads; packets of rows and columns go to the threads in turn
/// (cuda/kernels/matrix_product/blocked_product.cuh).
template <class T>
WriterOf product_in_registers(std::size_t columns) {
  return [=](std::size_t e) {
    constexpr std::size_t each = 16 / sizeof(T);
    constexpr std::size_t warp_rows = sizeof(T) <= 4 ? 64 : 32;
    constexpr std::size_t warp_columns = 64;
    const std::size_t i = e / columns;
    const std::size_t j = e % columns;
    const std::size_t block =
        i / (4 * warp_rows) * ceil_div(columns, 2 * warp_columns) + j / (2 * warp_columns);
    const std::size_t warp = i / warp_rows % 4 * 2 + j / warp_columns % 2;
    return Writer{block, warp * 32 + i / each % 4 * 8 + j / each % 8};
  };
}

/// Tables of all algorithms but hybrid and look_back, by blocks of 128 threads.
inline WriterOf of_table(TableVariant variant, std::size_t rows, std::size_t columns) {
  return [=](std::size_t e) -> std::optional<Writer> {
    constexpr std::size_t threads = 128;
    const std::size_t i = e / columns;
    const std::size_t j = e % columns;
    const std::size_t y = i / 32;
    const std::size_t x = j / 32;
    const std::size_t across = ceil_div(columns, 32);
    const std::size_t of_tile = row_major(i % 32, j % 32, std::size_t{32}) % threads;
    switch (variant) {
      case TableVariant::r2w2:  // the row pass; the column pass wrote column 0
        return j == 0 ? Writer{0, 0} : a_thread_each(threads)(i);
      case TableVariant::r4w4:
        return transposing(columns, rows)(e);
      case TableVariant::r4w1:
        return a_thread_each(threads)(i - DiagonalOf<std::uint64_t>::of(i + j, rows, columns).row);
      case TableVariant::r2w1:
        return Writer{y * across + x, of_tile};
      case TableVariant::r1w1:
        return Writer{y - DiagonalOf<std::uint64_t>::of(y + x, ceil_div(rows, 32), across).row,
                      of_tile};
      case TableVariant::hybrid:
      case TableVariant::look_back:
        break;
    }
    return {};
  };
}

}  // namespace bankproof::cuda::tests
