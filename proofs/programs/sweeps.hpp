// Proves facts about the turns of a sweep over a matrix (algorithms/sweep.hpp), for any sizes,
// threads and width: the sweep has turns, and the elements of each turn lie in the matrix.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "../../algorithms/sweep.hpp"
#include "formula_terms.hpp"
#include "loops.hpp"

namespace bankproof::proofs {

class SweptTurns {
 public:
  /// All numbers of the shape are at least 1.
  explicit SweptTurns(SweepShape<Written> shape)
      : shape_(std::move(shape)),
        threads_(shape_.row_threads()),
        at_once_(shape_.rows_at_once()),
        pieces_(shape_.pieces()),
        sets_(ceil_div(shape_.rows, at_once_)),
        count_(shape_.turns()) {}

  IntTerm count(FormulaTerms& terms) const { return terms(count_.node()); }

  /// Proves how many threads a row has, and that there is no negative number of turns.
  void know_shape(Query& q, FormulaTerms& terms) const {
    for (const Written& one : {shape_.rows, shape_.columns, shape_.p, shape_.w}) {
      terms.know_positive(one.node());
    }
    const auto [threads, at_once, pieces, sets] = numbers(terms);
    q.claim_step("a row has threads", threads >= 1 && threads <= terms(shape_.p.node()));
    q.apply(multiples_are_apart(), {threads, at_once, 1});
    q.apply(multiples_are_apart(), {threads, pieces, 1});
    q.claim_step("a turn has rows, and a row has pieces", at_once >= 1 && pieces >= 1);
    q.apply(multiples_are_apart(), {at_once, sets, 1});
    q.claim_step("some rows have turns", sets >= 1);
    q.scale(pieces, 1, sets);
  }

  /// Proves that the turn at this place of a sum over all turns lies in the matrix.
  void know_turn(Query& q, FormulaTerms& terms, const Written& place) const {
    const auto [threads, at_once, pieces, sets] = numbers(terms);
    const SweepTurn<Written> turn = shape_.turn(place);
    const IntTerm set = terms((place / pieces_).node());
    const IntTerm piece = terms((place % pieces_).node());
    q.compare_multiples(pieces, set, sets);
    q.claim_step("the rows of a turn", set >= 0 && set < sets);
    q.apply(multiples_are_apart(), {at_once, set, sets});
    q.apply(multiples_are_apart(), {threads, piece, pieces});
    q.scale(at_once, 0, set);
    q.scale(threads, 0, piece);
    q.claim_step("the elements of a turn",
                 terms(turn.row.node()) >= 0 && terms(turn.column.node()) >= 0 &&
                     terms(turn.rows.node()) >= 1 && terms(turn.columns.node()) >= 1);
  }

 private:
  struct Numbers {
    IntTerm threads;
    IntTerm at_once;
    IntTerm pieces;
    IntTerm sets;
  };
  Numbers numbers(FormulaTerms& terms) const {
    return {terms(threads_.node()), terms(at_once_.node()), terms(pieces_.node()),
            terms(sets_.node())};
  }

  SweepShape<Written> shape_;
  Written threads_;  ///< of a row
  Written at_once_;  ///< rows of a turn
  Written pieces_;   ///< of a row
  Written sets_;     ///< of rows that the same turns handle
  Written count_;
};

/// The sweeps of a program.
struct KnownSweeps {
  std::vector<SweptTurns> all{};
  /// The sweep of a level of a loop over powers, by its power; empty if levels do not sweep.
  std::function<SweepShape<Written>(const Written& power)> of_level{};

  /// Proves what is known of the turn of a loop that its place stands for, and returns the sweeps
  /// that are known in this turn.
  KnownSweeps at_turn(Query& q, const FormulaTerms::Names& names,
                      const FormulaTerms::Places& places, const WrittenLoop& loop) const;
};

}  // namespace bankproof::proofs
