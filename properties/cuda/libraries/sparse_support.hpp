// Helpers of the tests of cuSPARSE: handles, and matrices with many zeros.
#pragma once

#include <cusparse.h>

#include "blas_support.hpp"

namespace bankproof::cuda::tests {

class Sparse {
 public:
  Sparse() { EXPECT_EQ(cusparseCreate(&handle_), CUSPARSE_STATUS_SUCCESS); }
  ~Sparse() { EXPECT_EQ(cusparseDestroy(handle_), CUSPARSE_STATUS_SUCCESS); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  operator cusparseHandle_t() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  cusparseHandle_t handle_ = nullptr;
};

/// A matrix with many zeros, on the device in one of the formats.
struct SparseMatrix {
  int rows, columns;
  std::vector<double> dense;  // row by row
  DeviceArray<int> offsets{};
  DeviceArray<int> indices{};
  DeviceArray<double> values{};
  cusparseSpMatDescr_t descriptor = nullptr;

  SparseMatrix(Draw& draw, int m, int n, cusparseFormat_t format, int base)
      : SparseMatrix(some_elements(draw, m * n), m, n, format, base) {}
  /// The first element is not 0, since arrays on the device are not empty.
  SparseMatrix(std::vector<double> elements, int m, int n, cusparseFormat_t format, int base)
      : rows(m), columns(n), dense(std::move(elements)) {
    std::vector<int> first;
    std::vector<int> second;
    std::vector<double> stored;
    const bool by_columns = format == CUSPARSE_FORMAT_CSC;
    const bool is_list = format == CUSPARSE_FORMAT_COO;
    for (int line = 0; line < (by_columns ? n : m); ++line) {
      if (!is_list) first.push_back(static_cast<int>(stored.size()) + base);
      for (int k = 0; k < (by_columns ? m : n); ++k) {
        const double value = by_columns ? dense[at(k * n + line)] : dense[at(line * n + k)];
        if (value == 0) continue;
        if (is_list) first.push_back(line + base);
        second.push_back(k + base);
        stored.push_back(value);
      }
    }
    if (!is_list) first.push_back(static_cast<int>(stored.size()) + base);
    offsets = on_device(first);
    indices = on_device(second);
    values = on_device(stored);
    const auto count = static_cast<std::int64_t>(stored.size());
    const auto zero = base == 0 ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE;
    if (is_list) {
      EXPECT_EQ(cusparseCreateCoo(&descriptor, m, n, count, offsets.data(), indices.data(),
                                  values.data(), CUSPARSE_INDEX_32I, zero, CUDA_R_64F),
                0);
    } else {
      EXPECT_EQ((by_columns ? cusparseCreateCsc : cusparseCreateCsr)(
                    &descriptor, m, n, count, offsets.data(), indices.data(), values.data(),
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, zero, CUDA_R_64F),
                0);
    }
  }
  ~SparseMatrix() { EXPECT_EQ(cusparseDestroySpMat(descriptor), CUSPARSE_STATUS_SUCCESS); }
  SparseMatrix(const SparseMatrix&) = delete;
  SparseMatrix& operator=(const SparseMatrix&) = delete;
  static std::vector<double> some_elements(Draw& draw, int count) {
    std::vector<double> elements(at(count));
    for (double& one : elements) one = draw.below(3) == 0 ? draw.between(1, 3) : 0;
    elements[0] = 1;
    return elements;
  }
  double element(bool transposes, int i, int j) const {
    return transposes ? dense[at(j * columns + i)] : dense[at(i * columns + j)];
  }
};

}  // namespace bankproof::cuda::tests
