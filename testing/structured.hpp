// Permutations with a structure that makes plans and schedules hard: named permutations,
// near-identities, one permutation repeated in every row, rows whose elements go to only a few
// other rows, and long runs of elements that go to one bank.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../algorithms/permutation/named.hpp"
#include "permutations.hpp"

namespace bankproof::testing {

inline Permutation identity_of(std::uint32_t n) {
  Permutation identity(n);
  std::iota(identity.begin(), identity.end(), 0U);
  return identity;
}

/// Any permutation of 0 … n−1.
inline rc::Gen<Permutation> any_permutation(std::uint32_t n) {
  return rc::gen::map(
      rc::gen::container<std::vector<std::uint16_t>>(n, rc::gen::arbitrary<std::uint16_t>()),
      order_of);
}

/// A named permutation, with sizes around those of the examples.
inline rc::Gen<Permutation> any_named_permutation() {
  return rc::gen::exec([] {
    const auto power = [] { return std::to_string(1U << *rc::gen::inRange(0, 6)); };
    const auto side = [] { return std::to_string(*rc::gen::inRange(1, 40)); };
    const std::string even = std::to_string(2 * *rc::gen::inRange(1, 200));
    const std::string name = *rc::gen::element<std::string>(
        "identity:" + side(), "transpose:" + side() + "x" + side(), "shuffle:" + even,
        "unshuffle:" + even, "bit-reversal:" + std::to_string(1U << *rc::gen::inRange(0, 10)),
        "morton:" + power() + "x" + power(), "blocked-to-striped:" + side() + "x" + power(),
        "nchw-to-nhwc:2x3x" + side() + "x4", "butterfly:" + even + ",0");
    return parse_named(name).generate<std::uint32_t>();
  });
}

/// The identity with a few elements exchanged.
inline rc::Gen<Permutation> near_identity() {
  return rc::gen::exec([] {
    Permutation permutation = identity_of(*rc::gen::inRange<std::uint32_t>(1, 600));
    const auto place = rc::gen::inRange<std::size_t>(0, permutation.size());
    const auto exchanges = *rc::gen::inRange(0, 6);
    for (int k = 0; k < exchanges; ++k) std::swap(permutation[*place], permutation[*place]);
    return permutation;
  });
}

/// The same permutation within every row; no element leaves its row.
inline rc::Gen<Permutation> repeated_row() {
  return rc::gen::exec([] {
    const auto columns = *rc::gen::inRange<std::uint32_t>(1, 40);
    const auto rows = *rc::gen::inRange<std::uint32_t>(1, 20);
    const Permutation row = *any_permutation(columns);
    Permutation permutation;
    for (std::uint32_t r = 0; r < rows; ++r) {
      for (const std::uint32_t column : row) permutation.push_back(r * columns + column);
    }
    return permutation;
  });
}

/// The elements of each row go to at most four rows, in any order. The distances from a row to the
/// rows of its elements are random, and they are the same for all rows.
inline rc::Gen<Permutation> few_neighbors() {
  return rc::gen::exec([] {
    const auto rows = *rc::gen::inRange<std::uint32_t>(1, 24);
    const auto columns = *rc::gen::inRange<std::uint32_t>(1, 30);
    const auto distances = *rc::gen::container<std::vector<std::uint32_t>>(
        *rc::gen::inRange<std::size_t>(1, 4), rc::gen::inRange<std::uint32_t>(0, rows));
    std::vector<std::uint32_t> filled(rows);
    Permutation permutation;
    for (std::uint32_t row = 0; row < rows; ++row) {
      const Permutation order = *any_permutation(columns);
      for (std::uint32_t k = 0; k < columns; ++k) {
        const std::uint32_t to = (row + distances[order[k] % distances.size()]) % rows;
        permutation.push_back(to * columns + filled[to]++);
      }
    }
    return permutation;
  });
}

/// Elements sorted by the bank of their target. Whole warps write to one bank, and the matrices of
/// counts (peeling.hpp) of parts of the permutation are as far from regular as possible.
inline rc::Gen<Permutation> bank_after_bank() {
  return rc::gen::exec([] {
    const auto n = *rc::gen::inRange<std::uint32_t>(1, 600);
    const auto width = *rc::gen::inRange<std::uint32_t>(1, 70);
    Permutation permutation = identity_of(n);
    std::stable_sort(permutation.begin(), permutation.end(),
                     [&](auto a, auto b) { return a % width < b % width; });
    return permutation;
  });
}

inline rc::Gen<Permutation> structured_permutation() {
  return rc::gen::oneOf(any_named_permutation(), near_identity(), repeated_row(), few_neighbors(),
                        bank_after_bank());
}

}  // namespace bankproof::testing
