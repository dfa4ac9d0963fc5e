// Summed area tables on terms: bounds on the sums of their accesses to global memory. A side has T
// tiles of w words, and blocks have whole warps of threads, so that each run of w words takes one
// stage.
#pragma once

#include <functional>
#include <string>

#include "../../../algorithms/summed_area_table/summed_area_table.hpp"
#include "../../builder/bounds.hpp"
#include "../turns/sweeps.hpp"

namespace bankproof::proofs {

/// Invariant of a sum over work that is done at most once. `step` gives the invariants of the sums
/// in this work.
inline OverNumbers<OfRounds> of_one(const std::string& name, const IntTerm& stages,
                                    const std::function<void(const IntTerm&)>& step = nullptr) {
  return OverNumbers<OfRounds>(name)
      .holds([=](auto& k, auto& sum) {
        return implies(k <= 0, sum.stages <= 0) && sum.stages <= stages;
      })
      .step(step);
}
/// Invariant of a sum over work in shared memory: the work takes no stages on global memory. `step`
/// gives the invariants of the sums in this work.
inline OverNumbers<OfRounds> of_none(const std::string& name,
                                     const std::function<void(const IntTerm&)>& step = nullptr) {
  return OverNumbers<OfRounds>(name)
      .holds([](auto&, auto& sum) { return sum.stages <= 0; })
      .step(step);
}

/// Gives the invariants of the sums in tile (y, x) of a part.
using InTile = std::function<void(const IntTerm& y, const IntTerm& x)>;

/// A table of D × D tiles. If its rows begin at multiples of w, a run of w words takes one stage.
/// If rows may begin anywhere, the run takes at most two stages.
class TableSums {
 public:
  /// A table of T tiles on a side. The p threads are `warps` warps of w threads.
  TableSums(Query& q, std::string_view variant, IntTerm w, IntTerm warps, IntTerm tiles,
            const IntTerm& L);
  /// A table whose parameters are numbers of the theorem.
  TableSums(Query& q, std::string_view variant)
      : TableSums(q, variant, q.number("w", 2, 2), q.number("p/w", 1, 2), q.number("side/w", 1, 3),
                  q.number("L", 1, 5)) {}

  /// A table whose rows may begin anywhere, such as the table of a part's sums.
  TableSums of_sums(const TilingOf<IntTerm>& tiling) const {
    TableSums inner = *this;
    inner.tiling_ = tiling;
    inner.tiles_ = tiling.down();
    inner.pieces_ = 2;
    return inner;
  }

  /// The box of a part as a table, whose rows also begin at multiples of w.
  TableSums of_box(const IntTerm& tiles) const {
    TableSums box = *this;
    box.tiling_ = {{w_ * tiles, w_ * tiles}, w_};
    box.tiles_ = tiles;
    return box;
  }
  /// Sets the number of diagonals in each triangle.
  void take_triangles(const IntTerm& t) { task_.sizes.add("t", t); }

  /// The same table, for lower bounds: they count only the copies of its tiles. Requires that its
  /// rows begin at multiples of w.
  TableSums at_least() const {
    TableSums least = *this;
    least.at_least_ = true;
    return least;
  }

  bool is_at_least() const { return at_least_; }
  Truth bounded(const IntTerm& stages, const IntTerm& bound) const {
    return at_least_ ? stages >= bound : stages <= bound;
  }
  /// Stages of a triangle's tile that is copied `copies` times.
  IntTerm of_tile(std::uint64_t copies) const { return copies * w_ + (at_least_ ? 0 : 3); }

  const TaskOf<IntTerm>& task() const { return task_; }
  const IntTerm& tiles() const { return tiles_; }
  const IntTerm& w() const { return w_; }
  IntTerm latency() const { return task_.machine.L - 1; }

  /// Proves the facts that all sums need. Call it first.
  void prove_shape() const;

