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

// ---- Sums by pairs at a distance that halves (MOD 4)

/// The distance of the first level: the largest power of two below n; 0 for up to one number.
/// (Not by std::bit_floor(): nvcc takes its builtin for 0 in device code.)
constexpr std::uint64_t first_distance(std::uint64_t n) {
  if (n < 2) return 0;
  std::uint64_t distance = 1;
  while (distance < n - distance) distance *= 2;
  return distance;
}

/// Pairs that a level adds, of n numbers: below the first level n is twice the distance.
template <class N>
constexpr N pairs_of_level(const N& n, const N& distance) {
  return smaller(distance, n - distance);
}

// ---- Prefix sums by pairs (MOD 7)

/// Pair i of the numbers below: its first number, its other one, and the one after.
template <class I>
struct PairOf {
  I i;

  constexpr I first() const { return 2 * i; }
  constexpr I other() const { return 2 * i + 1; }
  constexpr I next() const { return 2 * i + 2; }
};
template <class I>
PairOf(I) -> PairOf<I>;

// ---- Tiles

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
