// cuSPARSE's triangular systems and incomplete factors: what they give is multiplied out by plain
// loops over dense matrices.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "sparse_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::HasSubstr;

constexpr auto default_vector = CUSPARSE_SPSV_ALG_DEFAULT;
constexpr auto default_matrix = CUSPARSE_SPSM_ALG_DEFAULT;

/// A square matrix whose diagonal is ±1, ±2, so that solutions are exact.
std::vector<double> with_easy_diagonal(Draw& draw, int n) {
  auto elements = SparseMatrix::some_elements(draw, n * n);
  for (int i = 0; i < n; ++i) elements[at(i * n + i)] = draw.one_of({1.0, -1.0, 2.0, -2.0});
  return elements;
}

template <class T>
void set_attribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, T value) {
  EXPECT_EQ(cusparseSpMatSetAttribute(matrix, attribute, &value, sizeof value), 0);
  T kept{};
  EXPECT_EQ(cusparseSpMatGetAttribute(matrix, attribute, &kept, sizeof kept), 0);
  EXPECT_EQ(kept, value);
}

/// The element of op(A) where A is the triangle that the attributes say.
struct SparseTriangle {
  std::vector<double> dense;
  int n;
  bool is_lower, is_unit, transposes;
  double operator()(int i, int j) const {
    if (transposes) std::swap(i, j);
    if (i == j) return is_unit ? 1 : dense[at(i * n + i)];
    return is_lower == (j < i) ? dense[at(i * n + j)] : 0;
  }
};

