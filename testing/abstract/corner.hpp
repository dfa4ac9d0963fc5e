// Formal sums of the elements of a matrix, for summed area tables. Their generators are the
// matrix's prefix corners:
//
//   B(y, x) = Σ a[i][j] over i < y, j < x, for y, x ≥ 1
//
// Corners and elements are bases of the same free group: each corner is a sum of elements, and
// a[i][j] = B(i + 1, j + 1) − B(i, j + 1) − B(i + 1, j) + B(i, j), where B(0, ·) and B(·, 0) are 0.
// So two formal sums of corners are equal exactly if they are equal as formal sums of elements. The
// sum of a rectangle, which is what these algorithms pass around, has at most four terms.
//
// Example: of a 2 × 2 matrix, a[1][1] is +B(2,2)−B(1,2)−B(2,1)+B(1,1), up to the order of the
// terms.
#pragma once

#include <compare>
#include <cstdint>
#include <ostream>
#include <vector>

#include "formal.hpp"

namespace bankproof::testing {

struct Corner {
  std::uint32_t y;
  std::uint32_t x;

  auto operator<=>(const Corner&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Corner& corner) {
  return out << "B(" << corner.y << "," << corner.x << ")";
}

using CornerSum = Formal<Corner>;

/// The sum of all a[i][j] with i < y and j < x.
inline CornerSum corner_sum(std::uint64_t y, std::uint64_t x) {
  if (y == 0 || x == 0) return {};
  return CornerSum(Corner{static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(x)});
}

/// a[i][j].
inline CornerSum element_by_corners(std::uint64_t i, std::uint64_t j) {
  return corner_sum(i + 1, j + 1) - corner_sum(i, j + 1) - corner_sum(i + 1, j) + corner_sum(i, j);
}

/// A matrix of indeterminates, in row-major order, and the table it must have.
struct CornerMatrix {
  std::vector<CornerSum> elements;
  std::vector<CornerSum> table;

  CornerMatrix(std::uint64_t rows, std::uint64_t columns) {
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint64_t j = 0; j < columns; ++j) {
        elements.push_back(element_by_corners(i, j));
        table.push_back(corner_sum(i + 1, j + 1));
      }
    }
  }
};

}  // namespace bankproof::testing
