// cuSPARSE's products against plain loops over a dense matrix, in every format, and what the
// machine finds in them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sparse_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::HasSubstr;

cusparseStatus_t multiply(const Sparse& sparse, const SparseMatrix& a, cusparseOperation_t op,
                          const double* alpha, DeviceArray<double>& x, const double* beta,
                          DeviceArray<double>& y) {
  cusparseDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  EXPECT_EQ(cusparseCreateDnVec(&from, static_cast<std::int64_t>(x.size()), x.data(), CUDA_R_64F),
            0);
  EXPECT_EQ(cusparseCreateDnVec(&to, static_cast<std::int64_t>(y.size()), y.data(), CUDA_R_64F), 0);
  std::size_t bytes = 0;
  const auto sized = cusparseSpMV_bufferSize(sparse, op, alpha, a.descriptor, from, beta, to,
                                             CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  const auto status = cusparseSpMV(sparse, op, alpha, a.descriptor, from, beta, to, CUDA_R_64F,
                                   CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  if (sized != CUSPARSE_STATUS_SUCCESS) {
    EXPECT_EQ(sized, status);
  }
  EXPECT_EQ(cusparseDestroyDnVec(from), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyDnVec(to), CUSPARSE_STATUS_SUCCESS);
  return status;
}

RC_GTEST_PROP(SparseProducts, are_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  const Sparse sparse;
  const auto format = draw.one_of({CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO});
  const SparseMatrix a(draw, draw.between(1, 6), draw.between(1, 6), format, draw.below(2));
  const bool transposes = draw.flip();
  const auto op = transposes ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int m = transposes ? a.columns : a.rows;
  const int k = transposes ? a.rows : a.columns;
  const auto x = draw.numbers<double>(k);
  auto y = draw.numbers<double>(m);
  const auto alpha = draw.number<double>();
  const auto beta = draw.number<double>();
  auto on_x = on_device(x);
  auto on_y = on_device(y);
  RC_ASSERT(multiply(sparse, a, op, &alpha, on_x, &beta, on_y) == CUSPARSE_STATUS_SUCCESS);
  for (int i = 0; i < m; ++i) {
    double sum = 0;
    for (int j = 0; j < k; ++j) sum += a.element(transposes, i, j) * x[at(j)];
    y[at(i)] = alpha * sum + beta * y[at(i)];
  }
  RC_ASSERT(on_y.values() == y);
  // A dense matrix, by rows or by columns.
  const int n = draw.between(1, 4);
  const bool by_rows = draw.flip();
  const int ldb = (by_rows ? n : k) + draw.below(2);
  const int ldc = (by_rows ? n : m) + draw.below(2);
  const auto b = draw.numbers<double>(ldb * (by_rows ? k : n));
  auto c = draw.numbers<double>(ldc * (by_rows ? m : n));
  auto on_b = on_device(b);
  auto on_c = on_device(c);
  const auto order = by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
  cusparseDnMatDescr_t from = nullptr;
  cusparseDnMatDescr_t to = nullptr;
  RC_ASSERT(cusparseCreateDnMat(&from, k, n, ldb, on_b.data(), CUDA_R_64F, order) == 0);
  RC_ASSERT(cusparseCreateDnMat(&to, m, n, ldc, on_c.data(), CUDA_R_64F, order) == 0);
  RC_ASSERT(cusparseSpMM(sparse, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a.descriptor, from,
                         &beta, to, CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr) == 0);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int p = 0; p < k; ++p) {
        sum += a.element(transposes, i, p) * b[at(by_rows ? p * ldb + j : j * ldb + p)];
      }
      double& one = c[at(by_rows ? i * ldc + j : j * ldc + i)];
      one = alpha * sum + beta * one;
    }
  }
  RC_ASSERT(on_c.values() == c);
  RC_ASSERT(cusparseDestroyDnMat(from) == 0);
  RC_ASSERT(cusparseDestroyDnMat(to) == 0);
  RC_ASSERT(take_findings().empty());
}

TEST(SparseChecks, finds_wrong_indices_and_operands) {
  take_findings();
  Draw draw(5);
  const Sparse sparse;
  SparseMatrix a(draw, 3, 3, CUSPARSE_FORMAT_CSR, 0);
  const double one = 1;
  const double zero = 0;
  const auto call = [&](DeviceArray<double>& x, DeviceArray<double>& y) {
    return multiply(sparse, a, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, x, &zero, y);
  };
  auto x = on_device(std::vector<double>(3, 1.0));
  DeviceArray<double> y(3);
  EXPECT_EQ(call(x, y), CUSPARSE_STATUS_SUCCESS);
  EXPECT_TRUE(take_findings().empty());
  const auto good = a.indices.values();
  auto wrong = good;
  wrong.back() = 3;
  a.indices.set(wrong);
  EXPECT_EQ(call(x, y), CUSPARSE_STATUS_EXECUTION_FAILED);
  auto found = take_findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ptx::FaultKind::out_of_bounds);
  EXPECT_THAT(found[0].message, HasSubstr("the index 3 leads out of the matrix"));
  a.indices.set(good);
  // Only elements that the indices name are read.
  a.indices.set(std::vector<int>(good.size(), 1));
  DeviceArray<double> part(3);
  EXPECT_EQ(cudaMemset(part.data() + 1, 0, 8), cudaSuccess);
  EXPECT_EQ(call(part, y), CUSPARSE_STATUS_SUCCESS);
  EXPECT_TRUE(take_findings().empty());
  a.indices.set(std::vector<int>(good.size(), 2));
  EXPECT_EQ(call(part, y), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::uninitialized});
  DeviceArray<double> other(4);
  EXPECT_EQ(call(x, other), CUSPARSE_STATUS_INVALID_VALUE);
  cusparseSpMatDescr_t matrix = nullptr;
  EXPECT_EQ(cusparseCreateCsr(&matrix, -1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroySpMat(nullptr), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSetStream(nullptr, nullptr), CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT_TRUE(take_findings().empty());
  cudaGetLastError();
}

TEST(SparseChecks, descriptors_keep_what_is_set) {
  cusparseMatDescr_t descriptor = nullptr;
  EXPECT_EQ(cusparseCreateMatDescr(&descriptor), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseGetMatIndexBase(descriptor), CUSPARSE_INDEX_BASE_ZERO);
  EXPECT_EQ(cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ONE), 0);
  EXPECT_EQ(cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_TRIANGULAR), 0);
  EXPECT_EQ(cusparseGetMatIndexBase(descriptor), CUSPARSE_INDEX_BASE_ONE);
  EXPECT_EQ(cusparseGetMatType(descriptor), CUSPARSE_MATRIX_TYPE_TRIANGULAR);
  EXPECT_EQ(cusparseDestroyMatDescr(descriptor), CUSPARSE_STATUS_SUCCESS);
  EXPECT_EQ(cusparseDestroyMatDescr(descriptor), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_GENERAL),
            CUSPARSE_STATUS_INVALID_VALUE);
}

}  // namespace
}  // namespace bankproof::cuda::tests
