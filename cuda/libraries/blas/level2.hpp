// Level 2: what the calls on a matrix and vectors do, for any type of numbers and any form in which
// the matrix is stored.
#pragma once

#include "level1.hpp"

namespace bankproof::cuda::blas {

struct MatrixOf {
  Typed memory;
  MatrixShape shape;
  bool is_hermitian = false;  // of a symmetric or Hermitian matrix
};
template <class V>
Dense<V> get(Operation& on, const MatrixOf& from) {
  return read_matrix<V>(on, from.memory, from.shape);
}

inline Part part_of(cublasFillMode_t mode) {
  require(mode == CUBLAS_FILL_MODE_LOWER || mode == CUBLAS_FILL_MODE_UPPER,
          "the fill mode is neither lower nor upper");
  return mode == CUBLAS_FILL_MODE_UPPER ? Part::upper : Part::lower;
}
inline void require_op(cublasOperation_t op) {
  require(op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C,
          "the operation is none of N, T and C");
}
inline void require_size(const char* name, std::int64_t size) {
  require(size >= 0, fmt::format("{} is {}", name, size));
}
inline void require_leading(const char* name, std::int64_t leading, std::int64_t rows) {
  require(leading >= std::max<std::int64_t>(rows, 1),
          fmt::format("{} is {}, and a column has {} rows", name, leading, rows));
}
inline void require_increment(const char* name, std::int64_t increment) {
  require(increment != 0, fmt::format("{} is 0", name));
}
inline bool is_unit(cublasDiagType_t diag) {
  require(diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT,
          "the diagonal has no such type");
  return diag == CUBLAS_DIAG_UNIT;
}

/// The shapes of matrices. Each call throws if its leading dimension is too small.
inline MatrixShape full(const char* name, std::int64_t rows, std::int64_t columns,
                        std::int64_t leading) {
  require_leading(name, leading, rows);
  return {.rows = rows, .columns = columns, .leading = leading};
}
inline MatrixShape band(std::int64_t rows, std::int64_t columns, std::int64_t below,
                        std::int64_t above, std::int64_t leading) {
  require_size("the number of diagonals", std::min(below, above));
  require_leading("lda", leading, below + above + 1);
  return {.rows = rows,
          .columns = columns,
          .leading = leading,
          .form = Form::band,
          .below = below,
          .above = above};
}
inline MatrixShape triangle(const char* name, std::int64_t n, std::int64_t leading, Part part) {
  MatrixShape shape = full(name, n, n, leading);
  shape.part = part;
  return shape;
}
inline MatrixShape band_triangle(std::int64_t n, std::int64_t diagonals, std::int64_t leading,
                                 Part part) {
  require_size("k", diagonals);
  require_leading("lda", leading, diagonals + 1);
  MatrixShape shape{.rows = n, .columns = n, .leading = leading, .form = Form::band, .part = part};
  (part == Part::upper ? shape.above : shape.below) = diagonals;
  return shape;
}
inline MatrixShape packed(std::int64_t n, Part part) {
  return {.rows = n, .columns = n, .form = Form::packed, .part = part};
}

/// y := beta · y + added(); y is not read if beta is 0. Nothing is read if alpha is 0, too.
template <class V>
void add_to_vector(Operation& on, V alpha, V beta, const VectorOf& y,
                   const std::function<std::vector<V>()>& added) {
  if (alpha == V(0) && beta == V(1)) return;
  std::vector<V> sum(index_of(y.shape.size));
  if (beta != V(0)) {
    sum = get<V>(on, y);
    for (V& value : sum) value *= beta;
  }
  if (alpha != V(0)) {
    const std::vector<V> more = added();
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += alpha * more[k];
  }
  put(on, y, std::move(sum));
}

/// y := alpha · op(A) · x + beta · y
template <class V>
cublasStatus_t general_product(const Call& call, cublasOperation_t op, const Scalar<V>& alpha,
                               const MatrixOf& a, const VectorOf& x, const Scalar<V>& beta,
                               const VectorOf& y) {
  if (a.shape.rows == 0 || a.shape.columns == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    add_to_vector<V>(on, alpha.get(on), beta.get(on), y,
                     [&] { return product(applied(op, get<V>(on, a)), get<V>(on, x)); });
  });
}

