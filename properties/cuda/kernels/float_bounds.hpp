// Bounds how far sums of products of floating-point numbers may be from the exact sums. A number
// that carries its bound passes through any oracle, so the oracle's results say what a kernel may
// have computed for each element.
//
//     const auto expected = oracle::matrix_product(bounded(a), bounded(b), rows, inner, columns);
//     require_near(c.values(), expected);
//
// A sum of n products, added in any order, fused or not, is within γₙ·Σ|a||b| of the exact sum,
// where γₖ = ku/(1 − ku) and u is half of the distance from 1 to the next number, provided that
// nothing underflows (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
//
// Example: 1 + 2⁻²⁴ + 2⁻²⁴ in floats is 1 or 1 + 2⁻²³, depending on the order; both are within
// γ₂·(1 + 2⁻²³).
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <random>
#include <vector>

#include "support.hpp"

namespace bankproof::cuda::tests {

/// A number that T would round: its exact value, the sum of its terms' magnitudes, and the largest
/// number of times that T rounds a term.
template <std::floating_point T>
class Bounded {
  static_assert(std::numeric_limits<long double>::digits >= std::numeric_limits<T>::digits + 11,
                "the exact value is computed in long double");

 public:
  Bounded() = default;
  explicit Bounded(T number) : value_(number), magnitude_(std::abs(value_)), terms_(1) {}

  friend Bounded operator+(const Bounded& a, const Bounded& b) {
    if (a.terms_ == 0) return b;
    if (b.terms_ == 0) return a;
    Bounded sum;
    sum.value_ = a.value_ + b.value_;
    sum.magnitude_ = a.magnitude_ + b.magnitude_;
    sum.terms_ = a.terms_ + b.terms_;
    sum.products_ = std::max(a.products_, b.products_);
    return sum;
  }
  /// The product of two sums is one term.
  friend Bounded operator*(const Bounded& a, const Bounded& b) {
    Bounded product;
    if (a.terms_ == 0 || b.terms_ == 0) return product;
    product.value_ = a.value_ * b.value_;
    product.magnitude_ = a.magnitude_ * b.magnitude_;
    product.terms_ = 1;
    product.products_ = a.roundings() + b.roundings() + 1;
    return product;
  }

  /// The greatest error, including long double's own errors in the value, the magnitude and the
  /// comparison.
  long double bound() const {
    return (gamma<T>(roundings()) + 4 * gamma<long double>(roundings())) * magnitude_;
  }
  bool may_be(T computed) const { return std::abs(computed - value_) <= bound(); }

  friend void PrintTo(const Bounded& number, std::ostream* out) {
    *out << number.value_ << " up to " << number.bound();
  }

 private:
  std::uint64_t roundings() const { return terms_ == 0 ? 0 : terms_ - 1 + products_; }
  template <class F>
  static long double gamma(std::uint64_t roundings) {
    const long double all =
        static_cast<long double>(roundings) * std::numeric_limits<F>::epsilon() / 2;
    return all / (1 - all);
  }

  long double value_ = 0;
  long double magnitude_ = 0;
  std::uint64_t terms_ = 0;     // terms added
  std::uint64_t products_ = 0;  // roundings of a term before its addition
};

template <std::floating_point T>
std::vector<Bounded<T>> bounded(const std::vector<T>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// Numbers of either sign from 2⁻¹⁰ to 2¹⁰ with arbitrary bits, so that sums cancel and round. As
/// with numbers(), a failure shrinks to few elements.
template <std::floating_point T>
std::vector<T> rounded_numbers(std::size_t size) {
  std::mt19937_64 random(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
  std::uniform_real_distribution<T> mantissa(1, 2);
  std::vector<T> values(size);
  for (T& value : values) {
    const T magnitude = std::ldexp(mantissa(random), static_cast<int>(random() % 20) - 10);
    value = random() % 2 == 0 ? magnitude : -magnitude;
  }
  return values;
}

/// Fails at the first element that rounding cannot explain.
template <std::floating_point T>
void require_near(const std::vector<T>& actual, const std::vector<Bounded<T>>& expected,
                  const WriterOf& writer_of = {}) {
  RC_ASSERT(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!expected[i].may_be(actual[i])) fail_at(i, actual[i], expected[i], writer_of);
  }
}

}  // namespace bankproof::cuda::tests