RC_GTEST_PROP(SparseSystems, solutions_multiplied_give_the_right_sides, (unsigned seed)) {
  Draw draw(seed);
  const Sparse sparse;
  const int n = draw.between(1, 6);
  SparseTriangle triangle{with_easy_diagonal(draw, n), n, draw.flip(), draw.flip(), draw.flip()};
  const auto format = draw.one_of({CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_COO});
  const SparseMatrix a(triangle.dense, n, n, format, draw.below(2));
  set_attribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE,
                triangle.is_lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER);
  set_attribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE,
                triangle.is_unit ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT);
  const auto op =
      triangle.transposes
          ? draw.one_of({CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE})
          : CUSPARSE_OPERATION_NON_TRANSPOSE;
  const double alpha = draw.between(1, 3);
  DeviceArray<double> buffer(1);
  // For a vector.
  const auto right = draw.numbers<double>(n);
  auto on_x = on_device(right);
  DeviceArray<double> on_y(at(n));
  cusparseDnVecDescr_t x = nullptr;
  cusparseDnVecDescr_t y = nullptr;
  RC_ASSERT(cusparseCreateDnVec(&x, n, on_x.data(), CUDA_R_64F) == 0);
  RC_ASSERT(cusparseCreateDnVec(&y, n, on_y.data(), CUDA_R_64F) == 0);
  cusparseSpSVDescr_t one = nullptr;
  std::size_t bytes = 0;
  RC_ASSERT(cusparseSpSV_createDescr(&one) == 0);
  RC_ASSERT(cusparseSpSV_bufferSize(sparse, op, &alpha, a.descriptor, x, y, CUDA_R_64F,
                                    default_vector, one, &bytes) == 0);
  RC_ASSERT(bytes <= sizeof(double));
  RC_ASSERT(cusparseSpSV_analysis(sparse, op, &alpha, a.descriptor, x, y, CUDA_R_64F,
                                  default_vector, one, buffer.data()) == 0);
  const auto check_vector = [&] {
    RC_ASSERT(cusparseSpSV_solve(sparse, op, &alpha, a.descriptor, x, y, CUDA_R_64F, default_vector,
                                 one) == 0);
    const auto solution = on_y.values();
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int j = 0; j < n; ++j) sum += triangle(i, j) * solution[at(j)];
      RC_ASSERT(sum == alpha * right[at(i)]);
    }
  };
  check_vector();
  // New values: of the diagonal, and of all.
  const std::vector<double> diagonal(at(n), -4.0);
  auto on_diagonal = on_device(diagonal);
  RC_ASSERT(cusparseSpSV_updateMatrix(sparse, one, on_diagonal.data(),
                                      CUSPARSE_SPSV_UPDATE_DIAGONAL) == 0);
  const SparseTriangle before = triangle;
  for (int i = 0; i < n; ++i) triangle.dense[at(i * n + i)] = -4;
  check_vector();
  auto doubled = a.values.values();
  for (double& value : doubled) value *= 2;
  auto on_doubled = on_device(doubled);
  RC_ASSERT(
      cusparseSpSV_updateMatrix(sparse, one, on_doubled.data(), CUSPARSE_SPSV_UPDATE_GENERAL) == 0);
  triangle = before;
  for (double& value : triangle.dense) value *= 2;
  check_vector();
  triangle = before;
  RC_ASSERT(cusparseSpSV_destroyDescr(one) == 0);
  RC_ASSERT(cusparseDestroyDnVec(x) == 0);
  RC_ASSERT(cusparseDestroyDnVec(y) == 0);
  // For a dense matrix.
  const int width = draw.between(1, 4);
  const bool turns = draw.flip();  // B
  const int ldb = (turns ? width : n) + draw.below(2);
  const auto sides = draw.numbers<double>(ldb * (turns ? n : width));
  auto on_b = on_device(sides);
  DeviceArray<double> on_c(at(n * width));
  cusparseDnMatDescr_t b = nullptr;
  cusparseDnMatDescr_t c = nullptr;
  RC_ASSERT(cusparseCreateDnMat(&b, turns ? width : n, turns ? n : width, ldb, on_b.data(),
                                CUDA_R_64F, CUSPARSE_ORDER_COL) == 0);
  RC_ASSERT(cusparseCreateDnMat(&c, n, width, width, on_c.data(), CUDA_R_64F, CUSPARSE_ORDER_ROW) ==
            0);
  const auto op_b = turns ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseSpSMDescr_t many = nullptr;
  RC_ASSERT(cusparseSpSM_createDescr(&many) == 0);
  RC_ASSERT(cusparseSpSM_bufferSize(sparse, op, op_b, &alpha, a.descriptor, b, c, CUDA_R_64F,
                                    default_matrix, many, &bytes) == 0);
  RC_ASSERT(cusparseSpSM_analysis(sparse, op, op_b, &alpha, a.descriptor, b, c, CUDA_R_64F,
                                  default_matrix, many, buffer.data()) == 0);
  RC_ASSERT(cusparseSpSM_solve(sparse, op, op_b, &alpha, a.descriptor, b, c, CUDA_R_64F,
                               default_matrix, many) == 0);
  const auto solved = on_c.values();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < width; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += triangle(i, k) * solved[at(k * width + j)];
      RC_ASSERT(sum == alpha * sides[at(turns ? i * ldb + j : j * ldb + i)]);
    }
  }
  RC_ASSERT(cusparseSpSM_destroyDescr(many) == 0);
  RC_ASSERT(cusparseDestroyDnMat(b) == 0);
  RC_ASSERT(cusparseDestroyDnMat(c) == 0);
  RC_ASSERT(take_findings().empty());
}

/// The functions of a type.
template <class V>
struct Incomplete;
#define INCOMPLETE(V, L)                                                 \
  template <>                                                            \
  struct Incomplete<V> {                                                 \
    static constexpr auto lu_size = cusparse##L##csrilu02_bufferSize;    \
    static constexpr auto lu_analysis = cusparse##L##csrilu02_analysis;  \
    static constexpr auto lu = cusparse##L##csrilu02;                    \
    static constexpr auto root_size = cusparse##L##csric02_bufferSize;   \
    static constexpr auto root_analysis = cusparse##L##csric02_analysis; \
    static constexpr auto root = cusparse##L##csric02;                   \
  };
