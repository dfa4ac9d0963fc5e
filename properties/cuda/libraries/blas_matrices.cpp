// Level 3 of cuBLAS, its additions and its small systems, against plain loops.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// A matrix with a leading dimension.
struct Matrix {
  int rows = 0, columns = 0, leading = 1;
  std::vector<Z> memory;

  Matrix(Draw& draw, int m, int n)
      : rows(m),
        columns(n),
        leading(std::max(1, m) + draw.below(3)),
        memory(draw.numbers<Z>(leading * std::max(1, n))) {}
  Z& operator()(int i, int j) { return memory[at(j * leading + i)]; }
  const Z& operator()(int i, int j) const { return memory[at(j * leading + i)]; }
};

bool is_in(cublasFillMode_t uplo, int i, int j) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? i <= j : i >= j;
}

/// The element of a matrix of which a triangle counts: symmetric, Hermitian or triangular.
struct Half {
  const Matrix& memory;
  cublasFillMode_t uplo;

  Z symmetric(int i, int j, bool hermitian) const {
    if (i == j) return hermitian ? Z(memory(i, j).real()) : memory(i, j);
    return is_in(uplo, i, j) ? memory(i, j) : conj_if(hermitian, memory(j, i));
  }
  Z triangular(int i, int j, cublasOperation_t op, cublasDiagType_t diag) const {
    if (i == j && diag == CUBLAS_DIAG_UNIT) return 1;
    if (op != CUBLAS_OP_N) std::swap(i, j);
    return is_in(uplo, i, j) ? conj_if(op == CUBLAS_OP_C, memory(i, j)) : Z(0);
  }
};

RC_GTEST_PROP(BlasMatrices, sides_multiply_and_are_solved, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int m = draw.below(6);
  const int n = draw.below(6);
  const auto side = draw.one_of({CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT});
  const auto uplo = draw.one_of({CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER});
  const auto op = draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C});
  const auto diag = draw.one_of({CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT});
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n;
  Matrix a(draw, size, size);
  for (int k = 0; k < size; ++k) a(k, k) = draw.one_of({Z(1), Z(-1), Z(0, -1)});
  const Matrix b(draw, m, n);
  Matrix c(draw, m, n);
  const bool hermitian = draw.flip();
  const Z alpha = draw.number<Z>();
  const Z beta = draw.number<Z>();
  const auto on_a = on_device(a.memory);
  const auto on_b = on_device(b.memory);
  auto on_c = on_device(c.memory);
  const auto* const pa = named(on_a.data());
  const auto* const pb = named(on_b.data());
  auto* const pc = named(on_c.data());
  const Half half{a, uplo};
  const auto product = [&](int i, int j, auto element_of_a) {
    Z sum = 0;
    for (int p = 0; p < size; ++p) {
      sum += left ? element_of_a(i, p) * b(p, j) : b(i, p) * element_of_a(p, j);
    }
    return sum;
  };
  RC_ASSERT((hermitian ? cublasZhemm : cublasZsymm)(blas, side, uplo, m, n, named(&alpha), pa,
                                                    a.leading, pb, b.leading, named(&beta), pc,
                                                    c.leading) == 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      const Z sum = product(i, j, [&](int x, int y) { return half.symmetric(x, y, hermitian); });
      c(i, j) = alpha * sum + beta * c(i, j);
    }
  }
  RC_ASSERT(on_c.values() == c.memory);
  const Z one = draw.one_of({Z(1), Z(-1), Z(0, 1)});
  RC_ASSERT(cublasZtrmm(blas, side, uplo, op, diag, m, n, named(&one), pa, a.leading, pb, b.leading,
                        pc, c.leading) == 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      c(i, j) = one * product(i, j, [&](int x, int y) { return half.triangular(x, y, op, diag); });
    }
  }
  RC_ASSERT(on_c.values() == c.memory);
  const Z back = Z(1) / one;
  RC_ASSERT(cublasZtrsm(blas, side, uplo, op, diag, m, n, named(&back), pa, a.leading, pc,
                        c.leading) == 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) c(i, j) = b(i, j);
  }
  RC_ASSERT(on_c.values() == c.memory);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasMatrices, products_with_transposes_fill_a_triangle, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int n = draw.below(6);
  const int k = draw.below(6);
  const bool hermitian = draw.flip();
  const auto uplo = draw.one_of({CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_LOWER});
  const bool plain = draw.flip();
  const auto op = plain ? CUBLAS_OP_N : hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const Matrix a(draw, plain ? n : k, plain ? k : n);
  const Matrix b(draw, plain ? n : k, plain ? k : n);
  Matrix c(draw, n, n);
  const Z alpha = draw.number<Z>();
  const double real = draw.between(-2, 2);
  const Z beta = hermitian ? Z(real) : draw.number<Z>();
  const auto on_a = on_device(a.memory);
  const auto on_b = on_device(b.memory);
  auto on_c = on_device(c.memory);
  const auto* const pa = named(on_a.data());
  const auto* const pb = named(on_b.data());
  auto* const pc = named(on_c.data());
  const auto sum_of = [&](const Matrix& left, const Matrix& right, int i, int j) {
    Z sum = 0;
    for (int p = 0; p < k; ++p) {
      sum += element(left.memory, left.leading, op, i, p) *
             conj_if(hermitian, element(right.memory, right.leading, op, j, p));
    }
    return sum;
  };
  const auto expect = [&](Z first, Z second, auto added) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (!is_in(uplo, i, j)) continue;
        c(i, j) = first * added(i, j) + second * c(i, j);
        const bool touched = first * Z(k) != Z(0) || second != Z(1);
        if (hermitian && i == j && touched) c(i, j) = c(i, j).real();
      }
    }
    RC_ASSERT(on_c.values() == c.memory);
  };
  const auto rank_k = [&] {
    if (hermitian)
      return cublasZherk(blas, uplo, op, n, k, &real, pa, a.leading, &real, pc, c.leading);
    return cublasZsyrk(blas, uplo, op, n, k, named(&alpha), pa, a.leading, named(&beta), pc,
                       c.leading);
  };
  RC_ASSERT(rank_k() == 0);
  expect(hermitian ? Z(real) : alpha, beta, [&](int i, int j) { return sum_of(a, a, i, j); });
  const auto rank_2k = [&] {
    if (hermitian)
      return cublasZher2k(blas, uplo, op, n, k, named(&alpha), pa, a.leading, pb, b.leading, &real,
                          pc, c.leading);
    return cublasZsyr2k(blas, uplo, op, n, k, named(&alpha), pa, a.leading, pb, b.leading,
                        named(&beta), pc, c.leading);
  };
  RC_ASSERT(rank_2k() == 0);
  expect(alpha == Z(0) ? Z(0) : Z(1), beta, [&](int i, int j) {
    return alpha * sum_of(a, b, i, j) + conj_if(hermitian, alpha) * sum_of(b, a, i, j);
  });
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasMatrices, sums_and_diagonals_are_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  const Blas blas;
  const int m = draw.between(1, 6);
  const int n = draw.between(1, 6);
  const auto op = draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C});
  const Matrix a(draw, op == CUBLAS_OP_N ? m : n, op == CUBLAS_OP_N ? n : m);
  const Matrix b(draw, m, n);
  Matrix c(draw, m, n);
  const Z alpha = draw.number<Z>();
  const Z beta = draw.number<Z>();
  const auto on_a = on_device(a.memory);
  const auto on_b = on_device(b.memory);
  auto on_c = on_device(c.memory);
  RC_ASSERT(cublasZgeam(blas, op, CUBLAS_OP_N, m, n, named(&alpha), named(on_a.data()), a.leading,
                        named(&beta), named(on_b.data()), b.leading, named(on_c.data()),
                        c.leading) == 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      c(i, j) = alpha * element(a.memory, a.leading, op, i, j) + beta * b(i, j);
    }
  }
  RC_ASSERT(on_c.values() == c.memory);
  const bool left = draw.flip();
  const auto x = draw.numbers<Z>(6);
  const auto on_x = on_device(x);
  RC_ASSERT(cublasZdgmm(blas, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, m, n, named(on_b.data()),
                        b.leading, named(on_x.data()), 1, named(on_c.data()), c.leading) == 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) c(i, j) = b(i, j) * x[at(left ? i : j)];
  }
  RC_ASSERT(on_c.values() == c.memory);
}

