// Batches of small problems of least squares: QR factors by Householder's reflections, and
// solutions by them (LAPACK's geqrf and gels).
//
// A reflection is 1 − τ v vᴴ. Its v has a 1 at its row, and its other elements lie below the
// diagonal of the factors.
#include "exports.hpp"
#include "level3.hpp"

namespace bankproof::cuda::blas {
namespace {

template <class W>
struct Reflected {
  Dense<W> factors;  // R, and below it the reflections
  std::vector<W> tau;
};

/// Applies the reflection k to a column: with conj(τ), its inverse.
template <class W>
void reflect(const Reflected<W>& of, std::int64_t k, W tau, Dense<W>& to, std::int64_t column) {
  W sum = to(k, column);
  for (std::int64_t i = k + 1; i < to.rows; ++i) {
    sum += conjugate(of.factors(i, k)) * to(i, column);
  }
  sum *= tau;
  to(k, column) -= sum;
  for (std::int64_t i = k + 1; i < to.rows; ++i) to(i, column) -= of.factors(i, k) * sum;
}

/// Chooses the reflection that clears column k below the diagonal.
template <class W>
W clear_column(Dense<W>& a, std::int64_t k) {
  const W diagonal = a(k, k);
  double below = 0;
  for (std::int64_t i = k + 1; i < a.rows; ++i) below += std::norm(a(i, k));
  if (below == 0 && std::imag(diagonal) == 0) return W(0);
  const double length = std::sqrt(std::norm(diagonal) + below);
  const double cleared = std::real(diagonal) > 0 ? -length : length;
  for (std::int64_t i = k + 1; i < a.rows; ++i) a(i, k) /= diagonal - cleared;
  a(k, k) = W(cleared);
  return (W(cleared) - diagonal) / cleared;
}

template <class W>
Reflected<W> reflected(Dense<W> matrix) {
  Reflected<W> of{std::move(matrix), {}};
  for (std::int64_t k = 0; k < std::min(of.factors.rows, of.factors.columns); ++k) {
    of.tau.push_back(clear_column(of.factors, k));
    for (std::int64_t j = k + 1; j < of.factors.columns; ++j) {
      reflect(of, k, conjugate(of.tau.back()), of.factors, j);
    }
  }
  return of;
}

/// C := the X that minimizes |C − A · X|, and behind it what is left. Returns, from 1, the first
/// diagonal element of R that is 0: there is no solution then.
template <class W>
int solve_least_squares(const Reflected<W>& of, Dense<W>& c) {
  const std::int64_t n = of.factors.columns;
  for (std::int64_t k = 0; k < n; ++k) {
    if (of.factors(k, k) == W(0)) return static_cast<int>(k + 1);
  }
  for (std::int64_t column = 0; column < c.columns; ++column) {
    for (std::int64_t k = 0; k < n; ++k) {
      reflect(of, k, conjugate(of.tau[index_of(k)]), c, column);
    }
    for (std::int64_t i = n; i-- > 0;) {
      for (std::int64_t j = i + 1; j < n; ++j) c(i, column) -= of.factors(i, j) * c(j, column);
      c(i, column) /= of.factors(i, i);
    }
  }
  return 0;
}

/// Tells the host the number of the argument that is wrong, or 0.
struct Argument {
  int number;
  bool is_right;
  const char* why;
};
void check_arguments(const Call& call, int* info, std::initializer_list<Argument> all) {
  require(info != nullptr, "info is null");
  for (const Argument& one : all) {
    if (one.is_right) continue;
    call.write_to_host("info", info, -one.number);
    throw Refused{CUBLAS_STATUS_INVALID_VALUE, one.why};
  }
  call.write_to_host("info", info, 0);
}

template <class V>
cublasStatus_t geqrf(const char* name, cublasHandle_t handle, int m, int n, const void* a, int lda,
                     const void* tau, int* info, int count) {
  return make_call(name, handle, [&](const Call& call) {
    check_arguments(call, info,
                    {{1, m >= 0, "m is below 0"},
                     {2, n >= 0, "n is below 0"},
                     {4, lda >= std::max(1, m), "lda is below m"},
                     {7, count >= 0, "the number of matrices is below 0"}});
    if (m == 0 || n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
    const MatrixShape shape = full("lda", m, n, lda);
    return call.perform([=](Operation& on) {
      const auto all_a = addresses(on, "the array of A", a, count);
      const auto all_tau = addresses(on, "the array of tau", tau, count);
      for (std::size_t k = 0; k < all_a.size(); ++k) {
        const Typed memory = operand<V>("A", all_a[k]);
        const auto of = reflected(read_matrix<Wide<V>>(on, memory, shape));
        write_matrix(on, memory, shape, of.factors);
        write(on, operand<V>("tau", all_tau[k]), VectorShape{std::min(m, n), 1}, of.tau);
      }
    });
  });
}

template <class V>
cublasStatus_t gels(const char* name, cublasHandle_t handle, cublasOperation_t op, int m, int n,
                    int columns, const void* a, int lda, const void* c, int ldc, int* info,
                    int* codes, int count) {
  return make_call(name, handle, [&](const Call& call) {
    require_op(op);
    if (op != CUBLAS_OP_N || (m < n && m >= 0)) {
      throw Refused{CUBLAS_STATUS_NOT_SUPPORTED,
                    "CUDA solves systems that are not transposed, with as many rows as columns"};
    }
    check_arguments(call, info,
                    {{2, m >= 0, "m is below 0"},
                     {3, n >= 0, "n is below 0"},
                     {4, columns >= 0, "nrhs is below 0"},
                     {6, lda >= std::max(1, m), "lda is below m"},
                     {8, ldc >= std::max(1, m), "ldc is below m"},
                     {11, count >= 0, "the number of matrices is below 0"}});
    if (n == 0 || columns == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
    const MatrixShape shape = full("lda", m, n, lda);
    const MatrixShape sides = full("ldc", m, columns, ldc);
    return call.perform([=](Operation& on) {
      const auto all_a = addresses(on, "the array of A", a, count);
      const auto all_c = addresses(on, "the array of C", c, count);
      std::vector<int> infos;
      for (std::size_t k = 0; k < all_a.size(); ++k) {
        const Typed memory = operand<V>("A", all_a[k]);
        const Typed right = operand<V>("C", all_c[k]);
        const auto of = reflected(read_matrix<Wide<V>>(on, memory, shape));
        auto values = read_matrix<Wide<V>>(on, right, sides);
        infos.push_back(solve_least_squares(of, values));
        write_matrix(on, memory, shape, of.factors);
        write_matrix(on, right, sides, values);
      }
      if (codes != nullptr) {
        on.write("the codes", codes, VectorShape{count, 1}, infos);
      }
    });
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(L, T, R, V, E, I)                                                                        \
  cublasStatus_t cublas##L##geqrfBatched(cublasHandle_t handle, int m, int n, T* const a[],        \
                                         int lda, T* const tau[], int* info, int count) {          \
    return geqrf<V>("cublas" #L "geqrfBatched", handle, m, n, a, lda, tau, info, count);           \
  }                                                                                                \
  cublasStatus_t cublas##L##gelsBatched(cublasHandle_t handle, cublasOperation_t op, int m, int n, \
                                        int columns, T* const a[], int lda, T* const c[], int ldc, \
                                        int* info, int* codes, int count) {                        \
    return gels<V>("cublas" #L "gelsBatched", handle, op, m, n, columns, a, lda, c, ldc, info,     \
                   codes, count);                                                                  \
  }
BLAS_EACH_SHORT(M)
#undef M
// NOLINTEND(bugprone-macro-parentheses)
}
