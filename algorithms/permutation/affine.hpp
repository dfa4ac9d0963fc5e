// Permutations of 2^b elements whose index map is affine over GF(2): P(i) = A·i ⊕ c, where the bits
// of i are a vector and A is an invertible bit matrix. For powers of two, transpose, shuffle,
// bit-reversal, butterflies, Morton order and xor swizzles are affine. Affine permutations have
// conflict-free plans that need no table (THS 4.4 gives three, for n = 1024).
//
// Let w = 2^m. A warp reads from S(j) for j = k·w + t and lanes t < w. Let S be linear, let U be
// the image under S of the lanes' m bits, and let K be the indices whose low m bits are 0. Reading
// is conflict-free if U meets K only in 0. Writing to D(j) = P(S(j)) is conflict-free if U meets
// A⁻¹K only in 0. K and A⁻¹K both have b − m dimensions, and two subspaces of equal dimension
// always have a common complement. Let x₁…xᵣ and y₁…yᵣ extend a basis of their intersection to
// bases of the two subspaces. Then the xᵢ + yᵢ and a complement of the sum of the subspaces span a
// common complement.
//
// Few operations suffice. As U is a complement of K, there is an S = j ⊕ H(t)·w with H linear: lane
// t reads from bank t. Let A map low bits t and high bits h to low bits A₁t ⊕ A₂h. Then writing is
// conflict-free if A₁ ⊕ A₂H is invertible. Take the columns of A₁ that depend on other columns of
// A₁. (A₁ A₂) has rank m, so equally many columns of A₂ complete the independent columns of A₁ to a
// basis. H takes the bit of each dependent column to the bit of one of these columns of A₂. The sum
// of both columns is independent of the other columns. So S has one xor for each dimension that A₁
// lacks, and the xors of neighboring bits are one operation.
//
// Example: transpose of 32 × 32, w = 32. A₁ is 0, and S(j) = j ⊕ (j mod 32)·32.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../model/units.hpp"
#include "affine_certificate.hpp"

namespace bankproof {

/// i ↦ A·i ⊕ offset on 0 … 2^bits − 1; columns[k] = A·2^k.
struct AffineMap {
  unsigned bits = 0;
  std::array<std::uint64_t, 64> columns = {};
  std::uint64_t offset = 0;

  std::uint64_t operator()(std::uint64_t i) const {
    return xor_of_columns(columns, bits, i) ^ offset;
  }
  bool operator==(const AffineMap&) const = default;
};

/// i ↦ outer(inner(i)).
inline AffineMap composition(const AffineMap& outer, const AffineMap& inner) {
  AffineMap result{inner.bits, {}, outer(inner.offset)};
  for (unsigned k = 0; k < inner.bits; ++k) {
    result.columns[k] = outer(inner.columns[k]) ^ outer.offset;
  }
  return result;
}

/// The map of a function that is known to be affine: a permutation or a plan of 2^bits elements.
template <class Function>
AffineMap affine_map_of(unsigned bits, const Function& function) {
  AffineMap map{bits, {}, static_cast<std::uint64_t>(function(0))};
  for (unsigned k = 0; k < bits; ++k) {
    map.columns[k] = static_cast<std::uint64_t>(function(std::uint64_t{1} << k)) ^ map.offset;
  }
  return map;
}

/// The affine map of a permutation, or the reason why it has no such map.
struct AffineForm {
  std::optional<AffineMap> map;
  /// If there is no map, an index i such that the values at smaller indices require another P(i).
  /// Nothing if the number of elements is not a power of two.
  std::optional<std::uint64_t> index;
};

/// Takes O(n) time. Requires a permutation of 0 … n−1.
template <class Index>
AffineForm affine_form(std::span<const Index> permutation) {
  const std::uint64_t n = permutation.size();
  if (!std::has_single_bit(n)) return {};
  const AffineMap map =
      affine_map_of(static_cast<unsigned>(std::countr_zero(n)),
                    [&](std::uint64_t i) { return permutation[static_cast<std::size_t>(i)]; });
  for (std::uint64_t i = 1; i < n; ++i) {
    const std::uint64_t rest = i & (i - 1);
    const auto lowest = static_cast<std::size_t>(std::countr_zero(i));
    if (permutation[i] != (permutation[rest] ^ map.columns[lowest])) return {{}, i};
  }
  return {map, {}};
}

/// A conflict-free plan of an affine permutation: lane j moves S(j) to D(j).
struct AffinePlan {
  Width width = 1;
  AffineMap s;
  AffineMap d;
};

namespace detail {

/// Bit vectors. The vectors added so far are independent.
class Basis {
 public:
  /// Adds the vector if it is independent of the earlier ones, and returns whether it was.
  bool add(std::uint64_t vector) {
    for (const std::uint64_t known : reduced_) vector = std::min(vector, vector ^ known);
    if (vector == 0) return false;
    reduced_.push_back(vector);
    return true;
  }

