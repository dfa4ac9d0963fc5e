// Address maps: where element (i, j) of a matrix is kept. They are templates over the number type,
// so that the proofs are about what the programs compute.
#pragma once

#include <cstdint>

#include "../model/host_device.hpp"
#include "number.hpp"

namespace bankproof {

/// Row-major order in rows of `pitch` words. i and j may be the rows and columns of all threads of
/// a warp.
template <class I, class J, class N>
BANKPROOF_HOST_DEVICE constexpr auto row_major(const I& i, const J& j, const N& pitch) {
  return i * pitch + j;
}

// ---- Sums by pairs at a distance that halves (MOD 4)

/// The distance of the first level: the largest power of two below n; 0 if n < 2. (Not
/// std::bit_floor(): in device code, nvcc evaluates its builtin to 0.)
BANKPROOF_HOST_DEVICE constexpr std::uint64_t first_distance(std::uint64_t n) {
  if (n < 2) return 0;
  std::uint64_t distance = 1;
  while (distance < n - distance) distance *= 2;
  return distance;
}

/// The number of pairs that a level of n numbers adds. After the first level, n is twice the
/// distance.
template <class N>
BANKPROOF_HOST_DEVICE constexpr N pairs_of_level(const N& n, const N& distance) {
  return smaller(distance, n - distance);
}

// ---- Prefix sums by pairs (MOD 7)

/// Pair i of the numbers one level below: the index of its first number, of its other number, and
/// of the number after the pair.
template <class I>
struct PairOf {
  I i;

  BANKPROOF_HOST_DEVICE constexpr I first() const { return 2 * i; }
  BANKPROOF_HOST_DEVICE constexpr I other() const { return 2 * i + 1; }
  BANKPROOF_HOST_DEVICE constexpr I next() const { return 2 * i + 2; }
};
template <class I>
PairOf(I) -> PairOf<I>;

// ---- Tiles

/// The upper left corner of a block's tile. Blocks 0, 1, … take the m × m tiles of a matrix with
/// `columns` columns, row by row.
template <class N>
struct CornerOf {
  N top;
  N left;

  BANKPROOF_HOST_DEVICE constexpr CornerOf(const N& block, const N& columns, const N& m)
      : top(block / ceil_div(columns, m) * m), left(block % ceil_div(columns, m) * m) {}
};

/// The diagonal arrangement of a w × w tile (THS 6.1): the words of a row are in different banks,
/// and so are the words of a column.
template <class N>
BANKPROOF_HOST_DEVICE constexpr N diagonal(const N& i, const N& j, const N& w) {
  return i * w + (i + j) % w;
}

/// A tile of side 2^k with swizzled rows: the word of (i, j) is in column i xor j.
template <class N>
BANKPROOF_HOST_DEVICE constexpr N swizzled(const N& i, const N& j, const N& k) {
  return (i << k) + (i ^ j);
}

// ---- Sweeps over a matrix (sweep.hpp)

/// The elements of one turn: rows row … row + rows − 1, and in each of them columns column … column
/// + columns − 1. The first of these columns belongs to the first thread of a warp.
template <class N>
struct SweepTurn {
  N row;
  N rows;
  N column;
  N columns;
};

/// The turns in which p threads in warps of w take the elements of a matrix; a template for closed
/// forms.
template <class N>
struct SweepShape {
  N rows;
  N columns;
  N p;
  N w;

  BANKPROOF_HOST_DEVICE constexpr N row_threads() const {
    return smaller(p, larger(rounded_up(columns, w), w));
  }
  BANKPROOF_HOST_DEVICE constexpr N rows_at_once() const { return p / row_threads(); }
  BANKPROOF_HOST_DEVICE constexpr N pieces() const { return ceil_div(columns, row_threads()); }
  BANKPROOF_HOST_DEVICE constexpr N turns() const {
    return ceil_div(rows, rows_at_once()) * pieces();
  }
  BANKPROOF_HOST_DEVICE constexpr SweepTurn<N> turn(const N& t) const {
    const N row = t / pieces() * rows_at_once();
    const N column = t % pieces() * row_threads();
    return {row, smaller(rows_at_once(), rows - row), column,
            smaller(row_threads(), columns - column)};
  }
  /// The element of a thread. Threads from rows_at_once() · row_threads() on have no element.
  BANKPROOF_HOST_DEVICE constexpr N row_of(const N& t, const N& thread) const {
    return row_major(t / pieces(), thread / row_threads(), rows_at_once());
  }
  BANKPROOF_HOST_DEVICE constexpr N column_of(const N& t, const N& thread) const {
    return row_major(t % pieces(), thread % row_threads(), row_threads());
  }
};

// ---- Cells of a line with ghost cells (CONV 7)

/// The values of the cells beyond the ends of a row.
enum class GhostCells : std::uint8_t { zero, nearest };

/// The element that stands for element `index` of an endless row, of which `length` elements exist;
/// length ≥ 1. An index below 0 wraps around to a huge number.
BANKPROOF_HOST_DEVICE constexpr std::uint64_t nearest_cell(std::uint64_t index,
                                                           std::uint64_t length) {
  if (index < length) return index;
  return index >> 63U != 0 ? 0 : length - 1;
}

/// The halo cell that a thread loads in a turn. The turns for the left halo are 1, 2, …, the turns
/// for the right halo 0, 1, …. The radius is v, and a block has t threads.
template <class N, class Threads>
BANKPROOF_HOST_DEVICE constexpr Threads left_cell(const N& v, const N& t, const N& turn,
                                                  const Threads& thread) {
  return v + thread - turn * t;
}
template <class N, class Threads>
BANKPROOF_HOST_DEVICE constexpr Threads right_cell(const N& v, const N& t, const N& turn,
                                                   const Threads& thread) {
  return v + t + turn * t + thread;
}

}  // namespace bankproof