INCOMPLETE(float, S)
INCOMPLETE(double, D)
INCOMPLETE(std::complex<float>, C)
INCOMPLETE(std::complex<double>, Z)
#undef INCOMPLETE

constexpr auto policy = CUSPARSE_SOLVE_POLICY_USE_LEVEL;

/// A Hermitian matrix that its diagonal dominates, in CSR, and the same as a dense one.
template <class V>
struct Hermitian {
  int n;
  std::vector<Number> dense;
  std::vector<bool> is_stored;
  std::vector<int> offsets{0}, indices;
  std::vector<V> values;

  Hermitian(Draw& draw, int size) : n(size), dense(at(n * n)), is_stored(at(n * n)) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j) {
        if (i != j && draw.flip()) continue;
        const Number x = i == j ? Number(8.0 * n) : Number(as<V>({2.0, double(draw.below(3))}));
        dense[at(i * n + j)] = x;
        dense[at(j * n + i)] = std::conj(x);
        is_stored[at(i * n + j)] = is_stored[at(j * n + i)] = true;
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (!is_stored[at(i * n + j)]) continue;
        indices.push_back(j);
        values.push_back(as<V>(dense[at(i * n + j)]));
      }
      offsets.push_back(static_cast<int>(indices.size()));
    }
  }
  int count() const { return static_cast<int>(values.size()); }
  std::vector<Number> placed(const std::vector<V>& stored) const {
    std::vector<Number> all(at(n * n));
    for (int i = 0; i < n; ++i) {
      for (int k = offsets[at(i)]; k < offsets[at(i + 1)]; ++k) {
        all[at(i * n + indices[at(k)])] = Number(stored[at(k)]);
      }
    }
    return all;
  }
};

struct Described {
  cusparseMatDescr_t matrix = nullptr;
  csrilu02Info_t lu = nullptr;
  csric02Info_t root = nullptr;
  Described() {
    EXPECT_EQ(cusparseCreateMatDescr(&matrix), 0);
    EXPECT_EQ(cusparseCreateCsrilu02Info(&lu), 0);
    EXPECT_EQ(cusparseCreateCsric02Info(&root), 0);
  }
  ~Described() {
    EXPECT_EQ(cusparseDestroyMatDescr(matrix), 0);
    EXPECT_EQ(cusparseDestroyCsrilu02Info(lu), 0);
    EXPECT_EQ(cusparseDestroyCsric02Info(root), 0);
  }
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;
};

/// The error that a sum of some products of numbers up to 60 may have.
template <class V>
constexpr double rounding =
    std::is_same_v<V, float> || std::is_same_v<V, std::complex<float>> ? 1e-4 : 1e-12;

