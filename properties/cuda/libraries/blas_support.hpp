// Helpers of the tests of cuBLAS: operands of small whole numbers, with which all sums are exact in
// every type, and cuBLAS's functions by their types.
#pragma once

#include <cublas_v2.h>

#include <complex>
#include <cstdint>
#include <random>
#include <vector>

#include "../runtime/support.hpp"

namespace bankproof::cuda::tests {

/// Any number of a test, as the oracles compute with it.
using Number = std::complex<double>;
using Z = Number;  // as BLAS calls the type

inline std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// The type of CUDA that has the same bytes.
template <class V>
struct Named;
template <>
struct Named<float> {
  using Type = float;
};
template <>
struct Named<double> {
  using Type = double;
};
template <>
struct Named<std::complex<float>> {
  using Type = cuComplex;
};
template <>
struct Named<std::complex<double>> {
  using Type = cuDoubleComplex;
};
template <class V>
constexpr bool has_imaginary = !std::is_floating_point_v<V>;

template <class V>
typename Named<V>::Type* named(V* pointer) {
  return reinterpret_cast<typename Named<V>::Type*>(pointer);
}
template <class V>
const typename Named<V>::Type* named(const V* pointer) {
  return reinterpret_cast<const typename Named<V>::Type*>(pointer);
}

template <class V>
V as(Number x) {
  if constexpr (has_imaginary<V>) {
    return V(x);
  } else {
    return static_cast<V>(x.real());
  }
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  int between(int first, int last) { return first + below(last - first + 1); }
  bool flip() { return below(2) == 1; }
  template <class V>
  V number() {
    return as<V>({double(between(-3, 3)), double(between(-3, 3))});
  }
  template <class V>
  std::vector<V> numbers(int count) {
    std::vector<V> values(at(count));
    for (V& value : values) value = number<V>();
    return values;
  }
  /// One of the values.
  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + below(static_cast<int>(values.size())));
  }

 private:
  std::mt19937 random_;
};

/// A handle of cuBLAS, for the test's time.
class Blas {
 public:
  Blas() { EXPECT_EQ(cublasCreate(&handle_), CUBLAS_STATUS_SUCCESS); }
  ~Blas() { EXPECT_EQ(cublasDestroy(handle_), CUBLAS_STATUS_SUCCESS); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  operator cublasHandle_t() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  cublasHandle_t handle_ = nullptr;
};

template <class V>
DeviceArray<V> on_device(const std::vector<V>& values) {
  return DeviceArray<V>(std::span<const V>(values));
}

inline Number conj_if(bool conjugates, Number x) { return conjugates ? std::conj(x) : x; }

/// The element of op(A), where A has the leading dimension.
template <class V>
Number element(const std::vector<V>& a, int leading, cublasOperation_t op, int i, int j) {
  if (op == CUBLAS_OP_N) return Number(a[at(j * leading + i)]);
  return conj_if(op == CUBLAS_OP_C, Number(a[at(i * leading + j)]));
}

}  // namespace bankproof::cuda::tests
