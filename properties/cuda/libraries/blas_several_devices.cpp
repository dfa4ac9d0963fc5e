// cublasXt against plain loops, with operands in memory of the host and of the device.
#include <cublasXt.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

using ::testing::HasSubstr;

class SeveralDevices {
 public:
  SeveralDevices() {
    int device = 0;
    EXPECT_EQ(cublasXtCreate(&handle_), CUBLAS_STATUS_SUCCESS);
    EXPECT_EQ(cublasXtDeviceSelect(handle_, 1, &device), CUBLAS_STATUS_SUCCESS);
  }
  ~SeveralDevices() { EXPECT_EQ(cublasXtDestroy(handle_), CUBLAS_STATUS_SUCCESS); }
  SeveralDevices(const SeveralDevices&) = delete;
  SeveralDevices& operator=(const SeveralDevices&) = delete;
  operator cublasXtHandle_t() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  cublasXtHandle_t handle_ = nullptr;
};

/// Numbers in memory of the host, or of the device.
template <class V>
class Somewhere {
 public:
  Somewhere(Draw& draw, const std::vector<V>& values) : host_(values), is_of_host_(draw.flip()) {
    if (!is_of_host_) device_ = on_device(values);
  }
  typename Named<V>::Type* data() { return named(is_of_host_ ? host_.data() : device_.data()); }
  std::vector<V> values() const { return is_of_host_ ? host_ : device_.values(); }

 private:
  std::vector<V> host_;
  DeviceArray<V> device_{};
  bool is_of_host_;
};

template <class V>
constexpr auto xt_gemm = cublasXtSgemm;
template <>
constexpr auto xt_gemm<double> = cublasXtDgemm;
template <>
constexpr auto xt_gemm<std::complex<float>> = cublasXtCgemm;
template <>
constexpr auto xt_gemm<std::complex<double>> = cublasXtZgemm;

template <class V>
void check_xt_gemm(Draw& draw) {
  const SeveralDevices devices;
  const auto op_a = draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C});
  const auto op_b = draw.one_of({CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C});
  const int m = draw.between(1, 5);
  const int n = draw.between(1, 5);
  const int k = draw.between(1, 5);
  const int lda = (op_a == CUBLAS_OP_N ? m : k) + draw.below(2);
  const int ldb = (op_b == CUBLAS_OP_N ? k : n) + draw.below(2);
  const int ldc = m + draw.below(3);
  const auto a = draw.numbers<V>(lda * (op_a == CUBLAS_OP_N ? k : m));
  const auto b = draw.numbers<V>(ldb * (op_b == CUBLAS_OP_N ? n : k));
  auto c = draw.numbers<V>(ldc * n);
  const auto alpha = draw.number<V>();
  const auto beta = draw.number<V>();
  Somewhere<V> at_a(draw, a);
  Somewhere<V> at_b(draw, b);
  Somewhere<V> at_c(draw, c);
  RC_ASSERT(xt_gemm<V>(devices, op_a, op_b, std::size_t(m), std::size_t(n), std::size_t(k),
                       named(&alpha), at_a.data(), std::size_t(lda), at_b.data(), std::size_t(ldb),
                       named(&beta), at_c.data(), std::size_t(ldc)) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      Number sum = 0;
      for (int p = 0; p < k; ++p) sum += element(a, lda, op_a, i, p) * element(b, ldb, op_b, p, j);
      V& one = c[at(j * ldc + i)];
      one = as<V>(Number(alpha) * sum + Number(beta) * Number(one));
    }
  }
  RC_ASSERT(at_c.values() == c);  // what lies between the columns stays, too
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasSeveralDevices, products_are_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  check_xt_gemm<float>(draw);
  check_xt_gemm<double>(draw);
  check_xt_gemm<std::complex<float>>(draw);
  check_xt_gemm<std::complex<double>>(draw);
}

/// Of a symmetric, Hermitian or triangular matrix, of which one part is stored.
struct PartOf {
  const std::vector<Z>& stored;
  int n;
  bool is_upper;
  enum Kind : std::uint8_t { symmetric, hermitian, triangular } kind;
  Z operator()(int i, int j) const {
    if (i == j && kind == hermitian) return stored[at(i * n + i)].real();
    if (i == j || is_upper == (i < j)) return stored[at(j * n + i)];
    if (kind == triangular) return 0;
    return conj_if(kind == hermitian, stored[at(i * n + j)]);
  }
};