template <class V>
void check_factors(Draw& draw) {
  using Of = Incomplete<V>;
  const Sparse sparse;
  const Described described;
  const Hermitian<V> a(draw, draw.between(1, 7));
  const int n = a.n;
  const auto offsets = on_device(a.offsets);
  const auto indices = on_device(a.indices);
  auto lu = on_device(a.values);
  auto root = on_device(a.values);
  DeviceArray<double> buffer(1);
  int bytes = 0;
  int position = 0;
  RC_ASSERT(Of::lu_size(sparse, n, a.count(), described.matrix, named(lu.data()), offsets.data(),
                        indices.data(), described.lu, &bytes) == 0);
  RC_ASSERT(bytes <= 8);
  RC_ASSERT(Of::lu_analysis(sparse, n, a.count(), described.matrix, named(lu.data()),
                            offsets.data(), indices.data(), described.lu, policy,
                            buffer.data()) == 0);
  RC_ASSERT(Of::lu(sparse, n, a.count(), described.matrix, named(lu.data()), offsets.data(),
                   indices.data(), described.lu, policy, buffer.data()) == 0);
  RC_ASSERT(cusparseXcsrilu02_zeroPivot(sparse, described.lu, &position) == 0);
  RC_ASSERT(position == -1);
  RC_ASSERT(Of::root_size(sparse, n, a.count(), described.matrix, named(root.data()),
                          offsets.data(), indices.data(), described.root, &bytes) == 0);
  RC_ASSERT(Of::root_analysis(sparse, n, a.count(), described.matrix, named(root.data()),
                              offsets.data(), indices.data(), described.root, policy,
                              buffer.data()) == 0);
  RC_ASSERT(Of::root(sparse, n, a.count(), described.matrix, named(root.data()), offsets.data(),
                     indices.data(), described.root, policy, buffer.data()) == 0);
  RC_ASSERT(cusparseXcsric02_zeroPivot(sparse, described.root, &position) == 0);
  const auto factors = a.placed(lu.values());
  const auto lower = a.placed(root.values());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const std::size_t here = at(i * n + j);
      if (!a.is_stored[here]) continue;
      // The product of the factors has the matrix's elements where it stores any.
      Number product = j < i ? 0 : factors[here];
      for (int k = 0; k < std::min(i, j + 1); ++k) {
        product += factors[at(i * n + k)] * factors[at(k * n + j)];
      }
      RC_ASSERT(std::abs(product - a.dense[here]) < rounding<V>);
      Number square = 0;
      for (int k = 0; k <= j; ++k) square += lower[at(i * n + k)] * std::conj(lower[at(j * n + k)]);
      // The elements above the diagonal stay.
      RC_ASSERT(std::abs((j <= i ? square : lower[here]) - a.dense[here]) < rounding<V>);
    }
  }
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(SparseFactors, multiplied_give_the_matrix_where_it_is_stored, (unsigned seed)) {
  Draw draw(seed);
  check_factors<float>(draw);
  check_factors<double>(draw);
  check_factors<std::complex<float>>(draw);
  check_factors<std::complex<double>>(draw);
}

