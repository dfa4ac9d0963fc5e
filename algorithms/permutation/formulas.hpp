// The formulas of the named permutations. Each is a small value with a size and a map from the
// index i of an element to the place P(i) where the element goes. The formulas of THS 4.4 are
// templates over the number type. Nothing here checks parameters; named.hpp does.
//
// Example: Transpose{2, 3} takes the row-major 2×3 matrix 0 1 2 / 3 4 5 to column-major order, so
// P is 0, 2, 4, 1, 3, 5.
#pragma once

#include <concepts>
#include <cstdint>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "../number.hpp"

namespace bankproof::formulas {

/// Row-major element i of a matrix goes to its place in column-major order.
template <class N>
constexpr N transposed(const N& i, const N& rows, const N& columns) {
  return i % columns * rows + i / columns;
}
/// Elements of the first half go to even places, elements of the second half to odd places.
template <class N>
constexpr N shuffled(const N& i, const N& half) {
  return select(i < half, N(2) * i, N(2) * (i - half) + N(1));
}

struct Identity {
  std::uint64_t n;
  std::uint64_t size() const { return n; }
  std::uint64_t operator()(std::uint64_t i) const { return i; }
};

/// Row-major to column-major (THS 4.4).
struct Transpose {
  std::uint64_t rows, columns;
  std::uint64_t size() const { return rows * columns; }
  template <class N>
  N operator()(const N& i) const {
    return transposed(i, N(rows), N(columns));
  }
};

/// The first half goes to even places, the second half to odd places. For n = 2^k, every index has
/// its bits rotated left by one: the shuffle of THS 4.4. Requires an even n.
struct Shuffle {
  std::uint64_t n;
  std::uint64_t size() const { return n; }
  template <class N>
  N operator()(const N& i) const {
    return shuffled(i, N(n / 2));
  }
};

/// The inverse of the shuffle. Requires an even n.
struct Unshuffle {
  std::uint64_t n;
  std::uint64_t size() const { return n; }
  template <class N>
  N operator()(const N& i) const {
    return i / N(2) + i % N(2) * N(n / 2);
  }
};

/// The bits of every index in reverse order (THS 4.4). Requires n = 2^k.
struct BitReversal {
  std::uint64_t n;
  std::uint64_t size() const { return n; }
  template <class N>
  N operator()(const N& i) const {
    N reversed(0);
    N rest = i;
    for (std::uint64_t bit = 1; bit < n; bit *= 2) {
      reversed = N(2) * reversed + rest % N(2);
      rest = rest / N(2);
    }
    return reversed;
  }
};

/// Row-major to Z-order: bit 2k of the place is bit k of the column, and bit 2k+1 is bit k of the
/// row. If the matrix is not square, the remaining bits of the longer side are the highest bits of
/// the place. Requires powers of two.
struct Morton {
  std::uint64_t rows, columns;
  std::uint64_t size() const { return rows * columns; }
  std::uint64_t operator()(std::uint64_t i) const {
    std::uint64_t row = i / columns;
    std::uint64_t column = i % columns;
    std::uint64_t place = 0;
    int shift = 0;
    for (std::uint64_t side = 1; side < rows && side < columns; side *= 2, shift += 2) {
      place |= (column % 2 | row % 2 << 1) << shift;
      row /= 2;
      column /= 2;
    }
    return place | (row | column) << shift;  // at most one of the two has bits left
  }
};

/// The layout of an image batch: channels move from second to last.
struct NchwToNhwc {
  std::uint64_t images, channels, height, width;
  std::uint64_t size() const { return images * channels * height * width; }
  std::uint64_t operator()(std::uint64_t i) const {
    const std::uint64_t pixels = height * width;
    const std::uint64_t pixel = i % pixels;
    const std::uint64_t channel = i / pixels % channels;
    const std::uint64_t image = i / pixels / channels;
    return (image * pixels + pixel) * channels + channel;
  }
};

/// The exchange of partners at one stage of an FFT, or a shuffle-xor: one bit of the index flips.
/// Requires n to be a multiple of 2^(stage+1).
struct Butterfly {
  std::uint64_t n, stage;
  std::uint64_t size() const { return n; }
  std::uint64_t operator()(std::uint64_t i) const { return i ^ std::uint64_t{1} << stage; }
};

/// Uniform over all permutations, as far as the generator is: Fisher and Yates' shuffle. The
/// standard fixes mt19937_64 but no distribution; the bounded draw below is the same on every
/// platform.
struct Random {
  std::uint64_t n, seed;
  std::uint64_t size() const { return n; }

  /// Uniform in 0 … range−1: the remainder of a 64-bit draw. A draw that falls into the last,
  /// incomplete run of remainders below 2^64 is repeated. Requires range ≥ 1.
  static std::uint64_t draw(std::mt19937_64& generator, std::uint64_t range) {
    for (;;) {
      const std::uint64_t drawn = generator();
      const std::uint64_t remainder = drawn % range;
      if (drawn - remainder <= ~std::uint64_t{0} - (range - 1)) return remainder;
    }
  }

  template <std::unsigned_integral Index>
  void shuffle(std::vector<Index>& values) const {
    std::mt19937_64 generator(seed);
    for (std::uint64_t i = n - 1; i > 0; --i) std::swap(values[i], values[draw(generator, i + 1)]);
  }
};

/// Any of the formulas. Blocked to striped has no separate formula: it is the transpose of the
/// thread × item matrix.
using Formula = std::variant<Identity, Transpose, Shuffle, Unshuffle, BitReversal, Morton,
                             NchwToNhwc, Butterfly, Random>;

}  // namespace bankproof::formulas
