// cublasLt's products against plain loops: types, orders, batches, epilogues and scales.
#include <cublasLt.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {
namespace {

/// The numbers of a type, by a table of what each of them is; they are stored as their nearest.
struct Stored {
  cudaDataType type;
  std::size_t bytes;
  int mantissa;           // bits behind the point
  double largest, least;  // the least is the distance of the smallest numbers
};
constexpr Stored stored_e4m3{CUDA_R_8F_E4M3, 1, 3, 448, 0x1p-9};
constexpr Stored stored_e5m2{CUDA_R_8F_E5M2, 1, 2, 57344, 0x1p-16};
constexpr Stored stored_half{CUDA_R_16F, 2, 10, 65504, 0x1p-24};
constexpr Stored stored_brain{CUDA_R_16BF, 2, 7, 0x1.fep127, 0x1p-133};
constexpr Stored stored_float{CUDA_R_32F, 4, 23, 0x1.fffffep127, 0x1p-149};

/// The bits of a number, found by halving, in a format whose numbers grow with their bits.
double value_of(const Stored& as, std::uint32_t bits) {
  const std::uint32_t exponent = bits >> as.mantissa;
  const auto fraction = double(bits & ((1U << as.mantissa) - 1));
  const auto hidden = double(1U << as.mantissa);
  return exponent == 0 ? fraction * as.least
                       : (fraction + hidden) * as.least * std::exp2(double(exponent) - 1);
}
std::uint32_t sign_of(const Stored& as) { return 1U << ((8 * as.bytes - 1) % 32); }
std::uint32_t stored_bits(const Stored& as, double x) {
  std::uint32_t low = 0;
  std::uint32_t high = sign_of(as);
  const double size = std::min(std::abs(x), as.largest);
  while (high - low > 1) {
    const std::uint32_t middle = low + (high - low) / 2;
    (value_of(as, middle) <= size ? low : high) = middle;
  }
  const double below = size - value_of(as, low);
  const double above = value_of(as, low + 1) - size;
  if (below > above || (below == above && low % 2 == 1)) ++low;
  return low | (x < 0 ? sign_of(as) : 0);
}

/// Memory of the device with numbers of a type.
class Numbers {
 public:
  Numbers(const Stored& as, const std::vector<double>& values) : as_(as) {
    std::vector<std::uint8_t> bytes;
    for (const double x : values) {
      const std::uint32_t bits = stored_bits(as, x);
      for (std::size_t k = 0; k < as.bytes; ++k) {
        bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
      }
    }
    memory_ = on_device(bytes);
  }
  void* data() { return memory_.data(); }
  std::vector<double> values() const {
    const auto bytes = memory_.values();
    std::vector<double> all;
    for (std::size_t first = 0; first < bytes.size(); first += as_.bytes) {
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < as_.bytes; ++k)
        bits |= std::uint32_t(bytes[first + k]) << (8 * k);
      const std::uint32_t sign = sign_of(as_);
      all.push_back((bits & sign) != 0 ? -value_of(as_, bits & ~sign) : value_of(as_, bits));
    }
    return all;
  }
  double rounded(double x) const {
    const std::uint32_t sign = 1U << (8 * as_.bytes - 1);
    const std::uint32_t bits = stored_bits(as_, x);
    return x < 0 ? -value_of(as_, bits & ~sign) : value_of(as_, bits);
  }

 private:
  Stored as_;
  DeviceArray<std::uint8_t> memory_{};
};

/// A matrix's layout, and where its elements lie.
struct Place {
  int rows, columns, leading;
  bool by_rows;
  long long stride;
  cublasLtMatrixLayoutOpaque_t layout{};

