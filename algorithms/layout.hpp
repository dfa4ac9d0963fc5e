// Address maps: where element (i, j) of a matrix is kept. Templates over the number type, so that
// what programs compute is what is proved.
#pragma once

#include "number.hpp"

namespace bankproof {

/// Row-major order in rows of `pitch` words. Rows and columns may be those of all threads of a
/// warp.
template <class I, class J, class N>
constexpr auto row_major(const I& i, const J& j, const N& pitch) {
  return i * pitch + j;
}

/// The upper left corner of the tile that a block has: m × m tiles, row by row, of a matrix of so
/// many columns.
template <class N>
struct CornerOf {
  N top;
  N left;

  constexpr CornerOf(const N& block, const N& columns, const N& m)
      : top(block / ceil_div(columns, m) * m), left(block % ceil_div(columns, m) * m) {}
};

/// The diagonal arrangement of a w × w tile (THS 6.1): the words of a row are in different banks,
/// and those of a column, too.
template <class N>
constexpr N diagonal(const N& i, const N& j, const N& w) {
  return i * w + (i + j) % w;
}

/// A tile of side 2^k whose rows are swizzled: the word of (i, j) is in column i xor j.
template <class N>
constexpr N swizzled(const N& i, const N& j, const N& k) {
  return (i << k) + (i ^ j);
}

}  // namespace bankproof
