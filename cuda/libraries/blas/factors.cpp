// Batches of small systems: LU factors by Gauss's elimination with pivots in columns, solutions and
// inverses by them (LAPACK's getrf, getrs and getri).
#include "exports.hpp"
#include "level3.hpp"

namespace bankproof::cuda::blas {
namespace {

/// L below the diagonal, which has ones that are not stored, and U.
template <class V>
struct Factors {
  Dense<V> lu;
  std::vector<int> pivots;  // from 1: the row with which row k changed places
  int info = 0;             // from 1: the first diagonal element of U that is 0
};

template <class V>
void swap_rows(Dense<V>& matrix, std::int64_t one, std::int64_t other) {
  if (one == other) return;
  for (std::int64_t j = 0; j < matrix.columns; ++j) std::swap(matrix(one, j), matrix(other, j));
}

template <class V>
void eliminate(Factors<V>& of, std::int64_t k) {
  Dense<V>& a = of.lu;
  if (a(k, k) == V(0)) {
    if (of.info == 0) of.info = static_cast<int>(k + 1);
    return;
  }
  for (std::int64_t i = k + 1; i < a.rows; ++i) a(i, k) /= a(k, k);
  for (std::int64_t j = k + 1; j < a.columns; ++j) {
    for (std::int64_t i = k + 1; i < a.rows; ++i) a(i, j) -= a(i, k) * a(k, j);
  }
}

template <class V>
Factors<V> factorize(Dense<V> matrix, bool has_pivots) {
  Factors<V> of{std::move(matrix), {}, 0};
  for (std::int64_t k = 0; k < of.lu.rows; ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; has_pivots && i < of.lu.rows; ++i) {
      if (size_of(of.lu(i, k)) > size_of(of.lu(pivot, k))) pivot = i;
    }
    swap_rows(of.lu, k, pivot);
    of.pivots.push_back(static_cast<int>(pivot + 1));
    eliminate(of, k);
  }
  return of;
}

/// A triangle of the factors, with zeros elsewhere.
template <class V>
Dense<V> triangle_of(const Dense<V>& lu, bool is_upper) {
  Dense<V> result(lu.rows, lu.columns);
  for (std::int64_t j = 0; j < lu.columns; ++j) {
    for (std::int64_t i = 0; i < lu.rows; ++i) {
      if (is_upper ? i <= j : i > j) result(i, j) = lu(i, j);
    }
    if (!is_upper) result(j, j) = V(1);
  }
  return result;
}

/// Solves op(A) · X = B in the place of B.
template <class V>
void solve_with(const Dense<V>& lu, const std::vector<int>& pivots, cublasOperation_t op,
                Dense<V>& b) {
  const Dense<V> lower = triangle_of(lu, false);
  const Dense<V> upper = triangle_of(lu, true);
  if (op == CUBLAS_OP_N) {
    for (std::size_t k = 0; k < pivots.size(); ++k) {
      swap_rows(b, static_cast<std::int64_t>(k), pivots[k] - 1);
    }
    solve(lower, false, b);
    solve(upper, true, b);
    return;
  }
  solve(applied(op, upper), false, b);
  solve(applied(op, lower), true, b);
  for (std::size_t k = pivots.size(); k > 0; --k) {
    swap_rows(b, static_cast<std::int64_t>(k - 1), pivots[k - 1] - 1);
  }
}

template <class V>
Dense<V> identity(std::int64_t n) {
  Dense<V> result(n, n);
  for (std::int64_t k = 0; k < n; ++k) result(k, k) = V(1);
  return result;
}

VectorShape all(std::size_t size) { return {static_cast<std::int64_t>(size), 1}; }

void require_batch(int n, int count) {
  require_size("n", n);
  require_size("the number of matrices", count);
}

/// The pivots of all matrices; without an array of pivots, rows do not change places.
std::vector<int> read_pivots(Operation& on, const int* pivots, int n, int count) {
  const auto total = static_cast<std::size_t>(n) * static_cast<std::size_t>(count);
  if (pivots != nullptr) {
    auto read = on.read<int>("the pivots", pivots, all(total));
    // A wrong number must not lead out of the matrix.
    for (int& pivot : read) pivot = std::clamp(pivot, 1, n);
    return read;
  }
  std::vector<int> none(total);
  for (std::size_t k = 0; k < total; ++k)
    none[k] = static_cast<int>(k % static_cast<std::size_t>(n)) + 1;
  return none;
}
std::vector<int> pivots_of(const std::vector<int>& of_all, std::size_t matrix, int n) {
  const auto first = of_all.begin() + static_cast<std::ptrdiff_t>(matrix) * n;
  return {first, first + n};
}

template <class V>
cublasStatus_t getrf(const char* name, cublasHandle_t handle, int n, const void* a, int lda,
                     int* pivots, int* info, int count) {
  return make_call(name, handle, [&](const Call& call) {
    require_batch(n, count);
    const MatrixShape shape = full("lda", n, n, lda);
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      std::vector<int> chosen;
      std::vector<int> codes;
      for (void* const one : addresses(on, "the array of A", a, count)) {
        const Typed memory = operand<V>("A", one);
        const Factors<V> factors = factorize(read_matrix<V>(on, memory, shape), pivots != nullptr);
        write_matrix(on, memory, shape, factors.lu);
        chosen.insert(chosen.end(), factors.pivots.begin(), factors.pivots.end());
        codes.push_back(factors.info);
      }
      if (pivots != nullptr) on.write("the pivots", pivots, all(chosen.size()), chosen);
      on.write("info", info, all(codes.size()), codes);
    });
  });
}