  Place(Draw& draw, cudaDataType type, int m, int n, int batch, int leading_of_eight)
      : rows(m), columns(n), by_rows(draw.flip()) {
    const int line = by_rows ? n : m;
    leading = leading_of_eight != 0
                  ? leading_of_eight * ((line + leading_of_eight - 1) / leading_of_eight)
                  : line + draw.below(3);
    stride = static_cast<long long>(leading) * (by_rows ? m : n) + draw.below(3);
    RC_ASSERT(
        cublasLtMatrixLayoutInit(&layout, type, std::uint64_t(m), std::uint64_t(n), leading) == 0);
    const std::int32_t order = by_rows ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    const std::int32_t count = batch;
    const std::int64_t distance = stride;
    RC_ASSERT(cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, 4) ==
              0);
    RC_ASSERT(cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count,
                                               4) == 0);
    RC_ASSERT(cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                               &distance, 8) == 0);
  }
  std::size_t index(int k, int i, int j) const {
    return std::size_t(k * stride + (by_rows ? i * leading + j : j * leading + i));
  }
  int size(int batch) const { return static_cast<int>(stride) * batch; }
};

class LtHandle {
 public:
  LtHandle() { EXPECT_EQ(cublasLtCreate(&handle_), CUBLAS_STATUS_SUCCESS); }
  ~LtHandle() { EXPECT_EQ(cublasLtDestroy(handle_), CUBLAS_STATUS_SUCCESS); }
  LtHandle(const LtHandle&) = delete;
  LtHandle& operator=(const LtHandle&) = delete;
  operator cublasLtHandle_t() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  cublasLtHandle_t handle_ = nullptr;
};

template <class T>
void set(cublasLtMatmulDescOpaque_t& how, cublasLtMatmulDescAttributes_t attribute, T value) {
  EXPECT_EQ(cublasLtMatmulDescSetAttribute(&how, attribute, &value, sizeof value), 0);
  T kept{};
  std::size_t bytes = 0;
  EXPECT_EQ(cublasLtMatmulDescGetAttribute(&how, attribute, &kept, sizeof kept, &bytes), 0);
  EXPECT_EQ(bytes, sizeof value);
  EXPECT_EQ(kept, value);
}

std::vector<double> small_numbers(Draw& draw, int count) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) values.push_back(draw.between(-3, 3));
  return values;
}

struct Types {
  Stored a, b, c, d;
};