TEST(BlasMatrices, batches_are_factorized_solved_and_inverted) {
  const Blas blas;
  const std::vector<double> first = {0, 2, 1, 1, 1, 0, 2, 0, 3};  // needs pivots
  const std::vector<double> second = {4, 1, 0, 2, 5, 1, 0, 3, 6};
  std::vector<double> both = first;
  both.insert(both.end(), second.begin(), second.end());
  auto matrices = on_device(both);
  auto a = on_device(std::vector<double*>{matrices.data(), matrices.data() + 9});
  DeviceArray<double> inverses(18);
  auto c = on_device(std::vector<double*>{inverses.data(), inverses.data() + 9});
  DeviceArray<int> pivots(6);
  DeviceArray<int> info(2);
  const auto expect_inverses = [&] {
    const auto found = inverses.values();
    for (std::size_t k = 0; k < 2; ++k) {
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          double sum = 0;
          for (std::size_t p = 0; p < 3; ++p)
            sum += both[9 * k + 3 * p + i] * found[9 * k + 3 * j + p];
          EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12);
        }
      }
    }
    EXPECT_EQ(info.values(), std::vector<int>(2));
  };
  EXPECT_EQ(cublasDmatinvBatched(blas, 3, a.data(), 3, c.data(), 3, info.data(), 2), 0);
  expect_inverses();
  EXPECT_EQ(cublasDgetrfBatched(blas, 3, a.data(), 3, pivots.data(), info.data(), 2), 0);
  EXPECT_EQ(cublasDgetriBatched(blas, 3, a.data(), 3, pivots.data(), c.data(), 3, info.data(), 2),
            0);
  expect_inverses();
  for (const auto op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    auto right = on_device(std::vector<double>{1, 2, 3, 4, 5, 6});
    auto b = on_device(std::vector<double*>{right.data(), right.data() + 3});
    int code = -1;
    EXPECT_EQ(
        cublasDgetrsBatched(blas, op, 3, 1, a.data(), 3, pivots.data(), b.data(), 3, &code, 2), 0);
    EXPECT_EQ(code, 0);
    const auto x = right.values();
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < 3; ++i) {
        double sum = 0;
        for (int p = 0; p < 3; ++p) {
          sum += both[at(9 * k + (op == CUBLAS_OP_N ? 3 * p + i : 3 * i + p))] * x[at(3 * k + p)];
        }
        EXPECT_NEAR(sum, 3 * k + i + 1, 1e-12);
      }
    }
  }
  matrices.set(std::vector<double>(18, 1.0));  // has no inverse
  EXPECT_EQ(cublasDgetrfBatched(blas, 3, a.data(), 3, pivots.data(), info.data(), 2), 0);
  EXPECT_EQ(info.values(), (std::vector<int>{2, 2}));
  EXPECT_TRUE(take_findings().empty());
}

}  // namespace
}  // namespace bankproof::cuda::tests
