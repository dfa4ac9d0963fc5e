// Summed area tables on terms: what the sums of their accesses of global memory come to at most.
// Sides are T tiles of w words, and blocks have whole warps of threads, so that each run of w words
// is a stage.
#pragma once

#include <functional>
#include <memory>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../builder/bounds.hpp"
#include "../turns/sweeps.hpp"

namespace bankproof::proofs {

/// Of a sum over what is done once or not at all.
inline SumInvariant<OfRounds> of_one(const std::function<IntTerm()>& stages) {
  return [=](const IntTerm& k, const OfRounds& sum) {
    const IntTerm zero(0);
    return implies(k <= zero, sum.stages <= zero) && sum.stages <= stages();
  };
}
/// Of a sum over what is in shared memory.
inline SumInvariant<OfRounds> of_none() {
  return [](const IntTerm&, const OfRounds& sum) { return sum.stages <= IntTerm(0); };
}

/// Of a sum of which nothing has to be known.
template <class Sum>
SumInvariant<Sum> of_any() {
  return [](const IntTerm&, const Sum&) { return IntTerm(0) == IntTerm(0); };
}

/// A number that is there when a sum's terms are.
using Place = std::function<IntTerm()>;

/// A table of D × D tiles. Its rows begin at multiples of w, where a run of w words is a stage, or
/// anywhere, where it is two.
class TableSums {
 public:
  /// T tiles a side, warps of w for p threads.
  TableSums(Query& q, std::string_view variant, IntTerm w, IntTerm warps, IntTerm tiles,
            const IntTerm& L);
  /// With the numbers of a theorem.
  TableSums(Query& q, std::string_view variant)
      : TableSums(q, variant, q.number("w", 2, 2), q.number("p/w", 1, 2), q.number("side/w", 1, 3),
                  q.number("L", 1, 5)) {}

  /// A table whose rows begin anywhere, such as that of a part's sums.
  TableSums of_sums(const TilingOf<IntTerm>& tiling) const {
    TableSums inner = *this;
    inner.tiling_ = tiling;
    inner.tiles_ = tiling.down();
    inner.pieces_ = 2;
    return inner;
  }

  /// The tiles of a box of a part, whose rows begin at multiples of w as well.
  TableSums of_box(const IntTerm& tiles) const {
    TableSums box = *this;
    box.tiling_ = {{w_ * tiles, w_ * tiles}, w_};
    box.tiles_ = tiles;
    return box;
  }
  /// With so many diagonals in each triangle.
  void take_triangles(const IntTerm& t) { task_.sizes.add("t", t); }

  /// What it takes at least, if its rows begin at multiples of w: the copies of its tiles.
  TableSums at_least() const {
    TableSums least = *this;
    least.at_least_ = true;
    return least;
  }

  bool is_at_least() const { return at_least_; }
  Truth bounded(const IntTerm& stages, const IntTerm& bound) const {
    return at_least_ ? stages >= bound : stages <= bound;
  }
  /// Stages of a tile of a triangle that is copied so often.
  IntTerm of_tile(std::uint64_t copies) const {
    return IntTerm(copies) * w_ + IntTerm(at_least_ ? 0 : 3);
  }

  const TaskOf<IntTerm>& task() const { return task_; }
  const IntTerm& tiles() const { return tiles_; }
  const IntTerm& w() const { return w_; }
  IntTerm latency() const { return task_.machine.L - IntTerm(1); }

  /// What all sums need; to be called first.
  void prove_shape() const;

  /// Gives the invariants of a launch of sum_down_blocks(): `rows` rows of T tiles, or, on stairs,
  /// of those from a tile on that is one less in each next row.
  void give_down(const SummingOf<IntTerm>& matrix, const IntTerm& rows,
                 bool on_stairs = false) const;
  /// Of a block's copy of the tile in row y and column x.
  void give_copy(const Place& y, const Place& x) const;
  /// Of one of which nothing has to be known.
  void give_any_copy() const;
  /// Rows of the tiles in row y, and of those in rows before it.
  IntTerm height(const IntTerm& y) const;
  IntTerm height_before(const IntTerm& y) const;
  /// Stages of step 1 of 2R1W at most; and of steps 2 and 3, but for the table of tile sums.
  IntTerm stages_of_edges() const;
  IntTerm stages_of_carries() const;
  /// Of step 1 of 2R1W, of sums down and along its arrays, and of step 3.
  void give_edges(const PartOf<IntTerm>& part) const;
  void give_sums(const PartOf<IntTerm>& part) const;
  void give_tables(const PartOf<IntTerm>& part) const;
  /// Of tile (y, x) of a part of `whole` in this box, in steps 1 and 3; `leave` gives those of what
  /// it leaves to tiles that follow.
  void give_edges_of_tile(const TableSums& whole, const PartOf<IntTerm>& part, const Place& y,
                          const Place& x) const;
  void give_table_of_tile(const TableSums& whole, const PartOf<IntTerm>& part, const Place& y,
                          const Place& x, const std::function<void()>& leave) const;
  /// Where the arrays of sums have what row y and column x of tiles leave and take.
  void know_place(const PartOf<IntTerm>& part, const IntTerm& y, const IntTerm& x) const;
  /// That a run has so many stages at most.
  void prove_run(const Run<IntTerm>& run, const IntTerm& multiple, const IntTerm& most,
                 const Truth& where) const;
  TilingOf<IntTerm> tiling() const { return tiling_; }
  /// Of a block's run of `present` words from w·multiple on, w at most.
  void give_run(const Place& address, const Place& present, const Place& multiple) const;
  /// Of sum_tile_rounds().
  void give_table_of_tile() const;
  /// Of a launch for each diagonal of tiles from the first one on.
  void give_diagonals(const IntTerm& first = IntTerm(0)) const;
  /// Twice as many tiles as there are on k ≤ T diagonals, and on k ≥ T.
  static IntTerm growing(const IntTerm& k) { return k * (k + IntTerm(1)); }
  IntTerm shrinking(const IntTerm& k) const {
    const IntTerm after = IntTerm(2) * tiles_ - k;
    return IntTerm(2) * tiles_ * tiles_ - after * (after - IntTerm(1));
  }
  /// That such accesses cost at most the source's bound.
  Truth is_bounded(const Cost<IntTerm>& accesses) const;

 private:
  /// Of the tiles (y, x) of a part, row by row: each is copied so often, and has a run for a tile
  /// below it, one for a tile to the right, and a word where it has both; or for those before it.
  void give_tiles(const std::shared_ptr<IntTerm>& y, const std::shared_ptr<IntTerm>& x,
                  const PartOf<IntTerm>& part, std::uint64_t copies, bool from_before) const;

  Query& query_;
  IntTerm w_;
  IntTerm warps_;
  IntTerm tiles_;
  TaskOf<IntTerm> task_;
  TilingOf<IntTerm> tiling_;
  SweepSums sweep_;
  std::uint64_t pieces_ = 1;
  bool at_least_ = false;
};

}  // namespace bankproof::proofs
