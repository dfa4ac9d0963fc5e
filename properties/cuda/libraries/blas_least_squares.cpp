// cuBLAS's QR factors and least squares: the factors are multiplied out, and what a solution leaves
// is orthogonal to the matrix.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// The functions of a type.
template <class V>
struct LeastSquares;
#define LEAST_SQUARES(V, L)                                \
  template <>                                              \
  struct LeastSquares<V> {                                 \
    static constexpr auto geqrf = cublas##L##geqrfBatched; \
    static constexpr auto gels = cublas##L##gelsBatched;   \
  };
LEAST_SQUARES(float, S)
LEAST_SQUARES(double, D)
LEAST_SQUARES(std::complex<float>, C)
LEAST_SQUARES(std::complex<double>, Z)
#undef LEAST_SQUARES

/// Matrices of a batch, and the array of their addresses.
template <class V>
struct LeastSquaresBatch {
  std::vector<std::vector<V>> before;
  std::vector<DeviceArray<V>> memory;
  DeviceArray<typename Named<V>::Type*> addresses{};

  LeastSquaresBatch(Draw& draw, int count, int elements) {
    std::vector<typename Named<V>::Type*> all;
    for (int k = 0; k < count; ++k) {
      before.push_back(draw.numbers<V>(elements));
      memory.push_back(on_device(before.back()));
      all.push_back(named(memory.back().data()));
    }
    addresses = on_device(all);
  }
};

/// Q · R, where the columns of `factors` hold R and the reflections.
template <class V>
std::vector<Number> multiplied(const std::vector<V>& factors, const std::vector<V>& tau, int m,
                               int n, int lda) {
  std::vector<Number> result(at(m * n));
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= std::min(j, m - 1); ++i) {
      result[at(j * m + i)] = Number(factors[at(j * lda + i)]);
    }
    for (int k = static_cast<int>(tau.size()); k-- > 0;) {
      const auto v = [&](int i) { return i == k ? Number(1) : Number(factors[at(k * lda + i)]); };
      Number sum = 0;
      for (int i = k; i < m; ++i) sum += std::conj(v(i)) * result[at(j * m + i)];
      for (int i = k; i < m; ++i) result[at(j * m + i)] -= Number(tau[at(k)]) * v(i) * sum;
    }
  }
  return result;
}

template <class V>
void check_qr_factors(Draw& draw) {
  const Blas blas;
  const int m = draw.between(1, 6);
  const int n = draw.between(1, 6);
  const int lda = m + draw.below(2);
  const int count = draw.between(1, 3);
  const int least = std::min(m, n);
  LeastSquaresBatch<V> a(draw, count, lda * n);
  LeastSquaresBatch<V> tau(draw, count, least);
  int info = 7;
  RC_ASSERT(LeastSquares<V>::geqrf(blas, m, n, a.addresses.data(), lda, tau.addresses.data(), &info,
                                   count) == CUBLAS_STATUS_SUCCESS);
  RC_ASSERT(info == 0);
  for (int b = 0; b < count; ++b) {
    const auto factors = a.memory[at(b)].values();
    const auto of_tau = tau.memory[at(b)].values();
    const auto product = multiplied(factors, of_tau, m, n, lda);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < lda; ++i) {
        const Number wanted(a.before[at(b)][at(j * lda + i)]);
        const Number found = i < m ? product[at(j * m + i)] : Number(factors[at(j * lda + i)]);
        RC_ASSERT(std::abs(found - wanted) < 1e-3);
      }
    }
    // Each factor 1 − τ v vᴴ keeps lengths: |τ|² · |v|² = 2 · re(τ).
    for (int k = 0; k < least; ++k) {
      double square = 1;
      for (int i = k + 1; i < m; ++i) square += std::norm(Number(factors[at(k * lda + i)]));
      const Number t(of_tau[at(k)]);
      RC_ASSERT(std::abs(std::norm(t) * square - 2 * t.real()) < 1e-3);
    }
  }
  RC_ASSERT(take_findings().empty());
}