RC_GTEST_PROP(BlasLt, products_are_as_plain_loops, (unsigned seed)) {
  Draw draw(seed);
  const LtHandle handle;
  const auto types = draw.one_of<Types>({{stored_float, stored_float, stored_float, stored_float},
                                         {stored_half, stored_half, stored_half, stored_half},
                                         {stored_half, stored_half, stored_float, stored_float},
                                         {stored_brain, stored_brain, stored_brain, stored_brain},
                                         {stored_e4m3, stored_e4m3, stored_brain, stored_e4m3},
                                         {stored_e4m3, stored_e5m2, stored_half, stored_e5m2},
                                         {stored_e5m2, stored_e4m3, stored_brain, stored_brain}});
  const bool is_eight = types.a.bytes == 1;
  const int m = draw.between(1, 5);
  const int n = draw.between(1, 5);
  const int k = is_eight ? 16 : draw.between(1, 6);
  const int batch = draw.between(1, 3);
  const bool turns_a = draw.flip();
  const bool turns_b = draw.flip();
  const int step = is_eight ? 16 : 0;
  Place a(draw, types.a.type, turns_a ? k : m, turns_a ? m : k, batch, step);
  Place b(draw, types.b.type, turns_b ? n : k, turns_b ? k : n, batch, step);
  Place c(draw, types.c.type, m, n, batch, 0);
  Place d(draw, types.d.type, m, n, batch, 0);
  const auto of_a = small_numbers(draw, a.size(batch));
  const auto of_b = small_numbers(draw, b.size(batch));
  const auto of_c = small_numbers(draw, c.size(batch));
  auto wanted = small_numbers(draw, d.size(batch));
  const auto bias = small_numbers(draw, m);
  Numbers at_a(types.a, of_a);
  Numbers at_b(types.b, of_b);
  Numbers at_c(types.c, of_c);
  Numbers at_d(types.d, wanted);
  Numbers at_bias(is_eight ? types.c : types.d, bias);
  cublasLtMatmulDescOpaque_t how;
  RC_ASSERT(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F) == 0);
  set<std::int32_t>(how, CUBLASLT_MATMUL_DESC_TRANSA, turns_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  set<std::int32_t>(how, CUBLASLT_MATMUL_DESC_TRANSB, turns_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  const auto epilogue = draw.one_of({CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU,
                                     CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS,
                                     CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS});
  set<std::uint32_t>(how, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  set<void*>(how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, at_bias.data());
  // Scales are powers of two.
  std::array<float, 3> scales = {1, 1, 1};
  if (is_eight) scales = {2, 0.5F, 0.25F};
  auto at_scales = on_device(std::vector<float>(scales.begin(), scales.end()));
  DeviceArray<float> at_largest(1);
  if (is_eight) {
    set<void*>(how, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, at_scales.data());
    set<void*>(how, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, at_scales.data() + 1);
    set<void*>(how, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, at_scales.data() + 2);
    set<void*>(how, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, at_largest.data());
  }
  const std::vector<float> factors = {draw.number<float>(), draw.number<float>()};
  auto at_factors = on_device(factors);
  const bool is_of_device = draw.flip();
  set<std::int32_t>(how, CUBLASLT_MATMUL_DESC_POINTER_MODE,
                    is_of_device ? CUBLASLT_POINTER_MODE_DEVICE : CUBLASLT_POINTER_MODE_HOST);
  const float* const first = is_of_device ? at_factors.data() : factors.data();
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  RC_ASSERT(cublasLtMatmulAlgoGetHeuristic(handle, &how, &a.layout, &b.layout, &c.layout, &d.layout,
                                           nullptr, 1, &found, &count) == 0);
  RC_ASSERT(count == 1);
  RC_ASSERT(cublasLtMatmul(handle, &how, first, at_a.data(), &a.layout, at_b.data(), &b.layout,
                           first + 1, at_c.data(), &c.layout, at_d.data(), &d.layout, &found.algo,
                           nullptr, 0, nullptr) == 0);
  double largest = 0;
  for (int p = 0; p < batch; ++p) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int l = 0; l < k; ++l) {
          sum += of_a[turns_a ? a.index(p, l, i) : a.index(p, i, l)] *
                 of_b[turns_b ? b.index(p, j, l) : b.index(p, l, j)];
        }
        double x = double(factors[0]) * sum + double(factors[1]) * of_c[c.index(p, i, j)];
        if ((epilogue & CUBLASLT_EPILOGUE_BIAS) != 0) x += bias[at(i)];
        if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0 && x < 0) x = 0;
        if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0) {
          // x times the logistic function of twice the argument of the hyperbolic tangent.
          x /= 1 + std::exp(-2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x));
        }
        largest = std::max(largest, std::abs(x));
        wanted[d.index(p, i, j)] = at_d.rounded(x * double(scales[2]));
      }
    }
  }
  const auto result = at_d.values();
  for (std::size_t l = 0; l < result.size(); ++l) {
    // The hyperbolic tangent may be rounded to the other side: by one place of the type.
    const double place =
        std::max(types.d.least, std::exp2(-types.d.mantissa) * std::abs(wanted[l]));
    const bool is_exact = (epilogue & CUBLASLT_EPILOGUE_GELU) == 0;
    const double error = std::abs(result[l] - wanted[l]);
    RC_ASSERT(error <= (is_exact ? 0 : std::max(place, 1e-6)));
  }
  if (is_eight) RC_ASSERT(std::abs(at_largest.values()[0] - largest) <= 1e-6 + 1e-5 * largest);
  RC_ASSERT(take_findings().empty());
}

