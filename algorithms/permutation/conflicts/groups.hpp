// Fast passes for memories that serve one group of elements at a time: the UMM and global memory.
//
// A warp's stages are the distinct groups it touches. Instead of a set, every group keeps the
// number of the last warp that touched it.
//
// If the access is source-designated, warp j touches group g exactly if P takes some i of group g
// to an index of warp j. Both accesses count the same pairs (group of i, group of P(i)), so the
// pass does not build P⁻¹: it goes through the groups, and each warp keeps the number of the last
// group that touched it and counts the groups. This also shows why D_w(P) = D_w(P⁻¹) (THS 5.2).
//
// Example, w = 2, P = (2, 0, 3, 1): warp 0 writes groups 1 and 0, as does warp 1: two stages each,
// and D_2(P) = 4.
//
// Cost: O(n); 4 or 8 bytes a group, and in the source pass 2 bytes a warp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../model/units.hpp"
#include "division.hpp"

namespace bankproof::detail {

/// The last toucher of each place. Touchers are numbered from 0; Index must hold their number plus
/// 1.
template <class Index>
class LastTouch {
 public:
  explicit LastTouch(std::size_t places) : last_(places, Index{0}) {}

  /// Whether the toucher touches the place for the first time.
  bool first(std::size_t place, Index toucher) {
    const auto mark = static_cast<Index>(toucher + 1);
    const bool first = last_[place] != mark;
    last_[place] = mark;
    return first;
  }

 private:
  std::vector<Index> last_;
};

/// Calls visit(warp, stages) for the writes b[P(i)], warps in order; a group takes `turns` stages.
template <class Index, class Visit>
void visit_destination_groups(std::span<const Index> permutation, Width width,
                              std::uint64_t elements_per_group, std::uint32_t turns, Visit visit) {
  const std::size_t n = permutation.size();
  LastTouch<Index> groups(ceil_div(n, elements_per_group));
  with_division<Index>(elements_per_group, [&](auto by) {
    for (std::size_t first = 0, warp = 0; first < n; first += width, ++warp) {
      const std::size_t end = std::min(first + width, n);
      std::uint32_t touched = 0;
      for (std::size_t i = first; i < end; ++i) {
        touched += groups.first(by.quotient(permutation[i]), static_cast<Index>(warp));
      }
      visit(std::uint64_t{warp}, turns * touched);
    }
  });
}

/// Calls visit(warp, stages) for the reads a[P⁻¹(i)], warps in order; a group takes `turns` stages.
template <class Index, class Visit>
void visit_source_groups(std::span<const Index> permutation, Width width,
                         std::uint64_t elements_per_group, std::uint32_t turns, Visit visit) {
  const std::size_t n = permutation.size();
  const std::size_t warps = ceil_div(n, width);
  LastTouch<Index> last(warps);
  std::vector<std::uint16_t> touched(warps);
  with_division<Index>(width, [&](auto by) {
    std::size_t group = 0;
    for (std::size_t first = 0; first < n; first += elements_per_group, ++group) {
      const std::size_t end = std::min<std::size_t>(first + elements_per_group, n);
      for (std::size_t i = first; i < end; ++i) {
        const auto warp = static_cast<std::size_t>(by.quotient(permutation[i]));
        touched[warp] =
            static_cast<std::uint16_t>(touched[warp] + last.first(warp, static_cast<Index>(group)));
      }
    }
  });
  for (std::size_t warp = 0; warp < warps; ++warp)
    visit(std::uint64_t{warp}, turns * touched[warp]);
}

}  // namespace bankproof::detail
