// Oracle for transposes: element by element.
//
// Example: (1 2 3; 4 5 6) becomes (1 4; 2 5; 3 6).
#pragma once

#include <cstdint>
#include <vector>

namespace bankproof::oracle {

/// b[j][i] = a[i][j], both in row-major order.
template <class T>
std::vector<T> transposed(const std::vector<T>& a, std::uint64_t rows, std::uint64_t columns) {
  std::vector<T> b;
  for (std::uint64_t j = 0; j < columns; ++j) {
    for (std::uint64_t i = 0; i < rows; ++i) b.push_back(a[i * columns + j]);
  }
  return b;
}

}  // namespace bankproof::oracle
