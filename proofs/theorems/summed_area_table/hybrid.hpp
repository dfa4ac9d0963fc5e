// The triangles of (1+r)R1W on terms.
#pragma once

#include <utility>

#include "two_passes.hpp"

namespace bankproof::proofs {

/// The part of t diagonals in a box of side × side tiles. This function replaces the numbers of the
/// part by equal, simpler terms. So all proofs know that the first triangle has no diagonals before
/// it.
PartOf<IntTerm> in_its_box(Query& q, const TableSums& whole, const PartOf<IntTerm>& part,
                           const IntTerm& t, const IntTerm& side, bool is_last);

/// One of the triangles: t diagonals in a box of side × side tiles.
class Triangle {
 public:
  Triangle(Query& q, const TableSums& whole, const PartOf<IntTerm>& part, IntTerm t, bool is_last)
      : query_(q),
        whole_(whole),
        t_(std::move(t)),
        side_(is_last ? t_ + 1 : t_),
        is_last_(is_last),
        part_(in_its_box(q, whole, part, t_, side_, is_last)),
        box_(whole.of_box(side_)),
        inner_(box_.of_sums(part_.inner_tiling())) {}

  const PartOf<IntTerm>& part() const { return part_; }
  /// Gives the invariants of the launches of the triangle, if the triangle is not empty.
  void give(const Depth& depth) const;
  /// Gives the invariants for a lower bound on the launches of the triangle: 3w stages for each
  /// tile.
  void give_least() const;
  Truth is_at_least(const Cost<IntTerm>& cost) const {
    return 2 * cost.global.stages >= 3 * w() * t_ * (t_ + 1);
  }
  /// Whether the upper bound on the launches of the triangle holds.
  Truth is_bounded(const Depth& depth, const Cost<IntTerm>& cost) const;

 private:
  const IntTerm& w() const { return whole_.w(); }
  /// Twice the number of tiles in the rows before row y.
  IntTerm twice_before(const IntTerm& y) const {
    return is_last_ ? y * (y - 1) : y * (2 * t_ + 1 - y);
  }
  IntTerm in_row(const IntTerm& y) const { return is_last_ ? y : t_ - y; }
  /// Gives the invariants of the tiles of the triangle, row by row. A tile takes `each` stages, and
  /// two more if it leaves edges.
  void give_rows(const IntTerm& each, bool leaves, const InTile& in_tile) const;
  void give_edges() const;
  void give_differences() const;
  void give_differences_of_row(const IntTerm& y) const;
  /// Gives the invariant of the differences along the bottom of tile (y, x), or along its right.
  void give_differences_of_tile(const IntTerm& y, const IntTerm& x, bool bottom) const;
  void give_any_differences() const;
  void give_tables() const;
  void give_edges_left(const IntTerm& y, const IntTerm& x) const;
  /// Gives the invariants of the launches. Requires that the triangle is not empty.
  void give_launches(const Depth& depth) const;
  /// The tiles of row y on the two diagonals before the triangle.
  PartOf<IntTerm>::RowOfTiles row_before(const IntTerm& y) const {
    return part_.row(part_.known(), part_.first, y);
  }

  Query& query_;
  TableSums whole_;
  IntTerm t_;
  IntTerm side_;
  bool is_last_;
  PartOf<IntTerm> part_;
  TableSums box_;
  TableSums inner_;
};

}  // namespace bankproof::proofs
