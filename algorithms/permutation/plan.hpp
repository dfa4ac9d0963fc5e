// Conflict-free plans: from a permutation P and a width w, S and D such that b[D(j)] ← a[S(j)] for
// j = 0, 1, … moves every element where P says, and no warp has a bank conflict, neither reading a
// nor writing b (THS 4.1 and 4.2, lemma 4.2.2).
//
// Element i lies in bank i mod w of a and goes to bank P(i) mod w of b: an edge between two of w
// nodes. All nodes have n/w edges, so n/w colors do; the edges of one color touch each bank once on
// either side, and are a warp. Long permutations are colored bank by bank (peeling.hpp), short ones
// edge by edge (coloring.hpp). When w does not divide n, elements n, n+1, … that
// stay where they are fill up the last row of banks; the lanes that would move them are idle. One
// short warp at the end is not always possible: for w = 3 and P = (1, 0, 3, 2) each of the two
// warps of any plan has an idle lane.
//
// Example: w = 2, P = (0, 2, 1, 3): elements 0 and 2 lie in one bank of a, 0 and 1 go to one bank
// of b; S = (0, 3, 2, 1), D = (0, 3, 1, 2) is a plan.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "../../model/units.hpp"
#include "coloring.hpp"
#include "peeling.hpp"

namespace bankproof {

/// What an idle lane has in S and D: −1, of any integer type.
template <class Index>
inline constexpr Index idle = static_cast<Index>(-1);

/// S and D, of ⌈n/w⌉·w lanes each; lane j of warp k is element k·w + j. Lane j reads from bank j.
template <class Index>
struct BankPlan {
  Width width = 1;
  std::vector<Index> s;
  std::vector<Index> d;
};

namespace detail {

/// Fills S and D by coloring the bank graph edge by edge: for any width and degree.
template <class Index>
void plan_by_halving(std::span<const Index> permutation, Width width, std::span<Index> s,
                     std::span<Index> d) {
  RegularGraph<Index> banks{width, std::vector<Index>(s.size()), std::vector<Index>(s.size())};
  const auto target = [&](std::uint64_t i) {
    return i < permutation.size() ? permutation[i] : static_cast<Index>(i);
  };
  for (std::uint64_t i = 0; i < s.size(); ++i) {
    banks.left[i] = static_cast<Index>(i % width);
    banks.right[i] = static_cast<Index>(std::uint64_t{target(i)} % width);
  }
  const std::vector<Index> colors = color_edges(banks);
  for (std::uint64_t i = 0; i < s.size(); ++i) {
    const std::uint64_t lane = std::uint64_t{colors[i]} * width + i % width;
    s[lane] = static_cast<Index>(i);
    d[lane] = target(i);
  }
}

}  // namespace detail

/// ⌈n/w⌉·w, the lanes of a plan.
inline std::uint64_t lanes_of_plan(std::uint64_t n, Width width) {
  return ceil_div(n, width) * width;
}

/// Fills S and D, of lanes_of_plan(n, w) each, with a conflict-free plan. Requires a permutation of
/// 0 … n−1; 1 ≤ width ≤ widest_access; and that `Index` numbers the lanes and has a value left,
/// otherwise std::length_error.
template <class Index>
void plan_banks(std::span<const Index> permutation, Width width, std::span<Index> s,
                std::span<Index> d) {
  const std::uint64_t n = permutation.size();
  const std::uint64_t lanes = lanes_of_plan(n, width);
  if (lanes >= std::numeric_limits<Index>::max()) {
    throw std::length_error("a plan of so many elements needs a wider index type");
  }
  const bool many_counts = lanes / width > 64;  // of each bank, on average more than one each
  if (width <= detail::widest_peeled && many_counts) {
    detail::plan_by_peeling<Index>(permutation, width, s, d);
  } else {
    detail::plan_by_halving<Index>(permutation, width, s, d);
  }
  for (std::uint64_t lane = 0; lane < lanes && n < lanes; ++lane) {
    if (s[lane] >= n) s[lane] = d[lane] = idle<Index>;
  }
}

/// The same, as a plan of its own.
template <class Index>
BankPlan<Index> plan_banks(std::span<const Index> permutation, Width width) {
  const std::uint64_t lanes = lanes_of_plan(permutation.size(), width);
  BankPlan<Index> plan{width, std::vector<Index>(lanes), std::vector<Index>(lanes)};
  plan_banks(permutation, width, std::span<Index>(plan.s), std::span<Index>(plan.d));
  return plan;
}

}  // namespace bankproof
