// Vectors and matrices in the host's memory, as calls compute with them: vectors in the order of
// their elements, matrices with all their elements, column by column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../../headers/cublas_v2.h"
#include "numbers.hpp"

namespace bankproof::cuda::blas {

using libraries::Form;
using libraries::MatrixShape;
using libraries::Part;
using libraries::VectorShape;

inline std::size_t index_of(std::int64_t i) { return static_cast<std::size_t>(i); }

/// From its first element to its last.
template <class V>
std::vector<V> read_vector(libraries::Operation& on, const Typed& from, const VectorShape& shape) {
  std::vector<V> values = read<V>(on, from, shape);
  if (shape.increment == 0) values.assign(index_of(shape.size), values.at(0));
  if (shape.increment < 0) std::reverse(values.begin(), values.end());
  return values;
}
template <class V>
void write_vector(libraries::Operation& on, const Typed& to, const VectorShape& shape,
                  std::vector<V> values) {
  if (shape.increment == 0) values = {values.back()};
  if (shape.increment < 0) std::reverse(values.begin(), values.end());
  write(on, to, shape, values);
}

template <class V>
struct Dense {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<V> values;

  Dense() = default;
  Dense(std::int64_t m, std::int64_t n) : rows(m), columns(n), values(index_of(m) * index_of(n)) {}
  V& operator()(std::int64_t i, std::int64_t j) { return values[index_of(j * rows + i)]; }
  const V& operator()(std::int64_t i, std::int64_t j) const {
    return values[index_of(j * rows + i)];
  }
};

/// Reads the stored elements. The other elements are 0, or 1 on a diagonal of ones.
template <class V>
Dense<V> read_matrix(libraries::Operation& on, const Typed& from, const MatrixShape& shape) {
  const std::vector<V> stored = read<V>(on, from, shape);
  Dense<V> matrix(shape.rows, shape.columns);
  auto next = stored.begin();
  for (std::int64_t j = 0; j < shape.columns; ++j) {
    const libraries::StoredColumn column = shape.column(j);
    for (std::int64_t i = column.first; i < column.end; ++i) matrix(i, j) = *next++;
    if (shape.unit && shape.part != Part::all) matrix(j, j) = V(1);
  }
  return matrix;
}
/// Only what is stored.
template <class V>
void write_matrix(libraries::Operation& on, const Typed& to, const MatrixShape& shape,
                  const Dense<V>& matrix) {
  std::vector<V> stored;
  stored.reserve(matrix.values.size());
  for (std::int64_t j = 0; j < shape.columns; ++j) {
    const libraries::StoredColumn column = shape.column(j);
    for (std::int64_t i = column.first; i < column.end; ++i) stored.push_back(matrix(i, j));
  }
  write(on, to, shape, stored);
}

template <class V>
Dense<V> transposed(const Dense<V>& matrix, bool conjugates) {
  Dense<V> result(matrix.columns, matrix.rows);
  for (std::int64_t j = 0; j < matrix.columns; ++j) {
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      result(j, i) = conjugates ? conjugate(matrix(i, j)) : matrix(i, j);
    }
  }
  return result;
}
template <class V>
Dense<V> applied(cublasOperation_t op, Dense<V> matrix) {
  if (op == CUBLAS_OP_N) return matrix;
  if (op != CUBLAS_OP_CONJG) return transposed(matrix, op == CUBLAS_OP_C);
  for (V& value : matrix.values) value = conjugate(value);
  return matrix;
}

/// A symmetric or Hermitian matrix, of which one part was read.
template <class V>
Dense<V> completed(Dense<V> matrix, Part part, bool is_hermitian) {
  for (std::int64_t j = 0; j < matrix.columns; ++j) {
    if constexpr (is_complex<V>) {
      if (is_hermitian) matrix(j, j) = V(matrix(j, j).real());
    }
    for (std::int64_t i = 0; i < j; ++i) {
      V& other = part == Part::upper ? matrix(j, i) : matrix(i, j);
      const V& known = part == Part::upper ? matrix(i, j) : matrix(j, i);
      other = is_hermitian ? conjugate(known) : known;
    }
  }
  return matrix;
}

/// The product of a matrix of m × k and one of k × n (product.cpp).
template <class V>
Dense<V> product(const Dense<V>& a, const Dense<V>& b);

template <class V>
std::vector<V> product(const Dense<V>& a, const std::vector<V>& x) {
  std::vector<Wide<V>> sums(index_of(a.rows));
  for (std::int64_t j = 0; j < a.columns; ++j) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
      sums[index_of(i)] += Wide<V>(a(i, j)) * Wide<V>(x[index_of(j)]);
    }
  }
  std::vector<V> result;
  result.reserve(sums.size());
  for (const Wide<V>& sum : sums) result.push_back(V(sum));
  return result;
}

/// Solves a · x = b for each column b of the matrix, in its place; `a` is a triangle.
template <class V>
void solve(const Dense<V>& a, bool is_upper, Dense<V>& b) {
  for (std::int64_t column = 0; column < b.columns; ++column) {
    for (std::int64_t step = 0; step < a.rows; ++step) {
      const std::int64_t j = is_upper ? a.rows - 1 - step : step;
      const V x = b(j, column) / a(j, j);
      b(j, column) = x;
      const std::int64_t first = is_upper ? 0 : j + 1;
      const std::int64_t end = is_upper ? j : a.rows;
      for (std::int64_t i = first; i < end; ++i) b(i, column) -= a(i, j) * x;
    }
  }
}

}  // namespace bankproof::cuda::blas
