// Arrays of more than 2^32 bytes, for the tests of large_….cpp. An oracle would take too long for
// them, so a formula gives the expected elements, and the device evaluates it.
//
//     fill(a.data(), n, Numbered{});
//     EXPECT_EQ(differences(b.data(), n, Reversed{n}).count, 0U);
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <ostream>

namespace bankproof::cuda::tests {

// ---- Formulas: the value of element i, mod 2^32. Matrices are in row-major order.

/// i.
struct Numbered {};
/// of[i mod period].
struct Repeated {
  const std::uint32_t* of;
  std::size_t period;
};
/// n − 1 − i.
struct Reversed {
  std::size_t n;
};
/// i with its lowest bits in reverse order.
struct BitsReversed {
  unsigned bits;
};
/// The sum 0 + 1 + … + i.
struct Summed {};
/// An element of the transpose of a matrix of numbered elements.
struct Transposed {
  std::size_t rows;  // of the matrix
  std::size_t columns;
};
/// An element of a rearranged matrix: element (rows[y], columns[x]) of the numbered one is at (y,
/// x).
struct Rearranged {
  const std::uint32_t* rows;
  const std::uint32_t* columns;
  std::size_t width;
};
/// An element of the summed area table of numbered elements.
struct SummedArea {
  std::size_t columns;
};
/// 0·i + 1·(i + 1) + … + (m − 1)·(i + m − 1).
struct Correlated {
  std::size_t m;
};
/// An element of a convolution: the image has numbered elements and several channels, the mask has
/// the weights 1, 2, …, and pixels beyond the edges are 0. The mask has mask_rows × (2v + 1)
/// weights; for a line, mask_rows is 1.
struct Convolved {
  std::size_t rows;
  std::size_t columns;
  std::size_t channels;
  std::size_t mask_rows;
  std::size_t v;
};
/// An element of the product of two matrices of numbered elements.
struct Multiplied {
  std::size_t inner;
  std::size_t columns;
};

/// Sets each a[i] to the formula's element i.
template <class T, class Formula>
void fill(T* a, std::size_t n, const Formula& formula);

/// The number of elements that differ from the formula's, and the index of the first such element
/// (n if all agree).
struct Differences {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::uint32_t actual = 0;
};
inline void PrintTo(const Differences& of, std::ostream* out) {
  *out << of.count << " differences, the first at element " << of.first << ", which is "
       << of.actual;
}
template <class Formula>
Differences differences(const std::uint32_t* a, std::size_t n, const Formula& formula);

}  // namespace bankproof::cuda::tests
