// Random permutations with a width that cuts them into warps. They shrink to short permutations, to
// the identity and to small widths.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <utility>
#include <vector>

#include "../model/units.hpp"
#include "accesses.hpp"

namespace bankproof::testing {

using Permutation = std::vector<std::uint32_t>;

/// A permutation and the width of its warps; element i belongs to thread i.
struct PermutedWarps {
  Width width;
  Permutation permutation;
};

inline std::ostream& operator<<(std::ostream& out, const PermutedWarps& drawn) {
  out << "width " << drawn.width << ":";
  for (const std::uint32_t value : drawn.permutation) out << ' ' << value;
  return out;
}

/// The permutation that sorts the keys; if the keys shrink, the permutation shrinks towards the
/// identity.
inline Permutation order_of(const std::vector<std::uint16_t>& keys) {
  Permutation order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  return order;
}

}  // namespace bankproof::testing

namespace rc {
template <>
struct Arbitrary<bankproof::testing::PermutedWarps> {
  static Gen<bankproof::testing::PermutedWarps> arbitrary() {
    using bankproof::Width;
    const auto width =
        gen::weightedOneOf<Width>({{4, bankproof::testing::any_width()},
                                   {2, gen::just(Width{32})},
                                   {1, gen::inRange<Width>(65, bankproof::widest_access + 1)}});
    const auto keys = gen::scale(3.0, gen::arbitrary<std::vector<std::uint16_t>>());
    return gen::map(gen::pair(width, keys),
                    [](const std::pair<Width, std::vector<std::uint16_t>>& drawn) {
                      return bankproof::testing::PermutedWarps{
                          drawn.first, bankproof::testing::order_of(drawn.second)};
                    });
  }
};
}  // namespace rc