template <class V>
cublasStatus_t getrs(const char* name, cublasHandle_t handle, cublasOperation_t op, int n,
                     int columns, const void* a, int lda, const int* pivots, const void* b, int ldb,
                     int* info, int count) {
  return make_call(name, handle, [&](const Call& call) {
    require(info != nullptr, "info is null");
    require_op(op);
    require_batch(n, count);
    require_size("nrhs", columns);
    const MatrixShape shape = full("lda", n, n, lda);
    const MatrixShape right = full("ldb", n, columns, ldb);
    call.write_to_host("info", info, 0);
    if (n == 0 || columns == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      const std::vector<int> chosen = read_pivots(on, pivots, n, count);
      const auto all_a = addresses(on, "the array of A", a, count);
      const auto all_b = addresses(on, "the array of B", b, count);
      for (std::size_t k = 0; k < all_a.size(); ++k) {
        const Typed memory = operand<V>("B", all_b[k]);
        Dense<V> values = read_matrix<V>(on, memory, right);
        solve_with(read_matrix<V>(on, operand<V>("A", all_a[k]), shape), pivots_of(chosen, k, n),
                   op, values);
        write_matrix(on, memory, right, values);
      }
    });
  });
}

/// Inverses: of factors with pivots, or of whole matrices.
struct Inversion {
  bool is_factorized = false;
  const int* pivots = nullptr;
};
template <class V>
cublasStatus_t invert(const char* name, cublasHandle_t handle, int n, const void* a, int lda,
                      const Inversion& how, const void* c, int ldc, int* info, int count) {
  return make_call(name, handle, [&](const Call& call) {
    constexpr int most = 32;  // of cublas…matinvBatched
    require(how.is_factorized || n <= most, "n is above 32");
    require_batch(n, count);
    const MatrixShape shape = full("lda", n, n, lda);
    const MatrixShape result = full("ldc", n, n, ldc);
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
    return call.perform([=](Operation& on) {
      std::vector<int> chosen;
      if (how.is_factorized) chosen = read_pivots(on, how.pivots, n, count);
      const auto from = addresses(on, "the array of A", a, count);
      const auto to = addresses(on, "the array of the inverses", c, count);
      std::vector<int> codes;
      for (std::size_t k = 0; k < from.size(); ++k) {
        Factors<V> factors{read_matrix<V>(on, operand<V>("A", from[k]), shape), {}, 0};
        if (how.is_factorized) {
          factors.pivots = pivots_of(chosen, k, n);
          for (std::int64_t j = n; j-- > 0;) {
            if (factors.lu(j, j) == V(0)) factors.info = static_cast<int>(j + 1);
          }
        } else {
          factors = factorize(std::move(factors.lu), true);
        }
        codes.push_back(factors.info);
        if (factors.info != 0) continue;  // it has no inverse
        Dense<V> inverse = identity<V>(n);
        solve_with(factors.lu, factors.pivots, CUBLAS_OP_N, inverse);
        write_matrix(on, operand<V>("the inverse", to[k]), result, inverse);
      }
      on.write("info", info, all(codes.size()), codes);
    });
  });
}

}  // namespace
}  // namespace bankproof::cuda::blas

using namespace bankproof::cuda::blas;

extern "C" {
// NOLINTBEGIN(bugprone-macro-parentheses): types, and parts of names.
#define M(L, T, R, V, E, I)                                                                       \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda,     \
                                         int* pivots, int* info, int count) {                     \
    return getrf<V>("cublas" #L "getrfBatched", handle, n, a, lda, pivots, info, count);          \
  }                                                                                               \
  cublasStatus_t cublas##L##getrsBatched(                                                         \
      cublasHandle_t handle, cublasOperation_t op, int n, int columns, const T* const a[],        \
      int lda, const int* pivots, T* const b[], int ldb, int* info, int count) {                  \
    return getrs<V>("cublas" #L "getrsBatched", handle, op, n, columns, a, lda, pivots, b, ldb,   \
                    info, count);                                                                 \
  }                                                                                               \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const a[],        \
                                         int lda, const int* pivots, T* const c[], int ldc,       \
                                         int* info, int count) {                                  \
    return invert<V>("cublas" #L "getriBatched", handle, n, a, lda, {true, pivots}, c, ldc, info, \
                     count);                                                                      \
  }                                                                                               \
  cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const a[],       \
                                          int lda, T* const inverse[], int ld_inverse, int* info, \
                                          int count) {                                            \
    return invert<V>("cublas" #L "matinvBatched", handle, n, a, lda, {}, inverse, ld_inverse,     \
                     info, count);                                                                \
  }
BLAS_EACH_SHORT(M)
#undef M
}
// NOLINTEND(bugprone-macro-parentheses)
