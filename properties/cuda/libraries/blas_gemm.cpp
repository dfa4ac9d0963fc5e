// cublas…gemm is the sum of products, for each type, transpose and leading dimension, and touches
// no byte beside its operands. The oracle is three plain loops.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

// NOLINTBEGIN(bugprone-macro-parentheses): types.
#define GEMM(L, V)                                                                             \
  cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, \
                      int n, int k, const V* alpha, const V* a, int lda, const V* b, int ldb,  \
                      const V* beta, V* c, int ldc) {                                          \
    return cublas##L##gemm(h, op_a, op_b, m, n, k, named(alpha), named(a), lda, named(b), ldb, \
                           named(beta), named(c), ldc);                                        \
  }
// NOLINTEND(bugprone-macro-parentheses)
GEMM(S, float)
GEMM(D, double)
GEMM(C, std::complex<float>)
GEMM(Z, std::complex<double>)
#undef GEMM

struct GemmSizes {
  int m, n, k, lda, ldb, ldc;
  cublasOperation_t op_a, op_b;
};

GemmSizes draw_sizes(Draw& draw, int most) {
  const auto op = [&] { return draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}); };
  GemmSizes s{draw.below(most), draw.below(most), draw.below(most), 0, 0, 0, op(), op()};
  s.lda = std::max(1, s.op_a == CUBLAS_OP_N ? s.m : s.k) + draw.below(3);
  s.ldb = std::max(1, s.op_b == CUBLAS_OP_N ? s.k : s.n) + draw.below(3);
  s.ldc = std::max(1, s.m) + draw.below(3);
  return s;
}

template <class V>
std::vector<V> expected(const GemmSizes& s, V alpha, const std::vector<V>& a,
                        const std::vector<V>& b, V beta, std::vector<V> c) {
  for (int i = 0; i < s.m; ++i) {
    for (int j = 0; j < s.n; ++j) {
      Number sum = 0;
      for (int p = 0; p < s.k; ++p) {
        sum += element(a, s.lda, s.op_a, i, p) * element(b, s.ldb, s.op_b, p, j);
      }
      V& one = c[at(j * s.ldc + i)];
      one = as<V>(Number(alpha) * sum + Number(beta) * Number(one));
    }
  }
  return c;
}

template <class V>
void check_gemm(Draw& draw, int most) {
  const GemmSizes s = draw_sizes(draw, most);
  const V alpha = draw.number<V>();
  const V beta = draw.number<V>();
  const auto a = draw.numbers<V>(s.lda * std::max({s.m, s.k, 1}));
  const auto b = draw.numbers<V>(s.ldb * std::max({s.n, s.k, 1}));
  const auto c = draw.numbers<V>(s.ldc * std::max(s.n, 1));
  const Blas blas;
  const auto on_a = on_device(a);
  const auto on_b = on_device(b);
  auto on_c = on_device(c);
  RC_ASSERT(gemm(blas, s.op_a, s.op_b, s.m, s.n, s.k, &alpha, on_a.data(), s.lda, on_b.data(),
                 s.ldb, &beta, on_c.data(), s.ldc) == CUBLAS_STATUS_SUCCESS);
  RC_ASSERT(on_c.values() == expected(s, alpha, a, b, beta, c));
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasGemm, is_the_sum_of_products, (unsigned seed)) {
  Draw draw(seed);
  check_gemm<float>(draw, 9);
  check_gemm<double>(draw, 9);
  check_gemm<std::complex<float>>(draw, 6);
  check_gemm<std::complex<double>>(draw, 6);
}

TEST(BlasGemm, computes_more_than_one_block) {
  Draw draw(1);
  for (int k = 0; k < 3; ++k) check_gemm<float>(draw, 300);
}