 private:
  std::vector<std::uint64_t> reduced_;  ///< no two have the same highest bit
};

}  // namespace detail

/// Whether the map is one to one.
inline bool is_invertible(const AffineMap& map) {
  detail::Basis basis;
  for (unsigned k = 0; k < map.bits; ++k) {
    const bool is_inside = map.bits == 64 || map.columns[k] >> map.bits == 0;
    if (!is_inside || !basis.add(map.columns[k])) return false;
  }
  return map.bits == 64 || map.offset >> map.bits == 0;
}

/// The permutation P of a plan. S is a swizzle and therefore its own inverse, so P is D after S.
inline AffineMap permutation_of(const AffinePlan& plan) { return composition(plan.d, plan.s); }

namespace detail {

/// Finds R by elimination: R(bank) = lane if the lane of the plan writes to the bank. If two lanes
/// write to one bank, there is no R, and the returned map is no certificate.
inline AffineMap lanes_of_banks(const AffinePlan& plan, std::uint64_t banks) {
  AffineMap r{plan.d.bits, {}, 0};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;  // banks, and the lanes that use them
  for (unsigned t = 0; t < plan.d.bits && (banks >> t & 1U) != 0; ++t) {
    std::pair<std::uint64_t, std::uint64_t> row{plan.d.columns[t] & banks, std::uint64_t{1} << t};
    const auto reduce = [](auto& one, const auto& by) {
      if ((one.first & std::bit_floor(by.first)) == 0) return;
      one.first ^= by.first;
      one.second ^= by.second;
    };
    for (const auto& known : rows) reduce(row, known);
    if (row.first == 0) return r;
    for (auto& known : rows) reduce(known, row);
    rows.push_back(row);
  }
  for (const auto& [bank, lanes] : rows) {
    r.columns[static_cast<std::size_t>(std::countr_zero(bank))] = lanes;
  }
  return r;
}

}  // namespace detail

/// The first bit of an index for which the plan's certificate fails. Nothing if the plan moves
/// elements as the map says and is conflict-free (R6.affine.moves, R6.affine.banks).
inline std::optional<unsigned> uncertified_bit(const AffineMap& map, const AffinePlan& plan) {
  const auto linear = [](AffineMap of) {
    of.offset = 0;
    return of;
  };
  const auto ones = [](unsigned bits) {
    return bits == 0 ? std::uint64_t{0} : ~std::uint64_t{0} >> (64 - bits);
  };
  const std::uint64_t all = ones(map.bits);
  const std::uint64_t banks = (std::uint64_t{plan.width} - 1) & all;
  const AffineCertificate<std::uint64_t, AffineMap> certificate{
      linear(map), plan.s, linear(plan.d), detail::lanes_of_banks(plan, banks), banks, all};
  for (unsigned k = 0; k < map.bits; ++k) {
    if (!certificate.holds_of(std::uint64_t{1} << k)) return k;
  }
  const bool same_offsets = plan.s.offset == 0 && plan.d.offset == map.offset;
  return same_offsets ? std::nullopt : std::optional(0U);
}

/// A plan for n = 2^bits elements, with a lane for each. Requires an invertible map, and a width
/// that is a power of two. Throws std::logic_error, and returns no plan, if the certificate fails.
inline AffinePlan plan_affine(const AffineMap& map, Width width) {
  const unsigned low = std::min(map.bits, static_cast<unsigned>(std::countr_zero(width)));
  const std::uint64_t banks = (std::uint64_t{1} << low) - 1;
  AffinePlan plan{width, {map.bits, {}, 0}, {}};
  for (unsigned k = 0; k < map.bits; ++k) plan.s.columns[k] = std::uint64_t{1} << k;

  detail::Basis basis;
  std::vector<unsigned> dependent;  // low bits whose columns depend on others
  for (unsigned t = 0; t < low; ++t) {
    if (!basis.add(map.columns[t] & banks)) dependent.push_back(t);
  }
  // Each dependent bit gets a high bit that completes the basis. If possible, the high bit lies at
  // the same distance as for the bit before, so that one shift serves several bits.
  unsigned distance = low;
  for (const unsigned t : dependent) {
    for (unsigned tried = 0; tried < map.bits; ++tried, ++distance) {
      const unsigned h = (t + distance) % map.bits;
      if (h < low || !basis.add(map.columns[h] & banks)) continue;  // skips taken bits: they depend
      plan.s.columns[t] |= std::uint64_t{1} << h;
      distance = h - t;
      break;
    }
  }
  plan.d = composition(map, plan.s);
  if (const auto bit = is_invertible(map) ? uncertified_bit(map, plan) : 0) {
    throw std::logic_error("the closed form has no certificate at bit " + std::to_string(*bit));
  }
  return plan;
}

}  // namespace bankproof
