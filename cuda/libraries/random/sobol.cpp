// See sobol.hpp.
#include "sobol.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace bankproof::cuda::random {
namespace {

/// The primitive polynomial of a dimension, and its first direction numbers.
struct Polynomial {
  unsigned degree = 0;
  unsigned inner = 0;  // its coefficients between the first and the last
  std::array<std::uint64_t, 6> m{};
};

// Dimension 0 has no polynomial: it is van der Corput's sequence.
constexpr std::array polynomials = {
    Polynomial{1, 0, {1}},
    Polynomial{2, 1, {1, 3}},
    Polynomial{3, 1, {1, 3, 1}},
    Polynomial{3, 2, {1, 1, 1}},
    Polynomial{4, 1, {1, 1, 3, 3}},
    Polynomial{4, 4, {1, 3, 5, 13}},
    Polynomial{5, 2, {1, 1, 5, 5, 17}},
    Polynomial{5, 4, {1, 1, 5, 5, 5}},
    Polynomial{5, 7, {1, 1, 7, 11, 19}},
};

constexpr unsigned width = 64;
using Directions = std::array<std::uint64_t, width>;

Directions directions_of(unsigned dimension) {
  Directions v{};
  if (dimension == 0) {
    for (unsigned k = 0; k < width; ++k) v[k] = std::uint64_t{1} << (width - 1 - k);
    return v;
  }
  const Polynomial& p = polynomials[dimension - 1];
  for (unsigned k = 0; k < width; ++k) {
    if (k < p.degree) {
      v[k] = p.m[k] << (width - 1 - k);
      continue;
    }
    v[k] = v[k - p.degree] ^ (v[k - p.degree] >> p.degree);
    for (unsigned j = 1; j < p.degree; ++j) {
      if ((p.inner >> (p.degree - 1 - j) & 1U) != 0) v[k] ^= v[k - j];
    }
  }
  return v;
}

}  // namespace

unsigned most_dimensions() { return static_cast<unsigned>(polynomials.size()) + 1; }

std::vector<std::uint64_t> sobol_points(unsigned dimension, std::uint64_t first,
                                        std::size_t count) {
  const Directions v = directions_of(dimension);
  std::uint64_t x = 0;
  const std::uint64_t gray = first ^ (first >> 1U);
  for (unsigned k = 0; k < width; ++k) {
    if ((gray >> k & 1U) != 0) x ^= v[k];
  }
  std::vector<std::uint64_t> points;
  points.reserve(count);
  for (std::uint64_t n = first; points.size() < count; ++n) {
    points.push_back(x);
    x ^= v[static_cast<std::size_t>(std::countr_one(n)) % width];
  }
  return points;
}

}  // namespace bankproof::cuda::random