TEST(BlasGemm, takes_batches_at_strides_and_by_pointers) {
  Draw draw(2);
  const int n = 3;
  const auto a = draw.numbers<double>(30);
  const auto b = draw.numbers<double>(30);
  const auto c = draw.numbers<double>(30);
  std::vector<double> wanted = c;
  for (int k = 0; k < 3; ++k) {
    const auto part = [&](const std::vector<double>& of) {
      return std::vector<double>(of.begin() + k * 10, of.begin() + k * 10 + 9);
    };
    const auto one = expected<double>({n, n, n, n, n, n, CUBLAS_OP_N, CUBLAS_OP_N}, 2, part(a),
                                      part(b), -1, part(c));
    std::copy(one.begin(), one.end(), wanted.begin() + k * 10);
  }
  const Blas blas;
  const double alpha = 2;
  const double beta = -1;
  auto on_a = on_device(a);
  auto on_b = on_device(b);
  auto on_c = on_device(c);
  EXPECT_EQ(cublasDgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, on_a.data(),
                                      n, 10, on_b.data(), n, 10, &beta, on_c.data(), n, 10, 3),
            0);
  EXPECT_EQ(on_c.values(), wanted);
  on_c.set(c);
  const auto pointers = [](DeviceArray<double>& of) {
    return on_device(std::vector<double*>{of.data(), of.data() + 10, of.data() + 20});
  };
  const auto all_a = pointers(on_a);
  const auto all_b = pointers(on_b);
  auto all_c = pointers(on_c);
  EXPECT_EQ(cublasDgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &alpha, all_a.data(), n,
                               all_b.data(), n, &beta, all_c.data(), n, 3),
            0);
  EXPECT_EQ(on_c.values(), wanted);
  expect_no_faults();
  EXPECT_TRUE(take_findings().empty());
}

std::vector<std::uint16_t> halves(const std::vector<int>& values, bool brain) {
  std::vector<std::uint16_t> bits;
  for (const int value : values) {  // powers of two and 0
    if (value == 0) {
      bits.push_back(0);
      continue;
    }
    const int exponent = static_cast<int>(std::log2(std::abs(value)));
    const int sign = value < 0 ? 0x8000 : 0;
    bits.push_back(
        static_cast<std::uint16_t>(sign | (brain ? (exponent + 127) << 7 : (exponent + 15) << 10)));
  }
  return bits;
}

TEST(BlasGemm, converts_operands_whose_types_the_call_names) {
  const std::vector<int> a = {1, -2, 4, 0};  // 2 × 2
  const std::vector<int> b = {2, 1, -1, 8};
  const std::vector<float> wanted = {6, -4, 31, 2};
  const Blas blas;
  const float one = 1;
  const float zero = 0;
  DeviceArray<float> c(4);
  for (const bool brain : {false, true}) {
    const auto type = brain ? CUDA_R_16BF : CUDA_R_16F;
    const auto on_a = on_device(halves(a, brain));
    const auto on_b = on_device(halves(b, brain));
    EXPECT_EQ(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, on_a.data(), type, 2,
                           on_b.data(), type, 2, &zero, c.data(), CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT),
              0);
    EXPECT_EQ(c.values(), wanted);
    DeviceArray<std::uint16_t> rounded(4);
    EXPECT_EQ(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &one, on_a.data(), type, 2,
                           on_a.data(), type, 2, &zero, rounded.data(), type, 2, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT),
              0);
    // 17 is no power of two: 1.0001 · 2^4.
    EXPECT_EQ(rounded.values(),
              (std::vector<std::uint16_t>{static_cast<std::uint16_t>(brain ? 0x4188 : 0x4c40),
                                          halves({-2}, brain)[0], halves({-2}, brain)[0],
                                          halves({4}, brain)[0]}));
  }
  const auto bytes_a = on_device(std::vector<std::int8_t>{1, -2, 4, 0});
  const auto bytes_b = on_device(std::vector<std::int8_t>{2, 1, -1, 8});
  DeviceArray<std::int32_t> sums(4);
  const std::int32_t two = 2;
  const std::int32_t none = 0;
  EXPECT_EQ(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &two, bytes_a.data(), CUDA_R_8I,
                         2, bytes_b.data(), CUDA_R_8I, 2, &none, sums.data(), CUDA_R_32I, 2,
                         CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
            0);
  EXPECT_EQ(sums.values(), (std::vector<std::int32_t>{12, -8, 62, 4}));
  EXPECT_EQ(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, bytes_a.data(), CUDA_R_8I,
                         2, bytes_b.data(), CUDA_R_16F, 2, &zero, c.data(), CUDA_R_32F, 2,
                         CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_NOT_SUPPORTED);
}

}  // namespace
}  // namespace bankproof::cuda::tests
