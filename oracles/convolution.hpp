// Oracle for convolutions: direct (HMM V) and of images (OPT III), with ghost cells (CONV 7.1). It
// computes one output after the other and adds its terms in order.
//
// It must stay slow and plain: the definition, with a test for each index.
//
// Example: x = (1, 2), y = (3, 4, 5): z = (1·3 + 2·4, 1·4 + 2·5).
#pragma once

#include <cstdint>
#include <vector>

namespace bankproof::oracle {

/// z[i] = x[0]·y[i] + x[1]·y[i + 1] + …, for every i whose terms all lie in y.
template <class T>
std::vector<T> direct_convolution(const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> z;
  for (std::size_t i = 0; i + x.size() <= y.size(); ++i) {
    T sum{};
    for (std::size_t j = 0; j < x.size(); ++j) sum = static_cast<T>(sum + x[j] * y[i + j]);
    z.push_back(sum);
  }
  return z;
}

/// c(i, j) = Σ a(i+s, j+t)·b(v+s, v+t) over −v ≤ s, t ≤ v; pixels (i+s, j+t) outside the image are
/// skipped.
template <class T>
std::vector<T> image_convolution(const std::vector<T>& a, const std::vector<T>& b,
                                 std::uint64_t rows, std::uint64_t columns, std::uint64_t v) {
  const auto signed_rows = static_cast<std::int64_t>(rows);
  const auto signed_columns = static_cast<std::int64_t>(columns);
  const auto radius = static_cast<std::int64_t>(v);
  std::vector<T> c;
  for (std::int64_t i = 0; i < signed_rows; ++i) {
    for (std::int64_t j = 0; j < signed_columns; ++j) {
      T sum{};
      for (std::int64_t s = -radius; s <= radius; ++s) {
        for (std::int64_t t = -radius; t <= radius; ++t) {
          const std::int64_t y = i + s;
          const std::int64_t x = j + t;
          if (y < 0 || y >= signed_rows || x < 0 || x >= signed_columns) continue;
          const T& pixel = a[static_cast<std::size_t>(y * signed_columns + x)];
          const T& weight =
              b[static_cast<std::size_t>((radius + s) * (2 * radius + 1) + radius + t)];
          sum = static_cast<T>(sum + pixel * weight);
        }
      }
      c.push_back(sum);
    }
  }
  return c;
}

}  // namespace bankproof::oracle
