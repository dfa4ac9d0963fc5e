// The product of two matrices, for all large calls of level 3.
//
// Blocks of A and B are packed so that the innermost loop reads both in order, and adds to a tile
// of C in registers: Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication"
// (2008). A complex product is four real ones.
#include <array>

#include "dense.hpp"

namespace bankproof::cuda::blas {
namespace {

constexpr std::size_t tile_rows = 16;
constexpr std::size_t tile_columns = 4;
constexpr std::size_t block_depth = 256;
constexpr std::size_t block_rows = 256;

/// C += A · B for one tile; `a` and `b` are packed.
template <class R>
[[gnu::always_inline]] inline void add_tile(const R* a, const R* b, std::size_t depth,
                                            std::array<R, tile_rows * tile_columns>& sums) {
  // The compiler keeps these in registers.
  R kept[tile_columns][tile_rows] = {};
  for (std::size_t p = 0; p < depth; ++p) {
    for (std::size_t j = 0; j < tile_columns; ++j) {
      for (std::size_t i = 0; i < tile_rows; ++i) {
        kept[j][i] += a[p * tile_rows + i] * b[p * tile_columns + j];
      }
    }
  }
  for (std::size_t j = 0; j < tile_columns; ++j) {
    for (std::size_t i = 0; i < tile_rows; ++i) sums[j * tile_rows + i] = kept[j][i];
  }
}

#if defined(__x86_64__)
template <class R>
[[gnu::target("avx2,fma")]] void add_tile_wide(const R* a, const R* b, std::size_t depth,
                                               std::array<R, tile_rows * tile_columns>& sums) {
  add_tile(a, b, depth, sums);
}
bool has_wide_vectors() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  return has;
}
#endif

template <class R>
void add_tile_here(const R* a, const R* b, std::size_t depth,
                   std::array<R, tile_rows * tile_columns>& sums) {
#if defined(__x86_64__)
  if (has_wide_vectors()) return add_tile_wide(a, b, depth, sums);
#endif
  add_tile(a, b, depth, sums);
}

/// Matrices of real numbers, column by column.
template <class R>
struct RealProduct {
  const R* a = nullptr;
  const R* b = nullptr;
  R* c = nullptr;
  std::size_t m = 0, n = 0, k = 0;
};

template <class R>
std::vector<R> packed_rows(const RealProduct<R>& of, std::size_t row, std::size_t rows,
                           std::size_t first, std::size_t depth) {
  const std::size_t tiles = (rows + tile_rows - 1) / tile_rows;
  std::vector<R> packed(tiles * tile_rows * depth);
  for (std::size_t p = 0; p < depth; ++p) {
    const R* const column = of.a + (first + p) * of.m + row;
    for (std::size_t i = 0; i < rows; ++i) {
      packed[(i / tile_rows * depth + p) * tile_rows + i % tile_rows] = column[i];
    }
  }
  return packed;
}
template <class R>
std::vector<R> packed_columns(const RealProduct<R>& of, std::size_t first, std::size_t depth) {
  const std::size_t tiles = (of.n + tile_columns - 1) / tile_columns;
  std::vector<R> packed(tiles * tile_columns * depth);
  for (std::size_t j = 0; j < of.n; ++j) {
    const R* const column = of.b + j * of.k + first;
    for (std::size_t p = 0; p < depth; ++p) {
      packed[(j / tile_columns * depth + p) * tile_columns + j % tile_columns] = column[p];
    }
  }
  return packed;
}

template <class R>
void add_block(const RealProduct<R>& of, std::size_t row, std::size_t rows, std::size_t depth,
               const std::vector<R>& a, const std::vector<R>& b) {
  std::array<R, tile_rows * tile_columns> sums;
  for (std::size_t j = 0; j < of.n; j += tile_columns) {
    for (std::size_t i = 0; i < rows; i += tile_rows) {
      add_tile_here(a.data() + i * depth, b.data() + j * depth, depth, sums);
      for (std::size_t y = 0; y < std::min(tile_columns, of.n - j); ++y) {
        R* const c = of.c + (j + y) * of.m + row + i;
        for (std::size_t x = 0; x < std::min(tile_rows, rows - i); ++x) {
          c[x] += sums[y * tile_rows + x];
        }
      }
    }
  }
}

/// C += A · B
template <class R>
void add_product(const RealProduct<R>& of) {
  for (std::size_t first = 0; first < of.k; first += block_depth) {
    const std::size_t depth = std::min(block_depth, of.k - first);
    const std::vector<R> b = packed_columns(of, first, depth);
    for (std::size_t row = 0; row < of.m; row += block_rows) {
      const std::size_t rows = std::min(block_rows, of.m - row);
      add_block(of, row, rows, depth, packed_rows(of, row, rows, first, depth), b);
    }
  }
}

template <class R>
std::vector<R> component_of(const std::vector<std::complex<R>>& values, bool imaginary, R factor) {
  std::vector<R> part;
  part.reserve(values.size());
  for (const auto& value : values) {
    part.push_back(factor * (imaginary ? value.imag() : value.real()));
  }
  return part;
}

}  // namespace

template <class V>
Dense<V> product(const Dense<V>& a, const Dense<V>& b) {
  Dense<V> c(a.rows, b.columns);
  const std::size_t m = index_of(a.rows);
  const std::size_t n = index_of(b.columns);
  const std::size_t k = index_of(a.columns);
  if constexpr (is_complex<V>) {
    using R = Real<V>;
    const std::vector<R> parts_a[] = {component_of(a.values, false, R{1}),
                                      component_of(a.values, true, R{1}),
                                      component_of(a.values, true, R{-1})};
    const std::vector<R> parts_b[] = {component_of(b.values, false, R{1}),
                                      component_of(b.values, true, R{1})};
    std::vector<R> real(m * n);
    std::vector<R> imaginary(m * n);
    add_product<R>({parts_a[0].data(), parts_b[0].data(), real.data(), m, n, k});
    add_product<R>({parts_a[2].data(), parts_b[1].data(), real.data(), m, n, k});
    add_product<R>({parts_a[0].data(), parts_b[1].data(), imaginary.data(), m, n, k});
    add_product<R>({parts_a[1].data(), parts_b[0].data(), imaginary.data(), m, n, k});
    for (std::size_t i = 0; i < m * n; ++i) c.values[i] = V(real[i], imaginary[i]);
  } else {
    add_product<V>({a.values.data(), b.values.data(), c.values.data(), m, n, k});
  }
  return c;
}

template Dense<float> product(const Dense<float>&, const Dense<float>&);
template Dense<double> product(const Dense<double>&, const Dense<double>&);
template Dense<Complex> product(const Dense<Complex>&, const Dense<Complex>&);
template Dense<DoubleComplex> product(const Dense<DoubleComplex>&, const Dense<DoubleComplex>&);

}  // namespace bankproof::cuda::blas
