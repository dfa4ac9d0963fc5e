// Oracle for the matrix product (OPT V). It computes one element of c = ab after the other and adds
// its terms in the order of k.
//
// It must stay slow and plain: three nested loops, no tiles.
//
// Example: (1 2) times the column (3 4) is 1·3 + 2·4 = 11.
#pragma once

#include <cstdint>
#include <vector>

namespace bankproof::oracle {

/// c = a·b for a of rows × inner and b of inner × columns elements, in row-major order.
template <class T>
std::vector<T> matrix_product(const std::vector<T>& a, const std::vector<T>& b, std::uint64_t rows,
                              std::uint64_t inner, std::uint64_t columns) {
  std::vector<T> c;
  for (std::uint64_t i = 0; i < rows; ++i) {
    for (std::uint64_t j = 0; j < columns; ++j) {
      T sum{};
      for (std::uint64_t k = 0; k < inner; ++k) {
        sum = static_cast<T>(sum + a[i * inner + k] * b[k * columns + j]);
      }
      c.push_back(sum);
    }
  }
  return c;
}

}  // namespace bankproof::oracle
