// Values for runs of algorithms. The values obey only the laws that the algorithm requires. If the
// algorithm does not need a commutative +, the + of these values is not commutative, so that tests
// notice swapped operands.
#pragma once

#include <cstdint>
#include <numeric>
#include <ostream>
#include <random>
#include <stdexcept>

#include "../algorithms/algorithm.hpp"

namespace bankproof::testing {

/// The maps x → factor·x + offset modulo 2⁶⁴. The sum of two maps applies the left map first, so +
/// does not commute.
struct AffineMap64 {
  std::uint64_t factor = 1;
  std::uint64_t offset = 0;

  friend AffineMap64 operator+(const AffineMap64& first, const AffineMap64& then) {
    return {then.factor * first.factor, then.factor * first.offset + then.offset};
  }
  bool operator==(const AffineMap64&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const AffineMap64& map) {
  return out << map.factor << "x+" << map.offset;
}

/// Whole numbers whose + is the maximum. This + has no inverse, and its zero is the least number.
struct Maximum {
  std::uint64_t value = 0;

  friend Maximum operator+(const Maximum& a, const Maximum& b) {
    return {a.value < b.value ? b.value : a.value};
  }
  Maximum& operator+=(const Maximum& b) { return *this = *this + b; }
  bool operator==(const Maximum&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Maximum& maximum) {
  return out << maximum.value;
}

/// Exact fractions, in lowest terms with a positive denominator. A fraction that does not fit is an
/// error.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;

  friend Fraction operator+(const Fraction& a, const Fraction& b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(product(a.numerator, b.denominator),
                               product(b.numerator, a.denominator), &sum)) {
      throw std::overflow_error("the sum of two fractions does not fit");
    }
    return reduced(sum, product(a.denominator, b.denominator));
  }
  friend Fraction operator-(const Fraction& a, const Fraction& b) {
    return a + Fraction{-b.numerator, b.denominator};
  }
  friend Fraction operator*(const Fraction& a, const Fraction& b) {
    return reduced(product(a.numerator, b.numerator), product(a.denominator, b.denominator));
  }
  Fraction& operator+=(const Fraction& b) { return *this = *this + b; }
  Fraction& operator-=(const Fraction& b) { return *this = *this - b; }
  bool operator==(const Fraction&) const = default;

  /// Requires a positive denominator.
  static Fraction reduced(std::int64_t numerator, std::int64_t denominator) {
    const std::int64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
  }

 private:
  static std::int64_t product(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    if (__builtin_mul_overflow(a, b, &result)) {
      throw std::overflow_error("the product of two fractions does not fit");
    }
    return result;
  }
};
inline std::ostream& operator<<(std::ostream& out, const Fraction& fraction) {
  return out << fraction.numerator << '/' << fraction.denominator;
}

inline void draw(AffineMap64& value, std::mt19937_64& random) { value = {random(), random()}; }
inline void draw(Maximum& value, std::mt19937_64& random) { value = {random()}; }
inline void draw(std::uint64_t& value, std::mt19937_64& random) { value = random(); }
/// The denominators divide 12, so that sums of products stay small.
inline void draw(Fraction& value, std::mt19937_64& random) {
  const auto number = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  value = Fraction::reduced(number(200) - 100, number(4));
}

/// The values with the given algebra and as few other laws as possible; for groups and rings,
/// fractions.
template <Algebra algebra>
struct PoorestOf {
  using Type = Fraction;
};
template <>
struct PoorestOf<Algebra::monoid> {
  using Type = AffineMap64;
};
template <>
struct PoorestOf<Algebra::commutative_monoid> {
  using Type = Maximum;
};

/// Random arrays of these shapes.
template <class T>
Inputs<T> random_inputs(const std::vector<Shape>& shapes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Inputs<T> inputs;
  for (const Shape& shape : shapes) {
    auto& values = inputs.emplace_back(shape.size());
    for (T& value : values) draw(value, random);
  }
  return inputs;
}

}  // namespace bankproof::testing