  /// Gives the invariants of a launch of sum_down_blocks(): `rows` rows of T tiles. On stairs, a
  /// row begins one tile earlier than the row before it.
  void give_down(const SummingOf<IntTerm>& matrix, const IntTerm& rows,
                 bool on_stairs = false) const;
  /// Gives the invariants of a block's copy of the tile in row y and column x.
  void give_copy(const IntTerm& y, const IntTerm& x) const;
  /// Gives trivial invariants for a block's copy of a tile.
  void give_any_copy() const;
  /// The number of rows of elements in row y of tiles, and in all rows of tiles before it.
  IntTerm height(const IntTerm& y) const;
  IntTerm height_before(const IntTerm& y) const;
  /// Upper bounds on the stages of step 1 of 2R1W, and of steps 2 and 3 without the table of tile
  /// sums.
  IntTerm stages_of_edges() const;
  IntTerm stages_of_carries() const;
  /// Give the invariants of step 1 of 2R1W, of the sums down and along its arrays, and of step 3.
  void give_edges(const PartOf<IntTerm>& part) const;
  void give_sums(const PartOf<IntTerm>& part) const;
  void give_tables(const PartOf<IntTerm>& part) const;
  /// Give the invariants of tile (y, x) in step 1 and in step 3. The tile is in a part of `whole`,
  /// and this table is the box of the part. `leave` gives the invariants of what the tile leaves
  /// for the tiles that follow.
  void give_edges_of_tile(const TableSums& whole, const PartOf<IntTerm>& part, const IntTerm& y,
                          const IntTerm& x) const;
  void give_table_of_tile(const TableSums& whole, const PartOf<IntTerm>& part, const IntTerm& y,
                          const IntTerm& x, const std::function<void()>& leave) const;
  /// Expands the products in the addresses of the words that the tiles in row y and column x leave
  /// in the arrays of sums, or take from them.
  void know_place(const PartOf<IntTerm>& part, const IntTerm& y, const IntTerm& x) const;
  /// Proves an upper bound on the stages of a run.
  void prove_run(const Run<IntTerm>& run, const IntTerm& multiple, const IntTerm& most,
                 const Truth& where) const;
  TilingOf<IntTerm> tiling() const { return tiling_; }
  /// Gives the invariant of a block's run of `present` words, at most w, that begins at w·multiple.
  /// `step` gives the invariants of the other sums in a turn of this run.
  void give_run(const IntTerm& address, const IntTerm& present, const IntTerm& multiple,
                const std::function<void(const IntTerm&)>& step = nullptr) const;
  /// Gives the invariants of sum_tile_rounds().
  void give_table_of_tile() const;
  /// Gives the invariants of one launch for each diagonal of tiles, beginning with diagonal
  /// `first`.
  void give_diagonals(const IntTerm& first = 0) const;
  /// Twice the number of tiles on the first k diagonals: growing() for k ≤ T, shrinking() for k ≥
  /// T.
  static IntTerm growing(const IntTerm& k) { return k * (k + 1); }
  IntTerm shrinking(const IntTerm& k) const {
    const IntTerm after = 2 * tiles_ - k;
    return 2 * tiles_ * tiles_ - after * (after - 1);
  }
  /// Whether the cost of the accesses is at most the source's bound.
  Truth is_bounded(const Cost<IntTerm>& accesses) const;

 private:
  void give_rows_down(const SummingOf<IntTerm>& matrix, const IntTerm& block, const IntTerm& groups,
                      bool on_stairs) const;
  void give_rows_of_copy(const IntTerm& y, const IntTerm& x, const SweepTurn<IntTerm>& turn) const;
  /// Gives the invariants of the blocks of a launch for this diagonal. Each block has at most
  /// `each` stages.
  void give_diagonal(const DiagonalOf<IntTerm>& diagonal, const IntTerm& each) const;
  void give_tile_of_diagonal(const IntTerm& y, const IntTerm& x) const;
  /// Gives the invariants of the tiles (y, x) of a part, row by row. Each tile is copied `copies`
  /// times. A tile has a run for the tile below it, a run for the tile to its right, and a word if
  /// both tiles exist. With `from_before`, the runs and the word are for the tiles above it and to
  /// its left.
  void give_tiles(const PartOf<IntTerm>& part, std::uint64_t copies, bool from_before,
                  const InTile& in_tile) const;
  void give_tiles_of_row(const PartOf<IntTerm>& part, std::uint64_t copies, bool from_before,
                         const IntTerm& y, const InTile& in_tile) const;
  /// How many of the first k tiles have a tile after them or, with `from_before`, a tile before
  /// them.
  IntTerm others(const IntTerm& k, bool from_before) const {
    return from_before ? minus_or_zero(k, 1) : smaller(k, tiles_ - 1);
  }

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
