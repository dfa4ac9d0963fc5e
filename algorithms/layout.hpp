// Address maps: where element (i, j) of a matrix is kept. Templates over the number type, so that
// what programs compute is what is proved.
#pragma once

namespace bankproof {

/// Row-major order in rows of `pitch` words.
template <class N>
constexpr N row_major(const N& i, const N& j, const N& pitch) {
  return i * pitch + j;
}

/// The diagonal arrangement of a w × w tile (THS 6.1): the words of a row are in different banks,
/// and those of a column, too.
template <class N>
constexpr N diagonal(const N& i, const N& j, const N& w) {
  return i * w + (i + j) % w;
}

}  // namespace bankproof
