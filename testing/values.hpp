// Values for runs of algorithms, each as poor as an algorithm allows: where + need not commute it
// does not here, so that no operand can be swapped unnoticed.
#pragma once

#include <cstdint>
#include <ostream>
#include <random>

#include "../algorithms/algorithm.hpp"

namespace bankproof::testing {

/// The maps x → factor·x + offset modulo 2⁶⁴, added by doing the left one first: a monoid that does
/// not commute.
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

/// Whole numbers with their maximum for +, which has no inverse; zero is the least.
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

inline void draw(AffineMap64& value, std::mt19937_64& random) { value = {random(), random()}; }
inline void draw(Maximum& value, std::mt19937_64& random) { value = {random()}; }
inline void draw(std::uint64_t& value, std::mt19937_64& random) { value = random(); }

/// The poorest values with such an algebra; for groups and rings, integers that wrap.
template <Algebra algebra>
struct PoorestOf {
  using Type = std::uint64_t;
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
