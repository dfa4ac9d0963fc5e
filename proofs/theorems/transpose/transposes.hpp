// Transposes in tiles on terms: upper bounds on the sums of transpose_cost(). A wave has a block
// for each of its tiles, and a block processes ⌊p/w⌋ rows of its tile at a time. An access to a row
// of a tile takes one stage if w divides the sides of the matrix, and otherwise two.
#pragma once

#include <cstdint>
#include <utility>

#include "../../../algorithms/transpose.hpp"
#include "../../builder/bounds.hpp"
#include "../turns/sweeps.hpp"

namespace bankproof::proofs {

/// A matrix of w·down × w·across elements, in down × across whole tiles.
struct WholeTiles {
  IntTerm w;
  IntTerm down;
  IntTerm across;

  TransposingOf<IntTerm> matrix() const { return {w * down, w * across, w}; }
  /// Whether the algorithm computes these numbers of tiles.
  Truth are_whole() const {
    return ceil_div(w * down, w) == down && ceil_div(w * across, w) == across;
  }
  /// Proves are_whole(), and the products of these numbers.
  void prove(Query& q) const {
    q.compare_multiples(w, ceil_div(w * down, w), down);
    q.compare_multiples(w, ceil_div(w * across, w), across);
    q.claim("tiles", are_whole());
    q.multiply_equals(ceil_div(w * across, w), ceil_div(w * down, w), down);
    q.multiply_equals(down, ceil_div(w * across, w), across);
  }
};

/// The sums of a transpose of down × across tiles on this machine, for p ≥ w.
class TransposeSums {
 public:
  /// Blocks have `threads` threads.
  TransposeSums(Query& q, MachineParametersOf<IntTerm> machine, TransposingOf<IntTerm> matrix,
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
  /// Rows of a tile in one turn, turns for a tile, and waves of tiles.
  IntTerm rows() const { return sweep_.rows(); }
  IntTerm turns() const { return sweep_.turns(); }
  IntTerm waves() const { return ceil_div(tiles(), machine_.d * slots_); }
  /// Upper bound on the tiles of a wave on a DMM.
  IntTerm tiles_of_a_dmm() const { return smaller(slots_, ceil_div(tiles(), machine_.d)); }

  const SweepSums& sweep() const { return sweep_; }
  /// The facts that proofs of sums need. The steps of a Query::conclude() return these facts, so
  /// that the query drops the others.
  Truth numbers() const;

  /// Proves that all tiles are in one wave of one turn, with `each` tiles on each DMM. The query
  /// must know that there are enough threads and words for these tiles.
  void prove_one_wave(const IntTerm& each) const;
  Truth has_one_wave(const IntTerm& each) const;

  /// Gives the invariants of the sums of transpose_cost(). A row of a tile takes at most `pieces`
  /// stages. About the cost, the query then knows only the invariant for all waves.
  void give_invariants(std::uint64_t pieces) const { give_sums(pieces, false); }
  /// Gives the same invariants, if all tiles are whole and in one wave of one turn. Then a row of a
  /// tile takes exactly one stage.
  void give_exactly() const { give_sums(1, true); }

 private:
  /// The blocks of a wave.
  struct Wave {
    IntTerm first;
    IntTerm blocks;
  };
  /// The windows of a wave's blocks: the tiles come from these windows or, if `to`, go to them. A
  /// row takes at most `pieces` stages, or exactly one if `exactly`.
  struct Windows {
    Wave wave;
    std::uint64_t pieces;
    bool exactly;
    bool to;
  };

  void give_sums(std::uint64_t pieces, bool exactly) const;
  Wave wave(const IntTerm& k) const;
  /// Proves facts about wave k.
  void know_wave(const IntTerm& k, bool exactly) const;
  void give_windows(const Windows& windows) const;
  void give_blocks(const Windows& windows, const SweepTurn<IntTerm>& turn) const;
  void give_rows(const Windows& windows, const SweepTurn<IntTerm>& turn,
                 const IntTerm& block) const;
  void give_tile(bool exactly) const;
  void prove_whole_tile(const IntTerm& block) const;

  Query& query_;
  MachineParametersOf<IntTerm> machine_;
  TransposingOf<IntTerm> matrix_;
  IntTerm down_;
  IntTerm across_;
  IntTerm threads_;
  IntTerm slots_;
  SweepSums sweep_;
};

}  // namespace bankproof::proofs
