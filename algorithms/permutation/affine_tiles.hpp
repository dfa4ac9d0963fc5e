// Affine permutations of arrays in global memory (affine.hpp), in tiles that fit in a shared memory
// and that are read and written in whole runs of w = 2^m elements.
//
// Let K be the indices below w, and A the map's matrix. A tile is a coset of a space V. V contains
// K, so the tile is read in runs of w elements; V also contains A⁻¹K, so the tile's images are
// written in such runs. K and A⁻¹K both have m dimensions, so V needs at most 2m. If V has more
// dimensions, a tile has more elements, and a block has more to do. Transpose and bit-reversal need
// 2m, shuffles m + 1.
//
// Let u₁, u₂, … extend a basis of K to a basis of V. An element of V is given by t in K and by c:
// it is the sum of t and of each u_k for which bit k of c is set. In shared memory it is in word
// c·w + (t ⊕ G(c)). A run that is read has one c and all t: different banks. A run that is written
// is a coset of A⁻¹K. Let the first of the u_k be vectors of A⁻¹K that, together with K, span K +
// A⁻¹K. Let G take them to vectors of K that, together with the intersection of K and A⁻¹K, span K.
// Then t ⊕ G(c) takes all w values on A⁻¹K. For a transpose, this is the usual swizzle.
//
// Example: transpose of 2^b × 2^b elements: A⁻¹K are the first w words of column 0, u_k = 2^(b+k),
// G(c) is c, and a tile has w × w elements.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "affine.hpp"

namespace bankproof {

/// Where element r of a tile is, if r counts the elements in the order of reading (from, put) or in
/// the order of writing (to, taken). All places are linear maps of r; the arrays hold the values of
/// these maps at the powers of two.
struct AffineTiles {
  static constexpr unsigned most_bits = 12;

  unsigned bits = 0;        ///< a tile has 2^bits elements
  unsigned tiles_bits = 0;  ///< there are 2^tiles_bits tiles
  // No std::array: its functions are not device functions, so kernels cannot use it.
  std::uint64_t from[most_bits] = {};  ///< the place in a, in the order of reading
  std::uint64_t to[most_bits] = {};    ///< the place in b, in the order of writing
  /// The word of shared memory to which element r is put (in the order of reading), and from which
  /// element r is taken (in the order of writing).
  std::uint32_t put[most_bits] = {};
  std::uint32_t taken[most_bits] = {};
  /// The words of a and of b at which tiles begin: linear maps of the tile's number, by its bits.
  /// `offset` is the word of b at which tile 0 begins.
  std::uint64_t begin_from[64] = {};
  std::uint64_t begin_to[64] = {};
  std::uint64_t offset = 0;
};

namespace detail {

/// Vectors, with coordinates in the order in which the vectors were added.
class Coordinates {
 public:
  /// Adds the vector if it is independent of the earlier ones, and returns whether it was.
  bool add(std::uint64_t vector) {
    const auto [rest, known] = reduced(vector);
    if (rest == 0) return false;
    const std::uint64_t own = std::uint64_t{1} << rows_.size();
    rows_.emplace_back(rest, known ^ own);
    vectors_.push_back(vector);
    return true;
  }
  std::size_t size() const { return vectors_.size(); }
  std::uint64_t operator[](std::size_t k) const { return vectors_[k]; }
  /// The set of added vectors whose sum is this vector, as bits. Requires that there is one.
  std::uint64_t of(std::uint64_t vector) const { return reduced(vector).second; }

 private:
  /// Subtracts vectors of the basis; returns the remainder and the set of subtracted vectors.
  std::pair<std::uint64_t, std::uint64_t> reduced(std::uint64_t vector) const {
    std::uint64_t taken = 0;
    for (const auto& [row, sum] : rows_) {
      if ((vector ^ row) >= vector) continue;
      vector ^= row;
      taken ^= sum;
    }
    return {vector, taken};
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows_;  ///< no two have the same highest bit
  std::vector<std::uint64_t> vectors_;
};

/// A⁻¹ of the unit vectors. Requires an invertible map.
inline std::vector<std::uint64_t> inverse_columns(const AffineMap& map) {
  Coordinates images;
  for (unsigned k = 0; k < map.bits; ++k) images.add(map.columns[k]);
  std::vector<std::uint64_t> columns(map.bits);
  for (unsigned k = 0; k < map.bits; ++k) columns[k] = images.of(std::uint64_t{1} << k);
  return columns;
}

}  // namespace detail

/// Tiles of at most 2^most_bits elements for runs of 2^run_bits elements. Requires an invertible
/// map, and 2·run_bits ≤ most_bits ≤ AffineTiles::most_bits.
inline AffineTiles tiles_of(const AffineMap& map, unsigned run_bits, unsigned most_bits) {
  const unsigned m = std::min(run_bits, map.bits);
  const auto unit = [](unsigned k) { return std::uint64_t{1} << k; };
  const std::vector<std::uint64_t> inverse = detail::inverse_columns(map);
  const auto image = [&](std::uint64_t vector) { return map(vector) ^ map.offset; };

  // A basis of V: first of K, then of A⁻¹K, then vectors that make the runs of a and of b longer.
  detail::Coordinates space;
  for (unsigned k = 0; k < m; ++k) space.add(unit(k));
  for (unsigned k = 0; k < m; ++k) space.add(inverse[k]);
  const std::size_t needed = space.size();
  for (unsigned k = m; k < map.bits; ++k) {
    if (space.size() < most_bits) space.add(unit(k));
    if (space.size() < most_bits) space.add(inverse[k]);
  }

  // The values of G: vectors of K that are independent of A⁻¹K.
  detail::Coordinates within;
  for (unsigned k = 0; k < m; ++k) within.add(inverse[k]);
  std::vector<std::uint32_t> swizzle;
  for (unsigned k = 0; k < m && swizzle.size() + m < needed; ++k) {
    if (within.add(unit(k))) swizzle.push_back(std::uint32_t{1} << k);
  }
  swizzle.resize(space.size() - m);
  const auto word = [&](std::uint64_t coordinates) {
    auto result = static_cast<std::uint32_t>(coordinates);
    for (std::size_t k = 0; k < swizzle.size(); ++k) {
      if ((coordinates >> (m + k) & 1U) != 0) result ^= swizzle[k];
    }
    return result;
  };

  AffineTiles tiles;
  tiles.bits = static_cast<unsigned>(space.size());
  tiles.tiles_bits = map.bits - tiles.bits;
  tiles.offset = map.offset;
  // The order of writing: the runs of b, then the rest of V.
  detail::Coordinates written;
  for (unsigned k = 0; k < m; ++k) written.add(inverse[k]);
  for (unsigned k = 0; k < tiles.bits; ++k) written.add(space[k]);
  for (unsigned k = 0; k < tiles.bits; ++k) {
    tiles.from[k] = space[k];
    tiles.put[k] = word(unit(k));
    tiles.to[k] = image(written[k]);
    tiles.taken[k] = word(space.of(written[k]));
  }
  for (unsigned k = 0, tile = 0; k < map.bits; ++k) {
    if (!space.add(unit(k))) continue;
    tiles.begin_from[tile] = unit(k);
    tiles.begin_to[tile] = image(unit(k));
    ++tile;
  }
  return tiles;
}

}  // namespace bankproof