RC_GTEST_PROP(BlasSeveralDevices, parts_of_matrices_are_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  const SeveralDevices devices;
  const int n = draw.between(1, 5);
  const auto size = std::size_t(n);
  const bool is_upper = draw.flip();
  const auto uplo = is_upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  auto part = draw.numbers<Z>(n * n);
  for (int i = 0; i < n; ++i) part[at(i * n + i)] = draw.one_of({1.0, -1.0, 2.0});
  const auto other = draw.numbers<Z>(n * n);
  const auto before = draw.numbers<Z>(n * n);
  // If it were 0, and beta 1, nothing would be written.
  const Z alpha(draw.between(1, 3), draw.between(-3, 3));
  const auto beta = draw.number<Z>();
  const double real_alpha = alpha.real();
  const double real_beta = beta.real();
  Somewhere<Z> at_part(draw, part);
  Somewhere<Z> at_other(draw, other);
  const auto product = [&](const auto& left, const auto& right, int i, int j) {
    Z sum = 0;
    for (int k = 0; k < n; ++k) sum += left(i, k) * right(k, j);
    return sum;
  };
  const auto whole = [&](int i, int j) { return other[at(j * n + i)]; };
  const auto turned = [&](int i, int j) { return std::conj(other[at(i * n + j)]); };
  const auto flipped = [&](int i, int j) { return other[at(i * n + j)]; };
  const auto first = [&](int i, int j) { return part[at(j * n + i)]; };
  const auto first_turned = [&](int i, int j) { return std::conj(part[at(i * n + j)]); };
  const auto first_flipped = [&](int i, int j) { return part[at(i * n + j)]; };
  // Calls the function, and compares its C with wanted(i, j, element before) where it is written.
  const auto check = [&](bool writes_part, const auto& call, const auto& wanted) {
    Somewhere<Z> at_c(draw, before);
    RC_ASSERT(call(at_c.data()) == CUBLAS_STATUS_SUCCESS);
    const auto result = at_c.values();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const bool is_written = !writes_part || i == j || is_upper == (i < j);
        const Z old = before[at(j * n + i)];
        RC_ASSERT(result[at(j * n + i)] == (is_written ? wanted(i, j, old) : old));
      }
    }
  };
  for (const auto kind : {PartOf::symmetric, PartOf::hermitian}) {
    const auto function = kind == PartOf::symmetric ? cublasXtZsymm : cublasXtZhemm;
    const PartOf matrix{part, n, is_upper, kind};
    check(
        false,
        [&](cuDoubleComplex* c) {
          return function(devices, CUBLAS_SIDE_LEFT, uplo, size, size, named(&alpha),
                          at_part.data(), size, at_other.data(), size, named(&beta), c, size);
        },
        [&](int i, int j, Z old) { return alpha * product(matrix, whole, i, j) + beta * old; });
  }
  const PartOf triangle{part, n, is_upper, PartOf::triangular};
  check(
      false,
      [&](cuDoubleComplex* c) {
        return cublasXtZtrmm(devices, CUBLAS_SIDE_RIGHT, uplo, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,
                             size, size, named(&alpha), at_part.data(), size, at_other.data(), size,
                             c, size);
      },
      [&](int i, int j, Z) { return alpha * product(whole, triangle, i, j); });
  // A solution, multiplied, gives the right side.
  Somewhere<Z> at_x(draw, before);
  RC_ASSERT(cublasXtZtrsm(devices, CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, size,
                          size, named(&alpha), at_part.data(), size, at_x.data(), size) == 0);
  const auto solved = at_x.values();
  const auto x = [&](int i, int j) { return solved[at(j * n + i)]; };
  for (int i = 0; i < n * n; ++i) {
    RC_ASSERT(product(triangle, x, i % n, i / n) == alpha * before[at(i)]);
  }
  const auto real_if_diagonal = [](int i, int j, Z value) { return i == j ? value.real() : value; };
  check(
      true,
      [&](cuDoubleComplex* c) {
        return cublasXtZherk(devices, uplo, CUBLAS_OP_N, size, size, &real_alpha, at_other.data(),
                             size, &real_beta, c, size);
      },
      [&](int i, int j, Z old) {
        return real_if_diagonal(
            i, j,
            real_alpha * product(whole, turned, i, j) + real_beta * real_if_diagonal(i, j, old));
      });
  check(
      true,
      [&](cuDoubleComplex* c) {
        return cublasXtZsyrk(devices, uplo, CUBLAS_OP_T, size, size, named(&alpha), at_other.data(),
                             size, named(&beta), c, size);
      },
      [&](int i, int j, Z old) { return alpha * product(flipped, whole, i, j) + beta * old; });
  for (const bool is_twice : {false, true}) {
    check(
        true,
        [&](cuDoubleComplex* c) {
          return (is_twice ? cublasXtZsyr2k : cublasXtZsyrkx)(
              devices, uplo, CUBLAS_OP_N, size, size, named(&alpha), at_part.data(), size,
              at_other.data(), size, named(&beta), c, size);
        },
        [&](int i, int j, Z old) {
          const Z more = is_twice ? product(whole, first_flipped, i, j) : 0;
          return alpha * (product(first, flipped, i, j) + more) + beta * old;
        });
  }
  check(
      true,
      [&](cuDoubleComplex* c) {
        return cublasXtZher2k(devices, uplo, CUBLAS_OP_N, size, size, named(&alpha), at_part.data(),
                              size, at_other.data(), size, &real_beta, c, size);
      },
      [&](int i, int j, Z old) {
        return real_if_diagonal(i, j,
                                alpha * product(first, turned, i, j) +
                                    std::conj(alpha) * product(whole, first_turned, i, j) +
                                    real_beta * real_if_diagonal(i, j, old));
      });
  RC_ASSERT(take_findings().empty());
}

