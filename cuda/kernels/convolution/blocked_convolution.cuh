// The convolution of an image in registers: each thread has a packet of pixels in each of 4 rows. A
// block of 32 × 8 threads loads the window of its tile to shared memory by packets. Then each
// thread reads one row of the window after another and adds its products to the sums of its pixels.
// The weights are launch parameters, which are in constant memory.
//
// Example: v = 1 and floats. For its 4 × 4 pixels a thread reads 6 rows of 3 packets, which begin 4
// columns left of the pixels. Of the first and of the last packet, the thread uses one column each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../algorithms/layout.hpp"
#include "../support/packet.cuh"

namespace bankproof::cuda::kernels {

/// An image in row-major order, and its ghost cells. Indices below 0 wrap to huge ones.
template <class T>
struct Image {
  const T* pixels;
  std::size_t rows;
  std::size_t columns;
  GhostCells ghosts;
  bool whole_packets;  // rows are whole packets, at multiples of 16 bytes

  __device__ bool has_packet(std::size_t y, std::size_t x) const {
    return whole_packets && y < rows && x < columns;
  }
  __device__ T pixel(std::size_t y, std::size_t x) const {
    const bool present = ghosts == GhostCells::nearest || (y < rows && x < columns);
    if (!present) return T{};
    return pixels[row_major(nearest_cell(y, rows), nearest_cell(x, columns), columns)];
  }
  /// The packet of pixels of row y that begins at column x, a multiple of a packet.
  __device__ Packet<T> packet(std::size_t y, std::size_t x) const {
    constexpr std::uint32_t each = Packet<T>::size;
    if (has_packet(y, x)) {
      const auto* const packets = reinterpret_cast<const Packet<T>*>(pixels);
      return packets[row_major(y, x / each, columns / each)];
    }
    Packet<T> packet;
#pragma unroll
    for (std::uint32_t e = 0; e < each; ++e) packet.elements[e] = pixel(y, x + e);
    return packet;
  }
};

/// A piece of a kernel: rows × columns weights. The window of pixel (i, j) begins at (i − above, j
/// − before), where `before` is a multiple of a packet. The first column of weights belongs to
/// column j − before + skew of the image. If the piece is partial, only its first `used_rows` rows
/// have weights, in the columns from `used_begin` to used_end − 1.
template <class T, int height, int width, int skipped, bool is_partial>
struct MaskPiece {
  static constexpr int rows = height;
  static constexpr int columns = width;
  static constexpr int skew = skipped;
  static constexpr bool partial = is_partial;

  T weights[rows * columns];
  std::size_t above;
  std::size_t before;
  int used_rows;
  int used_begin;
  int used_end;

  __host__ __device__ bool uses(int s, int t) const {
    return !partial || (s < used_rows && t >= used_begin && t < used_end);
  }
};

/// The size of a block's tile, and the size of the rectangle of pixels that a thread computes.
template <class T>
struct BlockedTile {
  enum : std::uint32_t {
    threads_across = 32,
    threads_down = 8,
    threads = threads_across * threads_down,
    thread_rows = 4,
    thread_columns = Packet<T>::size,
    rows = threads_down * thread_rows,
    columns = threads_across * thread_columns,
  };
};

/// The part of an image that a tile needs for a piece of a kernel: in each row, a packet for each
/// thread and a few more.
template <class T, class Piece>
struct BlockedWindow {
  enum : std::uint32_t {
    each = Packet<T>::size,
    more = (Piece::skew + Piece::columns - 1 + each - 1) / each,
    packets = 32 + more,
    rows = 32 + Piece::rows - 1,
    loads = (packets * rows + 255) / 256,
  };

  Packet<T> words[rows][packets];
};

/// window ← the pixels of a, beginning at (top, left). All loads are in flight before the first
/// store.
template <class T, class Piece>
__device__ void load_window(const Image<T>& a, BlockedWindow<T, Piece>& window, std::size_t top,
                            std::size_t left) {
  using Window = BlockedWindow<T, Piece>;
  const std::uint32_t thread = row_major(threadIdx.y, threadIdx.x, 32U);
  Packet<T> loaded[Window::loads];
#pragma unroll
  for (std::uint32_t load = 0; load < Window::loads; ++load) {
    const std::uint32_t k = load * 256 + thread;
    const std::uint32_t row = k / Window::packets;
    const std::uint32_t packet = k % Window::packets;
    if (row < Window::rows) loaded[load] = a.packet(top + row, left + packet * Window::each);
  }
#pragma unroll
  for (std::uint32_t load = 0; load < Window::loads; ++load) {
    const std::uint32_t k = load * 256 + thread;
    const std::uint32_t row = k / Window::packets;
    if (row < Window::rows) window.words[row][k % Window::packets] = loaded[load];
  }
}

/// c ← a ⊗ the piece, or c ← c + a ⊗ the piece if `onto` is set; one block per tile.
template <class T, class Piece>
__global__ void __launch_bounds__(256)
    convolve_blocked(const Image<T> a, T* c, const Piece piece, bool onto) {
  using Tile = BlockedTile<T>;
  using Window = BlockedWindow<T, Piece>;
  constexpr int thread_rows = Tile::thread_rows;
  constexpr int each = Tile::thread_columns;
  __shared__ Window window;
  const std::size_t across = (a.columns + Tile::columns - 1) / Tile::columns;
  const std::size_t top = blockIdx.x / across * Tile::rows;
  const std::size_t left = blockIdx.x % across * Tile::columns;

  load_window(a, window, top - piece.above, left - piece.before);
  __syncthreads();

  // Add.
  T sums[thread_rows][each] = {};
#pragma unroll
  for (int row = 0; row < thread_rows + Piece::rows - 1; ++row) {
    Packet<T> packets[1 + Window::more];
#pragma unroll
    for (int k = 0; k <= static_cast<int>(Window::more); ++k) {
      packets[k] = window.words[threadIdx.y * thread_rows + row][threadIdx.x + k];
    }
#pragma unroll
    for (int s = 0; s < Piece::rows; ++s) {
      const int i = row - s;
      if (i < 0 || i >= thread_rows) continue;
#pragma unroll
      for (int t = 0; t < Piece::columns; ++t) {
        if (!piece.uses(s, t)) continue;
#pragma unroll
        for (int e = 0; e < each; ++e) {
          const int column = Piece::skew + t + e;
          sums[i][e] += packets[column / each].elements[column % each] *
                        piece.weights[s * Piece::columns + t];
        }
      }
    }
  }

  // Write.
  auto* const packets = reinterpret_cast<Packet<T>*>(c);
  const std::size_t x = left + std::size_t{threadIdx.x} * each;
  const std::size_t first = top + std::size_t{threadIdx.y} * thread_rows;
#pragma unroll
  for (int i = 0; i < thread_rows; ++i) {
    const std::size_t y = first + i;
    if (a.has_packet(y, x)) {
      const std::size_t k = row_major(y, x / each, a.columns / each);
      Packet<T> packet{};
      if (onto) packet = packets[k];
#pragma unroll
      for (int e = 0; e < each; ++e) packet.elements[e] += sums[i][e];
      packets[k] = packet;
    } else {
      T* const to = c + row_major(y, x, a.columns);
#pragma unroll
      for (int e = 0; e < each; ++e) {
        if (y < a.rows && x + e < a.columns) to[e] = onto ? to[e] + sums[i][e] : sums[i][e];
      }
    }
  }
}

}  // namespace bankproof::cuda::kernels
