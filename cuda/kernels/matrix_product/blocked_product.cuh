// The matrix product in registers: each thread has 16 × 8 or 8 × 8 elements of a tile of c. In each
// step, a thread adds the product of a column of a and a row of b to its elements. Shared memory
// holds the tiles of a and b for the current step and the next two.
//
// A warp has 4 × 8 threads. The columns of a's tile are stored as rows, so that threads read the
// tiles of a and b by packets. Each stored row has four idle words at its end, so that a warp
// stores parts of several columns without conflicts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../support/async_copy.cuh"
#include "../support/packet.cuh"
#include "matrix_product.cuh"

namespace bankproof::cuda::kernels {

/// The sides of tiles, for 256 threads. In a step, each row of a's tile is one sector of 32 bytes.
template <class T>
struct BlockedProduct {
  enum : std::uint32_t {
    threads = 256,
    thread_rows = sizeof(T) <= 4 ? 16 : 8,
    thread_columns = 8,
    rows = 4 * 4 * thread_rows,
    columns = 2 * 8 * thread_columns,
    depth = 32 / sizeof(T),
    stages = 3,
    pitch = rows + 4,
    rows_at_once = threads / depth,  // rows of a that are copied at a time
  };

  /// The tiles in shared memory, stage by stage.
  struct Stages {
    alignas(16) T a[stages][depth][pitch];
    alignas(16) T b[stages][depth][columns];
  };

  // ---- A thread's elements are packets. The packets number k of all threads of a warp are
  // adjacent; the packets number k + 1 follow them.
  __device__ static std::uint32_t row_of(std::uint32_t packet) {
    const std::uint32_t warp = threadIdx.x / 32 / 2;
    return warp * 4 * thread_rows + (packet * 4 + threadIdx.x % 32 / 8) * Packet<T>::size;
  }
  __device__ static std::uint32_t column_of(std::uint32_t packet) {
    const std::uint32_t warp = threadIdx.x / 32 % 2;
    return warp * 8 * thread_columns + (packet * 8 + threadIdx.x % 8) * Packet<T>::size;
  }
};

/// The parts of the tiles of a and b that a thread copies, step after step.
template <class T>
class StepCopies {
  using Tile = BlockedProduct<T>;

 public:
  __device__ StepCopies(const T* a, const T* b, const ProductSize& size, std::size_t top,
                        std::size_t left)
      : a_(a + row_major(top + a_row(), std::size_t{a_column()}, size.inner)),
        a_pitch_(size.inner),
        b_(b + left),
        b_pitch_(size.columns),
        columns_(size.columns - left),
        inner_(size.inner) {
    const std::size_t rows = size.rows - top;
    const std::size_t turns =
        rows > a_row() ? (rows - a_row() + Tile::rows_at_once - 1) / Tile::rows_at_once : 0;
    a_turns_ = static_cast<std::uint32_t>(turns < Tile::rows ? turns : Tile::rows);
  }

  /// Starts to copy the tiles of the next step to their stage; rows of b are copied by packets P.
  template <class P>
  __device__ void begin(typename Tile::Stages& tiles, std::uint32_t stage) {
    const std::uint32_t turns = a_column() < inner_ ? a_turns_ : 0;
#pragma unroll
    for (std::uint32_t turn = 0; turn < Tile::rows / Tile::rows_at_once; ++turn) {
      copy_async(&tiles.a[stage][a_column()][turn * Tile::rows_at_once + a_row()],
                 a_ + turn * Tile::rows_at_once * a_pitch_, turn < turns);
    }

    constexpr std::uint32_t row_threads = Tile::columns / P::size;
    const std::uint32_t column = threadIdx.x % row_threads * P::size;
#pragma unroll
    for (std::uint32_t first = 0; first < Tile::depth; first += Tile::threads / row_threads) {
      const std::uint32_t row = first + threadIdx.x / row_threads;
      copy_async(reinterpret_cast<P*>(&tiles.b[stage][row][column]),
                 reinterpret_cast<const P*>(b_ + row * b_pitch_ + column),
                 row < inner_ && column < columns_);
    }

    a_ += Tile::depth;
    b_ += Tile::depth * b_pitch_;
    inner_ = inner_ > Tile::depth ? inner_ - Tile::depth : 0;
  }