RC_GTEST_PROP(BlasLt, of_integers_and_doubles_have_addresses_and_factors_of_rows, (unsigned seed)) {
  Draw draw(seed);
  const LtHandle handle;
  const int n = draw.between(1, 4);
  const auto size = std::uint64_t(n);
  cublasLtMatrixLayoutOpaque_t layout;
  cublasLtMatmulDescOpaque_t how;
  // Doubles: an array of addresses, and an alpha for each row.
  const auto of_a = draw.numbers<double>(n * n);
  const auto alpha = draw.numbers<double>(n);
  auto at_a = on_device(of_a);
  auto at_alpha = on_device(alpha);
  DeviceArray<double> at_d(at(n * n));
  auto from = on_device(std::vector<double*>{at_a.data()});
  auto to = on_device(std::vector<double*>{at_d.data()});
  RC_ASSERT(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_64F, CUDA_R_64F) == 0);
  set<std::int32_t>(how, CUBLASLT_MATMUL_DESC_POINTER_MODE,
                    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO);
  RC_ASSERT(cublasLtMatrixLayoutInit(&layout, CUDA_R_64F, size, size, n) == 0);
  const std::uint32_t mode = CUBLASLT_BATCH_MODE_POINTER_ARRAY;
  RC_ASSERT(
      cublasLtMatrixLayoutSetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, &mode, 4) == 0);
  RC_ASSERT(cublasLtMatmul(handle, &how, at_alpha.data(), from.data(), &layout, from.data(),
                           &layout, nullptr, nullptr, &layout, to.data(), &layout, nullptr, nullptr,
                           0, nullptr) == 0);
  const auto square = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < n; ++k) sum += of_a[at(k * n + i)] * of_a[at(j * n + k)];
    return sum;
  };
  const auto result = at_d.values();
  for (int i = 0; i < n * n; ++i)
    RC_ASSERT(result[at(i)] == alpha[at(i % n)] * square(i % n, i / n));
  // Integers.
  std::vector<std::int8_t> bytes;
  bytes.reserve(of_a.size());
  for (const double x : of_a) bytes.push_back(static_cast<std::int8_t>(x));
  const auto at_bytes = on_device(bytes);
  auto at_sums = on_device(std::vector<std::int32_t>(at(n * n), 5));
  cublasLtMatrixLayoutOpaque_t sums;
  RC_ASSERT(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32I, CUDA_R_32I) == 0);
  RC_ASSERT(cublasLtMatrixLayoutInit(&layout, CUDA_R_8I, size, size, n) == 0);
  RC_ASSERT(cublasLtMatrixLayoutInit(&sums, CUDA_R_32I, size, size, n) == 0);
  const std::int32_t two = 2;
  RC_ASSERT(cublasLtMatmul(handle, &how, &two, at_bytes.data(), &layout, at_bytes.data(), &layout,
                           &two, at_sums.data(), &sums, at_sums.data(), &sums, nullptr, nullptr, 0,
                           nullptr) == 0);
  const auto whole = at_sums.values();
  for (int i = 0; i < n * n; ++i) RC_ASSERT(whole[at(i)] == 2 * square(i % n, i / n) + 10);
  RC_ASSERT(take_findings().empty());
}

/// A product of two square matrices of float, whose parts a test may spoil.
struct Square {
  LtHandle handle;
  cublasLtMatmulDescOpaque_t how;
  cublasLtMatrixLayoutOpaque_t layout;
  DeviceArray<float> a = on_device(std::vector<float>(4, 1.0F));
  DeviceArray<float> d{4};
  float one = 1;
  float zero = 0;

  Square() {
    EXPECT_EQ(cublasLtMatmulDescInit(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F), 0);
    EXPECT_EQ(cublasLtMatrixLayoutInit(&layout, CUDA_R_32F, 2, 2, 2), 0);
  }
  cublasStatus_t multiply(const float* from, const float* c, float* to, const float* beta) {
    return cublasLtMatmul(handle, &how, &one, from, &layout, a.data(), &layout, beta, c, &layout,
                          to, &layout, nullptr, nullptr, 0, nullptr);
  }
  cublasStatus_t ask(int count) {
    cublasLtMatmulHeuristicResult_t found{};
    int given = 0;
    return cublasLtMatmulAlgoGetHeuristic(handle, &how, &layout, &layout, &layout, &layout, nullptr,
                                          count, &found, &given);
  }
};

