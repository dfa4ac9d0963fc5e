// Oracle for summed area tables (THS 6): each entry by its definition, and the two sequential
// algorithms (THS 6.6).
//
// The definition must stay slow and plain: four nested loops, only additions.
//
// Example: the table of (1 2; 3 4) is (1 3; 4 10).
#pragma once

#include <cstdint>
#include <vector>

namespace bankproof::oracle {

/// b[i][j] = Σ a[i'][j'] over i' ≤ i and j' ≤ j, for a matrix in row-major order.
template <class T>
std::vector<T> summed_area_table(const std::vector<T>& a, std::uint64_t rows,
                                 std::uint64_t columns) {
  std::vector<T> b;
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      T sum{};
      for (std::uint64_t y = 0; y <= i; ++y) {
        for (std::uint64_t x = 0; x <= j; ++x) sum = static_cast<T>(sum + a[y * columns + x]);
      }
      b.push_back(sum);
    }
  }
  return b;
}

/// 2R2W(CPU): sums down the columns, then along the rows, in raster order.
template <class T>
std::vector<T> summed_area_table_2r2w(std::vector<T> a, std::uint64_t rows, std::uint64_t columns) {
  for (std::uint64_t i = 1; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      T& sum = a[i * columns + j];
      sum = static_cast<T>(a[(i - 1) * columns + j] + sum);
    }
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 1; j < columns; ++j) {
      T& sum = a[i * columns + j];
      sum = static_cast<T>(a[i * columns + j - 1] + sum);
    }
  }
  return a;
}

/// 4R1W(CPU): formula (6.1) in raster order.
template <class T>
std::vector<T> summed_area_table_4r1w(std::vector<T> a, std::uint64_t rows, std::uint64_t columns) {
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      T& sum = a[i * columns + j];
      if (j > 0) sum = static_cast<T>(sum + a[i * columns + j - 1]);
      if (i > 0) sum = static_cast<T>(sum + a[(i - 1) * columns + j]);
      if (i > 0 && j > 0) sum = static_cast<T>(sum - a[(i - 1) * columns + j - 1]);
    }
  }
  return a;
}

/// The sum of the elements of a in rows top … bottom and columns left … right.
template <class T>
T rectangle_sum(const std::vector<T>& a, std::uint64_t columns, std::uint64_t top,
                std::uint64_t left, std::uint64_t bottom, std::uint64_t right) {
  T sum{};
  for (std::uint64_t i = top; i <= bottom; ++i) {
    for (std::uint64_t j = left; j <= right; ++j) sum = static_cast<T>(sum + a[i * columns + j]);
  }
  return sum;
}

}  // namespace bankproof::oracle