/// y := alpha · A · x + beta · y, with a matrix of which a triangle is stored
template <class V>
cublasStatus_t symmetric_product(const Call& call, const Scalar<V>& alpha, const MatrixOf& a,
                                 const VectorOf& x, const Scalar<V>& beta, const VectorOf& y) {
  if (a.shape.rows == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    add_to_vector<V>(on, alpha.get(on), beta.get(on), y, [&] {
      return product(completed(get<V>(on, a), a.shape.part, a.is_hermitian), get<V>(on, x));
    });
  });
}

/// x := op(A) · x, or the solution of op(A) · x' = x
template <class V>
cublasStatus_t triangular(const Call& call, cublasOperation_t op, const MatrixOf& a,
                          const VectorOf& x, bool solves) {
  require_op(op);
  if (a.shape.rows == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const Dense<V> matrix = applied(op, get<V>(on, a));
    const bool is_upper = (a.shape.part == Part::upper) == (op == CUBLAS_OP_N);
    std::vector<V> values = get<V>(on, x);
    if (solves) {
      Dense<V> column(a.shape.rows, 1);
      column.values = std::move(values);
      solve(matrix, is_upper, column);
      put(on, x, std::move(column.values));
    } else {
      put(on, x, product(matrix, values));
    }
  });
}

/// A := alpha · x · yᵀ + A, or with conj(y)
template <class V>
cublasStatus_t rank_one(const Call& call, const Scalar<V>& alpha, const VectorOf& x,
                        const VectorOf& y, const MatrixOf& a, bool conjugates) {
  if (a.shape.rows == 0 || a.shape.columns == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const V factor = alpha.get(on);
    if (factor == V(0)) return;
    const std::vector<V> left = get<V>(on, x);
    const std::vector<V> right = get<V>(on, y);
    Dense<V> sum = get<V>(on, a);
    for (std::int64_t j = 0; j < sum.columns; ++j) {
      const V& other = right[index_of(j)];
      const V scaled = factor * (conjugates ? conjugate(other) : other);
      for (std::int64_t i = 0; i < sum.rows; ++i) sum(i, j) += left[index_of(i)] * scaled;
    }
    write_matrix(on, a.memory, a.shape, sum);
  });
}

/// The diagonal of a Hermitian matrix is real.
template <class V>
void make_diagonal_real(Dense<V>& matrix) {
  for (std::int64_t j = 0; j < matrix.columns; ++j) matrix(j, j) = V(std::real(matrix(j, j)));
}

/// A := alpha · x · yᵀ + conj(alpha) · y · xᵀ + A in a triangle, or with conjugates; without y,
/// A := alpha · x · xᵀ + A. `S` is the type of alpha.
template <class V, class S>
cublasStatus_t symmetric_rank(const Call& call, const Scalar<S>& alpha, const VectorOf& x,
                              const std::optional<VectorOf>& y, const MatrixOf& a) {
  if (a.shape.rows == 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const V factor = V(alpha.get(on));
    if (factor == V(0)) return;
    const bool conjugates = a.is_hermitian;
    const auto turned = [&](V value) { return conjugates ? conjugate(value) : value; };
    const std::vector<V> left = get<V>(on, x);
    const std::vector<V> right = y ? get<V>(on, *y) : left;
    Dense<V> sum = get<V>(on, a);
    for (std::int64_t j = 0; j < sum.columns; ++j) {
      for (std::int64_t i = 0; i < sum.rows; ++i) {
        sum(i, j) += factor * left[index_of(i)] * turned(right[index_of(j)]);
        if (y) sum(i, j) += turned(factor) * right[index_of(i)] * turned(left[index_of(j)]);
      }
    }
    if (conjugates) make_diagonal_real(sum);
    write_matrix(on, a.memory, a.shape, sum);
  });
}

}  // namespace bankproof::cuda::blas
