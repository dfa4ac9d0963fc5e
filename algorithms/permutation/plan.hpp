// Conflict-free plans: for a permutation P and a width w, S and D such that b[D(j)] ← a[S(j)] for j
// = 0, 1, … moves every element where P says, and no warp has a bank conflict, neither when it
// reads a nor when it writes b (THS 4.1 and 4.2, lemma 4.2.2).
//
// Element i lies in bank i mod w of a and goes to bank P(i) mod w of b: an edge between two of w
// nodes a side. All nodes have n/w edges, so n/w colors suffice. The edges of one color touch each
// bank once on either side, so they are a warp. Long permutations are colored bank by bank
// (peeling.hpp), short ones edge by edge (coloring.hpp). If w does not divide n, additional
// elements n, n+1, …, which stay where they are, fill up the last row of banks. The lanes of these
// elements are idle. One short warp at the end is not always possible: for w = 3 and P = (1, 0, 3,
// 2), each of the two warps of any plan has an idle lane.
//
// Example: w = 2, P = (0, 2, 1, 3): elements 0 and 2 lie in one bank of a, 0 and 1 go to one bank
// of b; S = (0, 3, 2, 1), D = (0, 3, 1, 2) is a plan.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <variant>
#include <vector>

#include "../../model/units.hpp"
#include "coloring.hpp"
#include "conflicts/division.hpp"
#include "peeling.hpp"

namespace bankproof {

/// The value of an idle lane in S and D: −1, in any integer type.
template <class Index>
inline constexpr Index idle = static_cast<Index>(-1);

/// S and D, arrays of ⌈n/w⌉·w lanes; lane j of warp k is at index k·w + j. Lane j reads from bank
/// j.
template <class Index>
struct BankPlan {
  Width width = 1;
  std::vector<Index> s;
  std::vector<Index> d;
};

/// Indices of elements, or the lanes of a plan, as addresses for a machine's array; idle lanes stay
/// idle.
template <class Indices>
std::vector<Address> addresses_of(const Indices& lanes) {
  std::vector<Address> addresses;
  addresses.reserve(lanes.size());
  for (const auto lane : lanes) {
    addresses.push_back(lane == idle<decltype(lane)> ? idle<Address> : Address{lane});
  }
  return addresses;
}

namespace detail {

/// Plans permutations of one size and width by coloring the bank graph edge by edge. `Index`
/// numbers the lanes, `Node` the banks and the elements of one bank.
template <class Index, class Node>
class BankColoring {
 public:
  BankColoring(std::uint64_t lanes, Width width)
      : width_(width), degree_(lanes / width), edges_(lanes), slots_(lanes) {}

  /// Fills S and D. Elements from the size of the permutation on stay where they are.
  void plan(std::span<const Index> permutation, std::span<Index> s, std::span<Index> d) {
    with_division<Index>(width_, [&](auto by_width) {
      for (std::uint64_t k = 0, i = 0; k < degree_; ++k) {
        for (std::uint64_t bank = 0; bank < width_; ++bank, ++i) {
          const Index to = i < permutation.size() ? permutation[i] : static_cast<Index>(i);
          edges_[bank * degree_ + k] = {static_cast<Node>(by_width.remainder(to)),
                                        static_cast<Node>(k)};
        }
      }
      return 0;
    });
    coloring_.color(width_, degree_, edges_, slots_);
    for (std::uint64_t color = 0, lane = 0; color < degree_; ++color) {
      for (std::uint64_t bank = 0; bank < width_; ++bank, ++lane) {
        const std::uint64_t i = slots_[bank * degree_ + color] * std::uint64_t{width_} + bank;
        s[lane] = static_cast<Index>(i);
        d[lane] = i < permutation.size() ? permutation[i] : static_cast<Index>(i);
      }
    }
  }

 private:
  Width width_;
  std::uint64_t degree_;
  std::vector<Edge<Node>> edges_;
  std::vector<Node> slots_;
  EdgeColoring<Node> coloring_;
};

}  // namespace detail

/// ⌈n/w⌉·w, the lanes of a plan.
inline std::uint64_t lanes_of_plan(std::uint64_t n, Width width) {
  return ceil_div(n, width) * width;
}

/// Plans permutations of one size and width, one after another.
template <class Index>
class BankPlanner {
 public:
  /// For permutations of 0 … n−1. Requires 1 ≤ width ≤ widest_access. Throws std::length_error
  /// unless `Index` numbers the lanes and has a value left.
  BankPlanner(std::uint64_t n, Width width) : width_(width), lanes_(lanes_of_plan(n, width)) {
    if (lanes_ >= std::numeric_limits<Index>::max()) {
      throw std::length_error("a plan of so many elements needs a wider index type");
    }
    constexpr std::uint64_t narrow = std::numeric_limits<std::uint16_t>::max();
    const std::uint64_t degree = lanes_ / width;
    if (degree > 64 && width <= detail::widest_peeled) return;  // many elements for a pair of banks
    if (width <= narrow && degree <= narrow) {
      coloring_.template emplace<Narrow>(lanes_, width);
    } else {
      coloring_.template emplace<Wide>(lanes_, width);
    }
  }

  /// Fills S and D, of lanes_of_plan(n, w) lanes each, with a conflict-free plan. Requires a
  /// permutation of 0 … n−1.
  void plan(std::span<const Index> permutation, std::span<Index> s, std::span<Index> d) {
    if (auto* narrow = std::get_if<Narrow>(&coloring_)) {
      narrow->plan(permutation, s, d);
    } else if (auto* wide = std::get_if<Wide>(&coloring_)) {
      wide->plan(permutation, s, d);
    } else {
      detail::plan_by_peeling<Index>(permutation, width_, s, d);
    }
    const std::uint64_t n = permutation.size();
    for (std::uint64_t lane = 0; lane < lanes_ && n < lanes_; ++lane) {
      if (s[lane] >= n) s[lane] = d[lane] = idle<Index>;
    }
  }

 private:
  using Narrow = detail::BankColoring<Index, std::uint16_t>;
  using Wide = detail::BankColoring<Index, std::uint64_t>;

  Width width_;
  std::uint64_t lanes_;
  std::variant<std::monostate, Narrow, Wide> coloring_;
};

/// Fills S and D, as a BankPlanner does.
template <class Index>
void plan_banks(std::span<const Index> permutation, Width width, std::span<Index> s,
                std::span<Index> d) {
  BankPlanner<Index>(permutation.size(), width).plan(permutation, s, d);
}

/// Returns a plan, as a BankPlanner makes it.
template <class Index>
BankPlan<Index> plan_banks(std::span<const Index> permutation, Width width) {
  const std::uint64_t lanes = lanes_of_plan(permutation.size(), width);
  BankPlan<Index> plan{width, std::vector<Index>(lanes), std::vector<Index>(lanes)};
  plan_banks(permutation, width, std::span<Index>(plan.s), std::span<Index>(plan.d));
  return plan;
}

#ifdef BANKPROOF_INSTANTIATED
extern template class BankPlanner<std::uint32_t>;  // algorithms/catalog/instances.cpp
#endif

}  // namespace bankproof
