// Transposes in tiles on terms: what the sums of transpose_cost() come to at most. A wave has a
// block for each tile it takes, a block ⌊p/w⌋ rows of its tile at a time; an access to a row of a
// tile is a stage where w divides the sides of the matrix, and two elsewhere.
#pragma once

#include <functional>
#include <memory>

#include "../../../algorithms/transpose.hpp"
#include "../../builder/bounds.hpp"
#include "../turns/sweeps.hpp"

namespace bankproof::proofs {

/// Of a transpose of down × across tiles on such a machine, p ≥ w.
class TransposeSums {
 public:
  /// With blocks of so many threads.
  TransposeSums(Query& q, LettersOf<IntTerm> machine, TransposingOf<IntTerm> matrix,
                IntTerm threads, IntTerm down, IntTerm across)
      : query_(q),
        machine_(std::move(machine)),
        matrix_(std::move(matrix)),
        down_(std::move(down)),
        across_(std::move(across)),
        threads_(std::move(threads)),
        slots_(machine_.slots(threads_, matrix_.shared_words())),
        sweep_(q, matrix_.w, threads_) {}

  const TransposingOf<IntTerm>& matrix() const { return matrix_; }
  const IntTerm& threads() const { return threads_; }
  const IntTerm& slots() const { return slots_; }
  IntTerm tiles() const { return matrix_.tiles(); }
  /// Rows of a tile at a time, turns of a tile, waves of tiles.
  IntTerm rows() const { return sweep_.rows(); }
  IntTerm turns() const { return sweep_.turns(); }
  IntTerm waves() const { return ceil_div(tiles(), machine_.d * slots_); }
  /// Tiles of a wave on a DMM, at most.
  IntTerm tiles_of_a_dmm() const { return smaller(slots_, ceil_div(tiles(), machine_.d)); }

  const SweepSums& sweep() const { return sweep_; }
  /// What is to be known of all of these before sums are taken: to be returned by the steps of a
  /// conclusion, as most of what is known of them is of no use there.
  Truth numbers() const;

  /// That all tiles, which have to be `each` of each DMM, are in one wave of one turn: that there
  /// are threads and words for them has to be known.
  void prove_one_wave(const IntTerm& each) const;
  Truth has_one_wave(const IntTerm& each) const;

  /// Gives the invariants of the sums of transpose_cost(): rows of tiles take at most so many
  /// stages. The last one is, for all waves, what is known of the cost.
  void give_invariants(std::uint64_t pieces) const { give_sums(pieces, false); }
  /// Likewise where all tiles are whole and in one wave of one turn: rows take exactly one.
  void give_exactly() const { give_sums(1, true); }

 private:
  using Steps = std::function<void(const IntTerm&)>;

  void give_sums(std::uint64_t pieces, bool exactly) const;
  void give_windows(std::uint64_t pieces, bool exactly, const std::function<IntTerm()>& blocks,
                    const std::function<IntTerm()>& first, bool to) const;
  void give_tile(bool exactly) const;
  void prove_whole_tile(const IntTerm& block) const;

  Query& query_;
  LettersOf<IntTerm> machine_;
  TransposingOf<IntTerm> matrix_;
  IntTerm down_;
  IntTerm across_;
  IntTerm threads_;
  IntTerm slots_;
  SweepSums sweep_;
};

}  // namespace bankproof::proofs
