// A permutation with a proper coloring of its banks' edges, on terms (THS 4.2). Element x is an
// edge from bank x mod w to bank P(x) mod w. Edges that share a bank have different colors. A color
// is a warp of the plan: lane (i, j) moves the element of color i that lies in bank j.
#pragma once

#include <string>
#include <utility>

#include "../../../algorithms/layout.hpp"
#include "../../builder/parameters.hpp"

namespace bankproof::proofs {

/// A permutation P of n = hw elements with h colors, and the elements that the lanes move. The laws
/// about elements are assumed only for the elements that a proof asks for.
class Colored {
 public:
  explicit Colored(Query& q) : Colored(q, q.number("w", 1, 4), q.number("h", 1, 3)) {}
  Colored(Query& q, IntTerm width, IntTerm colors)
      : w(std::move(width)),
        h(std::move(colors)),
        n(h * w),
        q_(q),
        permuted_(q.function("P")),
        inverse_(q.function("Q")),
        color_(q.function("color")),
        slot_(q.function("slot", 2)) {}

  IntTerm element(const std::string& name, std::uint64_t example) {
    IntTerm x = below(q_, name, n, example);
    know(x);
    return x;
  }
  IntTerm lane(const std::string& name, std::uint64_t example) {
    return below(q_, name, n, example);
  }
  IntTerm permuted(const IntTerm& x) const { return permuted_(x); }
  IntTerm color(const IntTerm& x) const { return color_(x); }
  /// S of lane (i, j): the element of color i in bank j. The plan chooses the row of banks of this
  /// element.
  IntTerm source(const IntTerm& lane, bool of_its_color = true) {
    const IntTerm row = slot_(lane / w, lane % w);
    IntTerm s = row_major(row, lane % w, w);
    q_.assume(row >= 0 && row < h);
    for (const IntTerm& other : {IntTerm(0), h - 1, s / w}) {
      q_.compare_multiples(w, row, other);
    }
    know(s);
    if (of_its_color) q_.assume(color_(s) == lane / w);
    return s;
  }
  /// D.
  IntTerm destination(const IntTerm& lane) { return permuted_(source(lane)); }
  /// Assumes for these two elements that the coloring is proper, and that P is a permutation.
  void compare(const IntTerm& x, const IntTerm& y, bool at_both_ends = true) {
    const Truth other = x != y;
    q_.assume(implies(other && x % w == y % w, color_(x) != color_(y)));
    if (!at_both_ends) return;
    q_.assume(implies(other && permuted_(x) % w == permuted_(y) % w, color_(x) != color_(y)));
  }

  const IntTerm w;
  const IntTerm h;
  const IntTerm n;

 private:
  void know(const IntTerm& x) {
    q_.assume(permuted_(x) >= 0 && permuted_(x) < n);
    q_.assume(inverse_(permuted_(x)) == x);
    q_.assume(color_(x) >= 0 && color_(x) < h);
  }

  Query& q_;
  Function permuted_;
  Function inverse_;
  Function color_;
  Function slot_;
};

}  // namespace bankproof::proofs