TEST(BlasSeveralDevices, find_what_is_wrong_with_their_operands) {
  take_findings();
  cublasXtHandle_t handle = nullptr;
  ASSERT_EQ(cublasXtCreate(&handle), CUBLAS_STATUS_SUCCESS);
  const float one = 1;
  const float zero = 0;
  const auto multiply = [&](const float* a, float* c) {
    return cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, a, 2, &zero, c, 2);
  };
  std::vector<float> host(4, 1.0F);
  EXPECT_EQ(multiply(host.data(), host.data()), CUBLAS_STATUS_NOT_INITIALIZED);  // no device
  int devices[] = {0, 7};
  EXPECT_EQ(cublasXtDeviceSelect(handle, 2, devices), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasXtDeviceSelect(handle, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasXtDeviceSelect(handle, 1, devices), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasXtSetBlockDim(handle, 0), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasXtSetBlockDim(handle, 64), CUBLAS_STATUS_SUCCESS);
  int block = 0;
  EXPECT_EQ(cublasXtGetBlockDim(handle, &block), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(block, 64);
  cublasXtPinnedMemMode_t mode{};
  EXPECT_EQ(cublasXtSetPinningMemMode(handle, CUBLASXT_PINNING_ENABLED), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasXtGetPinningMemMode(handle, &mode), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mode, CUBLASXT_PINNING_ENABLED);
  std::vector<float> result(4);
  EXPECT_EQ(multiply(host.data(), result.data()), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, std::vector(4, 2.0F));
  EXPECT_TRUE(take_findings().empty());
  DeviceArray<float> short_one(3);
  EXPECT_EQ(multiply(host.data(), short_one.data()), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  DeviceArray<float> unwritten(4);
  EXPECT_EQ(multiply(unwritten.data(), result.data()), CUBLAS_STATUS_SUCCESS);
  // A and B. Findings of one line are one, where lines are known.
  std::uint64_t times = 0;
  for (const ptx::FaultReport& fault : take_findings()) {
    EXPECT_EQ(fault.kind, ptx::FaultKind::uninitialized);
    times += fault.count;
  }
  EXPECT_EQ(times, 2U);
  float* freed = nullptr;
  EXPECT_EQ(cudaMalloc(&freed, 16), cudaSuccess);
  EXPECT_EQ(cudaFree(freed), cudaSuccess);
  EXPECT_EQ(multiply(host.data(), freed), CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::use_after_free});
  // A page of the host that ends behind the second element.
  constexpr std::size_t page = 4096;
  auto* const pages = static_cast<char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(munmap(pages + page, page), 0);
  EXPECT_EQ(multiply(reinterpret_cast<float*>(pages + page - 8), result.data()),
            CUBLAS_STATUS_EXECUTION_FAILED);
  auto found = take_findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, ptx::FaultKind::out_of_bounds);
  EXPECT_THAT(found[0].message, HasSubstr("cublasXtSgemm reads A"));
  EXPECT_THAT(found[0].message, HasSubstr("neither the host nor the device has 16 bytes"));
  EXPECT_EQ(munmap(pages, page), 0);
  EXPECT_EQ(cublasXtDestroy(handle), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasXtDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(multiply(host.data(), result.data()), CUBLAS_STATUS_NOT_INITIALIZED);
  cudaGetLastError();
}

}  // namespace
}  // namespace bankproof::cuda::tests
