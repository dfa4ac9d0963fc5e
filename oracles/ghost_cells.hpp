// Oracle for convolutions with ghost cells (CONV 7.1). It computes one output after the other, term
// by term; cell() says what an index beyond the ends stands for.
//
// It must stay slow and plain.
//
// Example: N = (1, 2, 3), M = (1, 1, 1): zeros as ghost cells give (3, 6, 5), the nearest cells (4,
// 6, 8).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace bankproof::oracle {

/// The index of the value that a cell stands for; nothing if the cell is a zero.
inline std::optional<std::uint64_t> cell(std::int64_t index, std::uint64_t length, bool nearest) {
  const auto end = static_cast<std::int64_t>(length);
  if (index >= 0 && index < end) return static_cast<std::uint64_t>(index);
  if (!nearest) return std::nullopt;
  return index < 0 ? 0 : length - 1;
}

/// P[i] = Σ N[i − v + j]·M[j], where M has 2v + 1 numbers.
template <class T>
std::vector<T> convolution_of_line(const std::vector<T>& n, const std::vector<T>& m, bool nearest) {
  const auto v = static_cast<std::int64_t>(m.size() / 2);
  std::vector<T> p;
  for (std::size_t i = 0; i < n.size(); ++i) {
    T sum{};
    for (std::size_t j = 0; j < m.size(); ++j) {
      const auto index = cell(static_cast<std::int64_t>(i + j) - v, n.size(), nearest);
      if (index) sum = static_cast<T>(sum + n[*index] * m[j]);
    }
    p.push_back(sum);
  }
  return p;
}

/// The convolution of an image, channel by channel; the channels of a pixel are neighbours.
template <class T>
std::vector<T> convolution_of_image(const std::vector<T>& n, const std::vector<T>& m,
                                    std::uint64_t rows, std::uint64_t columns,
                                    std::uint64_t channels, std::uint64_t radius, bool nearest) {
  const auto v = static_cast<std::int64_t>(radius);
  const std::uint64_t side = 2 * radius + 1;
  std::vector<T> p;
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      for (std::uint64_t c = 0; c < channels; ++c) {
        T sum{};
        for (std::uint64_t s = 0; s < side; ++s) {
          for (std::uint64_t u = 0; u < side; ++u) {
            const auto y = cell(static_cast<std::int64_t>(i + s) - v, rows, nearest);
            const auto x = cell(static_cast<std::int64_t>(j + u) - v, columns, nearest);
            if (!y || !x) continue;
            const T& value = n[(*y * columns + *x) * channels + c];
            sum = static_cast<T>(sum + value * m[s * side + u]);
          }
        }
        p.push_back(sum);
      }
    }
  }
  return p;
}

/// The radius of a three-dimensional mask in each dimension.
struct Radii {
  std::uint64_t depth;
  std::uint64_t rows;
  std::uint64_t columns;
};

/// The convolution of a volume in row-major order; cells outside the volume are zero.
template <class T>
std::vector<T> convolution_of_volume(const std::vector<T>& n, const std::vector<T>& m,
                                     std::uint64_t depth, std::uint64_t rows, std::uint64_t columns,
                                     const Radii& radii) {
  const auto of = [](std::uint64_t at, std::uint64_t offset, std::uint64_t radius,
                     std::uint64_t length) {
    return cell(static_cast<std::int64_t>(at + offset) - static_cast<std::int64_t>(radius), length,
                false);
  };
  std::vector<T> p;
  for (std::uint64_t h = 0; h < depth; ++h) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint64_t j = 0; j < columns; ++j) {
        T sum{};
        std::size_t weight = 0;
        for (std::uint64_t r = 0; r <= 2 * radii.depth; ++r) {
          for (std::uint64_t s = 0; s <= 2 * radii.rows; ++s) {
            for (std::uint64_t u = 0; u <= 2 * radii.columns; ++u) {
              const T& factor = m[weight++];
              const auto z = of(h, r, radii.depth, depth);
              const auto y = of(i, s, radii.rows, rows);
              const auto x = of(j, u, radii.columns, columns);
              if (!z || !y || !x) continue;
              sum = static_cast<T>(sum + n[(*z * rows + *y) * columns + *x] * factor);
            }
          }
        }
        p.push_back(sum);
      }
    }
  }
  return p;
}

}  // namespace bankproof::oracle