TEST(BlasLt, find_what_is_wrong_with_their_operands) {
  take_findings();
  Square of;
  EXPECT_EQ(of.multiply(of.a.data(), nullptr, of.d.data(), &of.zero), 0);  // C is not read
  EXPECT_EQ(of.d.values(), std::vector(4, 2.0F));
  EXPECT_TRUE(take_findings().empty());
  DeviceArray<float> short_one(3);
  EXPECT_EQ(of.multiply(of.a.data(), nullptr, short_one.data(), &of.zero),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  DeviceArray<float> unwritten(4);
  EXPECT_EQ(of.multiply(unwritten.data(), nullptr, of.d.data(), &of.zero), 0);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::uninitialized});
  EXPECT_EQ(of.multiply(of.a.data(), unwritten.data(), of.d.data(), &of.one), 0);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::uninitialized});
  set<std::uint32_t>(of.how, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  EXPECT_EQ(of.multiply(of.a.data(), nullptr, of.d.data(), &of.zero), CUBLAS_STATUS_INVALID_VALUE);
  set<void*>(of.how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, short_one.data() + 2);
  EXPECT_EQ(of.multiply(of.a.data(), nullptr, of.d.data(), &of.zero),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(take_kinds(), std::vector{ptx::FaultKind::out_of_bounds});
  cudaGetLastError();
}

TEST(BlasLt, refuses_what_it_has_not) {
  take_findings();
  Square of;
  EXPECT_EQ(of.ask(1), 0);
  EXPECT_EQ(of.ask(0), CUBLAS_STATUS_INVALID_VALUE);
  const auto refused = [&](cublasLtMatmulDescAttributes_t attribute, std::int32_t value) {
    Square other;
    EXPECT_EQ(cublasLtMatmulDescSetAttribute(&other.how, attribute, &value, 4), 0);
    return other.ask(1);
  };
  EXPECT_EQ(refused(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU_AUX),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(refused(CUBLASLT_MATMUL_DESC_EPILOGUE, 0), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(refused(CUBLASLT_MATMUL_DESC_TRANSC, CUBLAS_OP_T), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(refused(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, 2), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(refused(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_16F),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(refused(CUBLASLT_MATMUL_DESC_POINTER_MODE, 9), CUBLAS_STATUS_INVALID_VALUE);
  const std::int32_t tiles = CUBLASLT_ORDER_COL32;
  EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(&of.layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &tiles, 8),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(&of.layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &tiles, 4),
            0);
  EXPECT_EQ(of.ask(1), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasLtMatrixLayoutInit(&of.layout, CUDA_R_32F, 2, 2, 1), 0);
  EXPECT_EQ(of.ask(1), CUBLAS_STATUS_INVALID_VALUE);  // lines overlap
  EXPECT_EQ(cublasLtMatrixLayoutInit(&of.layout, CUDA_R_32F, 2, 3, 2), 0);
  EXPECT_EQ(of.ask(1), CUBLAS_STATUS_INVALID_VALUE);  // sizes
  EXPECT_EQ(cublasLtMatrixLayoutInit(&of.layout, CUDA_R_8F_UE8M0, 2, 2, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  of.layout = {};
  EXPECT_EQ(of.ask(1), CUBLAS_STATUS_INVALID_VALUE);  // never made
  cublasLtMatmulPreference_t preference = nullptr;
  EXPECT_EQ(cublasLtMatmulPreferenceCreate(&preference), 0);
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), 0);
  EXPECT_EQ(cublasLtMatmulPreferenceDestroy(preference), CUBLAS_STATUS_INVALID_VALUE);
  cublasLtHandle_t handle = nullptr;
  EXPECT_EQ(cublasLtCreate(&handle), 0);
  EXPECT_EQ(cublasLtDestroy(handle), 0);
  EXPECT_EQ(cublasLtDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_TRUE(take_findings().empty());
}

}  // namespace
}  // namespace bankproof::cuda::tests
