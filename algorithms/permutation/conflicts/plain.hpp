// The plain reference of the conflict analysis: it writes down each warp's elements lane by lane,
// and the access rule prices them. The fast passes beside this file are compared with it. It stays
// as simple as it is, and it serves every rule that has no fast pass.
//
// Destination-designated, thread i writes b[P(i)]; source-designated, thread i reads a[Q(i)] with Q
// = P⁻¹ (THS 4.1). Warp j has the threads j·w … j·w+w−1; the last warp may be partial
// (docs/model.md, rule 1).
//
// Example, w = 2, P = (2, 0, 1): destination-designated, the warps touch {2, 0} and {1};
// source-designated, {1, 2} and {0}.
//
// Cost: the rule's cost, once for each warp; the source direction also builds P⁻¹, an array of n
// indices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "../../../model/gpu/chips.hpp"

namespace bankproof {

/// The two ways to permute: b[P(i)] ← a[i], or b[i] ← a[P⁻¹(i)].
enum class Designation : std::uint8_t { destination, source };

/// Q with Q(P(i)) = i. Requires a permutation of 0 … n−1.
template <class Index>
std::vector<Index> inverse_of(std::span<const Index> permutation) {
  std::vector<Index> inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) {
    inverse[static_cast<std::size_t>(permutation[i])] = static_cast<Index>(i);
  }
  return inverse;
}

/// Calls visit(warp, stages) for each warp, in order, where thread i touches element touched[i].
template <class Index, class Visit>
void visit_accesses(std::span<const Index> touched, AccessRule rule, Visit visit) {
  const std::size_t width = width_of(rule);
  std::vector<Address> elements;
  for (std::size_t first = 0, warp = 0; first < touched.size(); first += width, ++warp) {
    const auto lanes = touched.subspan(first, std::min(width, touched.size() - first));
    elements.assign(lanes.begin(), lanes.end());
    visit(std::uint64_t{warp}, stages_of(rule, elements));
  }
}

/// Calls visit(warp, stages) for each warp, in order. Requires a permutation of 0 … n−1.
template <class Index, class Visit>
void visit_warps_plainly(std::span<const Index> permutation, Designation designation,
                         const AccessRule& rule, Visit visit) {
  if (designation == Designation::destination) {
    visit_accesses(permutation, rule, visit);
  } else {
    const std::vector<Index> inverse = inverse_of(permutation);
    visit_accesses(std::span<const Index>(inverse), rule, visit);
  }
}

}  // namespace bankproof