template <class V>
void check_least_squares(Draw& draw) {
  const Blas blas;
  const int n = draw.between(1, 4);
  const int m = n + draw.below(4);
  const int columns = draw.between(1, 3);
  const int ldc = m + draw.below(2);
  const int count = draw.between(1, 2);
  LeastSquaresBatch<V> a(draw, count, m * n);
  // A diagonal that is much larger than the rest, so that the columns are far from each other.
  for (int b = 0; b < count; ++b) {
    for (int k = 0; k < n; ++k) a.before[at(b)][at(k * m + k)] = V(20);
    a.memory[at(b)].set(a.before[at(b)]);
  }
  LeastSquaresBatch<V> c(draw, count, ldc * columns);
  DeviceArray<int> codes(at(count));
  int info = 7;
  RC_ASSERT(LeastSquares<V>::gels(blas, CUBLAS_OP_N, m, n, columns, a.addresses.data(), m,
                                  c.addresses.data(), ldc, &info, codes.data(),
                                  count) == CUBLAS_STATUS_SUCCESS);
  RC_ASSERT(info == 0);
  RC_ASSERT(codes.values() == std::vector<int>(at(count)));
  for (int b = 0; b < count; ++b) {
    const auto x = c.memory[at(b)].values();
    const auto& matrix = a.before[at(b)];
    for (int column = 0; column < columns; ++column) {
      std::vector<Number> left;
      double square = 0;
      for (int i = 0; i < m; ++i) {
        Number sum(c.before[at(b)][at(column * ldc + i)]);
        for (int j = 0; j < n; ++j) {
          sum -= Number(matrix[at(j * m + i)]) * Number(x[at(column * ldc + j)]);
        }
        left.push_back(sum);
        square += std::norm(sum);
      }
      for (int j = 0; j < n; ++j) {
        Number product = 0;
        for (int i = 0; i < m; ++i)
          product += std::conj(Number(matrix[at(j * m + i)])) * left[at(i)];
        RC_ASSERT(std::abs(product) < 1e-2);
      }
      // The rows behind the solution have the length of what is left.
      for (int i = n; i < m; ++i) square -= std::norm(Number(x[at(column * ldc + i)]));
      RC_ASSERT(std::abs(square) < 1e-2);
    }
  }
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasLeastSquares, factors_multiplied_give_the_matrix, (unsigned seed)) {
  Draw draw(seed);
  check_qr_factors<float>(draw);
  check_qr_factors<double>(draw);
  check_qr_factors<std::complex<float>>(draw);
  check_qr_factors<std::complex<double>>(draw);
}

RC_GTEST_PROP(BlasLeastSquares, what_a_solution_leaves_is_orthogonal, (unsigned seed)) {
  Draw draw(seed);
  check_least_squares<float>(draw);
  check_least_squares<double>(draw);
  check_least_squares<std::complex<float>>(draw);
  check_least_squares<std::complex<double>>(draw);
}

TEST(BlasLeastSquares, say_what_is_wrong) {
  take_findings();
  Draw draw(1);
  const Blas blas;
  LeastSquaresBatch<double> a(draw, 1, 4);
  LeastSquaresBatch<double> c(draw, 1, 2);
  DeviceArray<int> codes(1);
  int info = 0;
  const auto solve = [&](cublasOperation_t op, int m, int n, int lda, int* place) {
    return cublasDgelsBatched(blas, op, m, n, 1, a.addresses.data(), lda, c.addresses.data(), 2,
                              place, codes.data(), 1);
  };
  EXPECT_EQ(solve(CUBLAS_OP_T, 2, 2, 2, &info), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(solve(CUBLAS_OP_N, 1, 2, 2, &info), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(solve(CUBLAS_OP_N, 2, 2, 1, &info), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(info, -6);
  EXPECT_EQ(solve(CUBLAS_OP_N, 2, 2, 2, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  // The second column is twice the first.
  a.memory[0].set(std::vector<double>{0, 1, 0, 2});
  EXPECT_EQ(solve(CUBLAS_OP_N, 2, 2, 2, &info), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(info, 0);
  EXPECT_EQ(codes.values(), std::vector{2});
  EXPECT_EQ(c.memory[0].values(), c.before[0]);
  EXPECT_TRUE(take_findings().empty());
  EXPECT_EQ(cublasDgelsBatched(blas, CUBLAS_OP_N, 2, 2, 2, a.addresses.data(), 2,
                               c.addresses.data(), 2, &info, codes.data(), 1),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  EXPECT_EQ(cublasDgeqrfBatched(blas, -1, 2, a.addresses.data(), 2, c.addresses.data(), &info, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(info, -1);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