 private:
  __device__ static std::uint32_t a_row() { return threadIdx.x / Tile::depth; }
  __device__ static std::uint32_t a_column() { return threadIdx.x % Tile::depth; }

  const T* a_;
  std::size_t a_pitch_;
  std::uint32_t a_turns_;  // turns in which this thread copies from a row of a
  const T* b_;
  std::size_t b_pitch_;
  std::size_t columns_;  // columns of b from the tile's first column on
  std::size_t inner_;    // inner dimension from the step's first index on
};

/// c ← ab, one block per tile of c. Rows of b and c consist of whole, aligned packets P.
template <class P, class T>
__global__ void __launch_bounds__(BlockedProduct<T>::threads)
    multiply_blocked(const T* a, const T* b, T* c, const ProductSize size) {
  using Tile = BlockedProduct<T>;
  constexpr std::uint32_t each = Packet<T>::size;
  __shared__ typename Tile::Stages tiles;
  const auto across = (size.columns + Tile::columns - 1) / Tile::columns;
  const std::size_t top = blockIdx.x / across * Tile::rows;
  const std::size_t left = blockIdx.x % across * Tile::columns;
  const std::size_t steps = (size.inner + Tile::depth - 1) / Tile::depth;

  // Load the tiles of the first steps; tiles beyond the last step are zeros.
  StepCopies<T> copies(a, b, size, top, left);
  for (std::uint32_t stage = 0; stage + 1 < Tile::stages; ++stage) {
    copies.template begin<P>(tiles, stage);
    end_copies();
  }

  T sums[Tile::thread_rows][Tile::thread_columns] = {};
  std::uint32_t stage = 0;
  std::uint32_t free_stage = Tile::stages - 1;
  for (std::size_t step = 0; step < steps; ++step) {
    // All threads see the tiles of this step, and no thread still reads the tiles of the step
    // before.
    wait_for_copies<Tile::stages - 2>();
    __syncthreads();
    copies.template begin<P>(tiles, free_stage);
    end_copies();

    // Add.
#pragma unroll
    for (std::uint32_t k = 0; k < Tile::depth; ++k) {
      Packet<T> of_a[Tile::thread_rows / each];
      Packet<T> of_b[Tile::thread_columns / each];
#pragma unroll
      for (std::uint32_t i = 0; i < Tile::thread_rows / each; ++i) {
        of_a[i] = *reinterpret_cast<const Packet<T>*>(&tiles.a[stage][k][Tile::row_of(i)]);
      }
#pragma unroll
      for (std::uint32_t j = 0; j < Tile::thread_columns / each; ++j) {
        of_b[j] = *reinterpret_cast<const Packet<T>*>(&tiles.b[stage][k][Tile::column_of(j)]);
      }
#pragma unroll
      for (std::uint32_t i = 0; i < Tile::thread_rows; ++i) {
#pragma unroll
        for (std::uint32_t j = 0; j < Tile::thread_columns; ++j) {
          sums[i][j] += of_a[i / each].elements[i % each] * of_b[j / each].elements[j % each];
        }
      }
    }
    free_stage = stage;
    stage = stage + 1 < Tile::stages ? stage + 1 : 0;
  }

  // Write.
  P* const packets = reinterpret_cast<P*>(c);
  const std::size_t pitch = size.columns / P::size;
#pragma unroll
  for (std::uint32_t i = 0; i < Tile::thread_rows; ++i) {
    const std::size_t row = top + Tile::row_of(i / each) + i % each;
    if (row >= size.rows) continue;
#pragma unroll
    for (std::uint32_t j = 0; j < Tile::thread_columns; j += P::size) {
      const std::size_t column = left + Tile::column_of(j / each) + j % each;
      if (column >= size.columns) continue;
      P written;
#pragma unroll
      for (std::uint32_t e = 0; e < P::size; ++e) written.elements[e] = sums[i][j + e];
      packets[row_major(row, column / P::size, pitch)] = written;
    }
  }
}

}  // namespace bankproof::cuda::kernels
