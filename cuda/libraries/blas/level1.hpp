// Level 1: what the calls on vectors do, for any type of numbers.
#pragma once

#include "context.hpp"
#include "dense.hpp"

namespace bankproof::cuda::blas {

/// An operand of `size` elements.
struct VectorOf {
  Typed memory;
  VectorShape shape;
};
template <class V>
VectorOf vector_of(const char* name, const void* pointer, std::int64_t size,
                   std::int64_t increment) {
  return {operand<V>(name, pointer), {size, increment}};
}
template <class V>
std::vector<V> get(Operation& on, const VectorOf& from) {
  return read_vector<V>(on, from.memory, from.shape);
}
template <class V>
void put(Operation& on, const VectorOf& to, std::vector<V> values) {
  write_vector(on, to.memory, to.shape, std::move(values));
}

/// y := alpha · x + y
template <class V>
cublasStatus_t axpy(const Call& call, const Scalar<V>& alpha, const VectorOf& x,
                    const VectorOf& y) {
  if (x.shape.size <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const V factor = alpha.get(on);
    if (factor == V(0)) return;
    const std::vector<V> from = get<V>(on, x);
    std::vector<V> to = get<V>(on, y);
    for (std::size_t k = 0; k < to.size(); ++k) to[k] += factor * from[k];
    put(on, y, std::move(to));
  });
}

/// x := alpha · x; `S` is the type of alpha.
template <class V, class S>
cublasStatus_t scal(const Call& call, const Scalar<S>& alpha, const VectorOf& x) {
  if (x.shape.size <= 0 || x.shape.increment <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const S factor = alpha.get(on);
    std::vector<V> values = get<V>(on, x);
    for (V& value : values) value *= factor;
    put(on, x, std::move(values));
  });
}

template <class V>
cublasStatus_t copy(const Call& call, const VectorOf& x, const VectorOf& y) {
  if (x.shape.size <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) { put(on, y, get<V>(on, x)); });
}

template <class V>
cublasStatus_t swap(const Call& call, const VectorOf& x, const VectorOf& y) {
  if (x.shape.size <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    std::vector<V> from = get<V>(on, x);
    put(on, x, get<V>(on, y));
    put(on, y, std::move(from));
  });
}

/// The sum of x[k] · y[k], of the conjugate of x[k] if `conjugates`.
template <class V>
V dot(Operation& on, const VectorOf& x, const VectorOf& y, bool conjugates) {
  Wide<V> sum = 0;
  if (x.shape.size <= 0) return V(sum);
  const std::vector<V> a = get<V>(on, x);
  const std::vector<V> b = get<V>(on, y);
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += Wide<V>(conjugates ? conjugate(a[k]) : a[k]) * Wide<V>(b[k]);
  }
  return V(sum);
}

/// The root of the sum of squares. long double has exponents for the squares of all doubles.
template <class V>
Real<V> norm(Operation& on, const VectorOf& x) {
  long double sum = 0;
  if (x.shape.size <= 0 || x.shape.increment <= 0) return 0;
  for (const V& value : get<V>(on, x)) {
    const auto real = static_cast<long double>(std::real(value));
    const auto imaginary = static_cast<long double>(std::imag(value));
    sum += real * real + imaginary * imaginary;
  }
  return static_cast<Real<V>>(std::sqrt(sum));
}

template <class V>
Real<V> sum_of_sizes(Operation& on, const VectorOf& x) {
  double sum = 0;
  if (x.shape.size <= 0 || x.shape.increment <= 0) return 0;
  for (const V& value : get<V>(on, x)) sum += static_cast<double>(size_of(value));
  return static_cast<Real<V>>(sum);
}

/// The number, from 1, of the first element of the greatest or least size; 0 if there is none.
template <class V, class I>
I extreme(Operation& on, const VectorOf& x, bool greatest) {
  if (x.shape.size <= 0 || x.shape.increment <= 0) return 0;
  const std::vector<V> values = get<V>(on, x);
  const auto smaller = [](const V& a, const V& b) { return size_of(a) < size_of(b); };
  const auto found = greatest ? std::max_element(values.begin(), values.end(), smaller)
                              : std::min_element(values.begin(), values.end(), smaller);
  return static_cast<I>(found - values.begin() + 1);
}

/// x := c · x + s · y and y := c · y − conj(s) · x; `S` is the type of s.
template <class V, class S>
cublasStatus_t rot(const Call& call, const VectorOf& x, const VectorOf& y,
                   const Scalar<Real<V>>& cosine, const Scalar<S>& sine) {
  if (x.shape.size <= 0) return CUBLAS_STATUS_SUCCESS;
  return call.perform([=](Operation& on) {
    const Real<V> c = cosine.get(on);
    const S s = sine.get(on);
    std::vector<V> a = get<V>(on, x);
    std::vector<V> b = get<V>(on, y);
    for (std::size_t k = 0; k < a.size(); ++k) {
      const V old = a[k];
      a[k] = c * old + s * b[k];
      b[k] = c * b[k] - conjugate(s) * old;
    }
    put(on, x, std::move(a));
    put(on, y, std::move(b));
  });
}

}  // namespace bankproof::cuda::blas