TEST(SparseFactors, say_which_pivot_is_zero) {
  take_findings();
  const Sparse sparse;
  const Described described;
  // [1 2; 2 4] has no second pivot, and [1 2; 2 .] stores none.
  const auto offsets = on_device(std::vector<int>{0, 2, 4});
  auto indices = on_device(std::vector<int>{0, 1, 0, 1});
  auto values = on_device(std::vector<double>{1, 2, 2, 4});
  DeviceArray<double> buffer(32);
  const auto lu = [&](int count, double* scratch) {
    return cusparseDcsrilu02(sparse, 2, count, described.matrix, values.data(), offsets.data(),
                             indices.data(), described.lu, policy, scratch);
  };
  const auto analyze = [&] {
    return cusparseDcsrilu02_analysis(sparse, 2, 4, described.matrix, values.data(), offsets.data(),
                                      indices.data(), described.lu, policy, buffer.data());
  };
  int position = 7;
  EXPECT_EQ(lu(4, buffer.data()), CUSPARSE_STATUS_INVALID_VALUE);  // before the analysis
  EXPECT_EQ(analyze(), 0);
  EXPECT_EQ(cusparseXcsrilu02_zeroPivot(sparse, described.lu, &position), 0);
  EXPECT_EQ(position, -1);
  EXPECT_EQ(lu(3, buffer.data()), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(lu(4, buffer.data() + 1), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(lu(4, buffer.data()), 0);
  EXPECT_EQ(cusparseXcsrilu02_zeroPivot(sparse, described.lu, &position),
            CUSPARSE_STATUS_ZERO_PIVOT);
  EXPECT_EQ(position, 1);
  // A boost takes its place.
  double least = 0.5;
  double boost = 3;
  EXPECT_EQ(cusparseDcsrilu02_numericBoost(sparse, described.lu, 1, &least, &boost), 0);
  values.set(std::vector<double>{1, 2, 2, 4});
  EXPECT_EQ(lu(4, buffer.data()), 0);
  EXPECT_EQ(cusparseXcsrilu02_zeroPivot(sparse, described.lu, &position), 0);
  EXPECT_EQ(values.values(), (std::vector<double>{1, 2, 2, 3}));
  EXPECT_TRUE(take_findings().empty());
  // Indices that do not grow, and a matrix that is not a general one.
  indices.set(std::vector<int>{0, 1, 1, 0});
  EXPECT_EQ(lu(4, buffer.data()), CUSPARSE_STATUS_EXECUTION_FAILED);
  auto found = take_findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, HasSubstr("the indices 1 and 0 of row 1 do not grow"));
  indices.set(std::vector<int>{0, 1, 0, 0});
  EXPECT_EQ(analyze(), 0);
  EXPECT_EQ(cusparseXcsrilu02_zeroPivot(sparse, described.lu, &position),
            CUSPARSE_STATUS_ZERO_PIVOT);
  EXPECT_EQ(position, 1);
  EXPECT_EQ(cusparseSetMatType(described.matrix, CUSPARSE_MATRIX_TYPE_SYMMETRIC), 0);
  EXPECT_EQ(analyze(), CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
  EXPECT_EQ(cusparseXcsrilu02_zeroPivot(sparse, nullptr, &position), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_TRUE(take_findings().empty());
  cudaGetLastError();
}

TEST(SparseChecks, solutions_read_the_triangle_and_the_buffer) {
  take_findings();
  const Sparse sparse;
  SparseMatrix a({1, 5, 2, 1}, 2, 2, CUSPARSE_FORMAT_CSR, 0);
  auto on_x = on_device(std::vector<double>{1, 4});
  DeviceArray<double> on_y(2);
  cusparseDnVecDescr_t x = nullptr;
  cusparseDnVecDescr_t y = nullptr;
  ASSERT_EQ(cusparseCreateDnVec(&x, 2, on_x.data(), CUDA_R_64F), 0);
  ASSERT_EQ(cusparseCreateDnVec(&y, 2, on_y.data(), CUDA_R_64F), 0);
  cusparseSpSVDescr_t descriptor = nullptr;
  ASSERT_EQ(cusparseSpSV_createDescr(&descriptor), 0);
  const double alpha = 1;
  const auto op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const auto analyze = [&](void* buffer) {
    return cusparseSpSV_analysis(sparse, op, &alpha, a.descriptor, x, y, CUDA_R_64F, default_vector,
                                 descriptor, buffer);
  };
  const auto solve = [&](cusparseOperation_t how) {
    return cusparseSpSV_solve(sparse, how, &alpha, a.descriptor, x, y, CUDA_R_64F, default_vector,
                              descriptor);
  };
  EXPECT_EQ(solve(op), CUSPARSE_STATUS_INVALID_VALUE);  // before the analysis
  EXPECT_EQ(analyze(nullptr), CUSPARSE_STATUS_INVALID_VALUE);
  // The element above the diagonal is not read.
  DeviceArray<double> values(4);
  EXPECT_EQ(cudaMemcpy(values.data(), a.values.data(), 8, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(values.data() + 2, a.values.data() + 2, 16, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cusparseSpMatSetValues(a.descriptor, values.data()), 0);
  void* buffer = nullptr;
  ASSERT_EQ(cudaMalloc(&buffer, 8), cudaSuccess);
  EXPECT_EQ(analyze(buffer), 0);
  EXPECT_EQ(solve(CUSPARSE_OPERATION_TRANSPOSE), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(solve(op), 0);
  EXPECT_EQ(on_y.values(), (std::vector<double>{1, 2}));
  EXPECT_TRUE(take_findings().empty());
  ASSERT_EQ(cudaFree(buffer), cudaSuccess);
  EXPECT_EQ(solve(op), CUSPARSE_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::use_after_free});
  int wrong = 2;
  EXPECT_EQ(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &wrong, 4),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &wrong, 8),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, nullptr, 4),
            CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseSpSV_destroyDescr(descriptor), 0);
  EXPECT_EQ(cusparseSpSV_destroyDescr(descriptor), CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT_EQ(cusparseDestroyDnVec(x), 0);
  EXPECT_EQ(cusparseDestroyDnVec(y), 0);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
