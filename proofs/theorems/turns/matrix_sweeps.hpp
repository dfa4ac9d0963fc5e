// Facts about sweeps over the elements of a matrix (algorithms/sweep.hpp), for proofs of upper
// bounds on times.
//
// Let p ≥ w be the number of threads, and columns ≥ w. A row has fewer than 2·columns threads.
// Either each row is one piece, or each turn has one row. So a sweep of at least p elements has at
// most 4·rows·columns/p turns. A round on banks has at most (c + w − 1)/w stages for each row of c
// elements in its turn. This file calls the sum of all c + w − 1, without the division by w, the
// area of a sweep. The area is at most rows·(columns + (columns/p + 1)(w − 1)).
#pragma once

#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "../../../algorithms/sweep.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// Makes these terms factors. From then on, their products can be factors without a goal.
inline void know_factors(Query& q, const std::vector<IntTerm>& terms) {
  for (const IntTerm& term : terms) q.multiply_by({term});
  q.multiply_by({});
}

/// `steps` prove the claim that they return. Afterwards the query keeps only this claim of the
/// facts found in `steps`.
template <class Steps>
void know(Query& q, Steps steps) {
  const auto claim = [&] {
    const Query::Scope scope(q);
    Truth proved = steps();
    q.claim("what is known afterwards", proved);
    return proved;
  }();
  q.assume_shown(claim);
}

/// A sweep with w ≤ p ≤ rows·columns and w ≤ columns.
class Sweeping {
 public:
  /// The laws of sweeps, proved for any sweep. Construct them early, while few facts are known.
  class Laws {
   public:
    explicit Laws(Query& q) {
      const Query::Scope scope(q);
      const Sweeping any(
          {q.fresh("rows", 1), q.fresh("columns", 1), q.fresh("p", 1), q.fresh("w", 1)});
      q.assume(any.is_covered());
      any.prove_laws(q);
    }
  };

  Sweeping(Query& q, const Laws&, SweepShape<IntTerm> shape) : Sweeping(std::move(shape)) {
    q.claim("threads of a sweep", is_covered());
    q.assume_shown(turns_are_bounded() && area_is_bounded());
  }

  /// The number of turns. p times this number is at most 4·rows·columns, and at most 2·rows·columns
  /// if w divides the columns.
  IntTerm count() const { return shape_.turns(); }
  const SweepShape<IntTerm>& shape() const { return shape_; }
  /// The area. It is at most rows·(2·columns + w) and at most rows·columns·(2 + w/p). If w divides
  /// the columns and columns ≤ p, it is at most rows·(columns + w − 1).
  IntTerm area() const { return area_of(count()); }

  /// A turn: its position, its size, and `reach`, the area of one of its rows.
  struct Turn {
    IntTerm row;
    IntTerm column;
    IntTerm rows;
    IntTerm columns;
    IntTerm reach;
  };
  Turn turn(const IntTerm& k) const {
    const SweepTurn<IntTerm> turn = shape_.turn(k);
    return {turn.row, turn.column, turn.rows, turn.columns, turn.columns + shape_.w - 1};
  }
  /// The parts that a proof adds to the invariant of the turns.
  struct Inside {
    /// Proves facts about turn k, and gives the invariants of the sums in it.
    std::function<void(const IntTerm& k, const Turn& turn)> step = nullptr;
    /// Factors for the goal that one more turn keeps the invariant true.
    std::vector<IntTerm> factors = {};
  };

  /// Invariant of the turns: each turn has at most `rounds` rounds; w times the stages of these
  /// rounds is at most `stages` times the area of the turn. `stages` is a sum of multiples of the
  /// factors.
  OverNumbers<OfRounds> turns(const IntTerm& stages, const IntTerm& rounds,
                              const Inside& inside) const {
    return with_turns(inside, [=, *this](const IntTerm& k, const OfRounds& sum) {
      return shape_.w * sum.stages <= stages * area_of(k) && sum.rounds <= rounds * k;
    });
  }
  /// Invariant: each turn has at least `rounds` rounds.
  OverNumbers<OfRounds> turns_at_least(const IntTerm& rounds, Inside inside) const {
    inside.step = [*this, step = inside.step](auto& k, auto& turn) {
      Query& q = k.query();
      q.multiply_by({at_once_, threads_});
      q.claim("its place", turn.row >= 0 && turn.column >= 0);
      q.multiply_by({});
      if (step) step(k, turn);
    };
    return with_turns(
        inside, [=](const IntTerm& k, const OfRounds& sum) { return sum.rounds >= rounds * k; });
  }

  Truth has_turns_of_one_row() const { return at_once_ == 1; }
  /// For a turn k in the first `first_rows` rows of a sweep with turns of one row: adds the facts
  /// from which it follows that the turns up to and including turn k are at most the turns of these
  /// rows. Also adds these facts for `times` times the areas of the turns.
  void know_row(const IntTerm& k, const IntTerm& first_rows, const IntTerm& times) const {
    Query& q = k.query();
    q.multiply_equals(k / pieces_, at_once_, 1);
    q.apply(multiples_are_apart(), {pieces_, k / pieces_, first_rows});
    q.apply(multiples_are_apart(), {times * area_of_row(), k / pieces_, first_rows});
    q.multiply_equals(times, at_once_, 1);
  }
  /// Area of one row if turns have one row. The area of the sweep is at most rows·area_of_row().
  IntTerm area_of_row() const { return shape_.columns + pieces_ * (shape_.w - 1); }

  /// Invariant of the sum over a window's rows in a round, with at most `pieces` times the stages
  /// on banks. Use of_one_row() if the window has one row.
  OverNumbers<IntTerm> of_rows(const Turn& turn, std::uint64_t pieces) const {
    return times_width([=, *this](const IntTerm& k, const IntTerm& stages) {
      if (!k.constant()) {  // the sum over the window's rows is at most that over the turn's rows
        k.query().apply(multiples_are_apart(), {turn.reach, k, turn.rows});
        k.query().multiply_equals(turn.reach, k, turn.rows);
      }
      return k <= turn.rows && shape_.w * stages <= pieces * turn.reach * k;
    });
  }
  OverNumbers<IntTerm> of_one_row(const Turn& turn, std::uint64_t pieces) const {
    return times_width([=, *this](const IntTerm& k, const IntTerm& stages) {
      return k <= 1 && shape_.w * stages <= pieces * turn.reach && implies(k < 1, stages == 0);
    });
  }

  /// Proves how many rows a turn has, or how many pieces a row has.
  void know_shape(Query& q) const {
    const auto& [rows, columns, p, w] = shape_;
    for (const IntTerm& number : {at_once_, pieces_}) {
      q.apply(multiples_are_apart(), {threads_, number, 1});
      q.apply(multiples_are_apart(), {threads_, 1, number});
    }
    q.claim("threads of a row", w <= threads_ && threads_ <= p && threads_ < 2 * columns);
    q.claim("some rows, some pieces", at_once_ >= 1 && pieces_ >= 1);
    q.claim("whole rows or one row", has_whole_rows() || has_one_row());
    know_factors(q, {rows, columns, p, w, w - 1, threads_, at_once_, at_once_ - 1, pieces_, sets_});
    q.suppose(has_one_row(), [&, rows = rows, columns = columns, p = p, this] {
      q.multiply_equals(sets_, at_once_, 1);
      q.multiply_equals(pieces_, threads_, p);
      q.multiply_equals(p, pieces_, 1);
      return sets_ == rows && p * pieces_ < columns + p && p * pieces_ <= 2 * columns;
    });
    q.multiply_equals(threads_, pieces_, 1);
    q.multiply_equals(pieces_, sets_, rows);
    q.claim("whole rows", implies(has_whole_rows(), threads_ >= columns));
    q.multiply_by({rows});
    q.claim("some rows", rows * pieces_ >= 1);
  }

 private:
  explicit Sweeping(SweepShape<IntTerm> shape)
      : shape_(std::move(shape)),
        threads_(shape_.row_threads()),
        at_once_(shape_.rows_at_once()),
        pieces_(shape_.pieces()),
        sets_(ceil_div(shape_.rows, at_once_)),
        area_(shape_.w.query().function("area")) {}

  /// The invariant of a sum over rows, with the width as factor.
  OverNumbers<IntTerm> times_width(
      const std::function<Truth(const IntTerm&, const IntTerm&)>& holds) const {
    return OverNumbers<IntTerm>("rows of a window")
        .holds(holds)
        .after([w = shape_.w](auto& k, auto&) { k.query().multiply_by({w}); });
  }
  OverNumbers<OfRounds> with_turns(
      const Inside& inside,
      const std::function<Truth(const IntTerm&, const OfRounds&)>& holds) const {
    return OverNumbers<OfRounds>("turns of a sweep")
        .holds(holds)
        .step([=, *this](auto& k) {
          const Turn turn = this->turn(k);
          k.query().assume_shown(implies(k < count(), law_of_turn(k, turn)));
          if (inside.step) inside.step(k, turn);
        })
        .after([factors = inside.factors](auto& k, auto&) { k.query().multiply_by(factors); });
  }
  Truth is_covered() const {
    const auto& [rows, columns, p, w] = shape_;
    return rows >= 1 && w >= 1 && w <= columns && w <= p && p <= rows * columns;
  }
  Truth has_whole_rows() const { return pieces_ == 1; }
  Truth fills_warps() const { return rounded_up(shape_.columns, shape_.w) == shape_.columns; }
  Truth has_one_row() const { return at_once_ == 1 && threads_ == shape_.p; }

  void prove_laws(Query& q) const {
    know_shape(q);
    prove_law_of_turn(q);
    prove_turns(q);
    prove_area(q);
  }
  Truth turns_are_bounded() const {
    const IntTerm turns = shape_.p * count();
    const IntTerm elements = shape_.rows * shape_.columns;
    return sets_ >= 0 && pieces_ >= 1 && at_once_ >= 1 && turns <= 4 * elements &&
           implies(fills_warps(), turns <= 2 * elements);
  }
  void prove_turns(Query& q) const {
    const auto& [rows, columns, p, w] = shape_;
    const IntTerm span = larger(threads_, columns);
    const IntTerm most = 2 * rows * span;
    q.suppose(has_whole_rows(), [&, rows = rows, p = p, this] {
      q.multiply_equals(sets_, pieces_, 1);
      q.multiply_by({p, rows, at_once_ * rows, at_once_ - 1, rows * (at_once_ - 1)});
      q.claim("turns, times rows", at_once_ * p * sets_ <= at_once_ * most);
      q.apply(multiples_are_apart(), {at_once_, most, p * sets_});
      return p * count() <= most;
    });
    q.suppose(has_one_row(), [&, rows = rows, p = p, this] {
      q.multiply_equals(p * pieces_, sets_, rows);
      q.multiply_by({rows});
      return p * count() <= most;
    });
    q.multiply_by({rows});
    q.claim("warps of a row",
            implies(fills_warps(), span == columns && implies(columns <= p, has_whole_rows())));
    q.multiply_equals(rows, span, columns);
    q.claim("turns", turns_are_bounded());
  }

  IntTerm area_of(const IntTerm& k) const { return k.constant() == 0 ? k : area_(k); }
  IntTerm rows_before(const IntTerm& k) const {
    return smaller(k * at_once_, shape_.rows * pieces_);
  }
  /// Whether `area` is the area of the first k turns: the number of their elements, plus w − 1 for
  /// each row of a turn.
  Truth is_area(const IntTerm& k, const IntTerm& area) const {
    const IntTerm rows = rows_before(k);
    const IntTerm elements = select(has_whole_rows(), rows * shape_.columns,
                                    k / pieces_ * shape_.columns + k % pieces_ * threads_);
    return area == elements + rows * (shape_.w - 1);
  }
  Truth area_is_bounded() const {
    const auto& [rows, columns, p, w] = shape_;
    return area() >= 0 && area() <= rows * (2 * columns + w) &&
           p * area() <= rows * columns * (2 * p + w) && area() <= rows * area_of_row() &&
           implies(fills_warps() && columns <= p, area() <= rows * (columns + w - 1));
  }
  void prove_area(Query& q) const {
    const auto& [rows, columns, p, w] = shape_;
    const IntTerm sets = count() / pieces_;
    q.assume(is_area(count(), area()));
    q.compare_multiples(pieces_, sets, sets_);
    q.multiply_equals(columns, sets, rows);
    q.multiply_equals(threads_, count() % pieces_, 0);
    q.multiply_equals(rows, pieces_, 1);
    q.multiply_by({pieces_ * at_once_});
    q.claim("no negative rows", rows_before(count()) >= 0);
    q.multiply_by({columns, threads_, w - 1});
    const IntTerm none = q.unknown("area");
    q.claim("area of no turn", implies(is_area(0, none), none == 0));
    q.claim("no negative area", area() >= 0);
    q.suppose(fills_warps() && columns <= p, [&, rows = rows, columns = columns, w = w, this] {
      q.multiply_by({columns, w - 1});
      return area() <= rows * (columns + w - 1);
    });
    q.multiply_by({columns, w - 1});
    q.claim("area of rows", area() <= rows * area_of_row());
    q.multiply_by({p, columns * p, p * (w - 1), rows * (w - 1)});
    q.claim("area, times p", p * area() <= rows * (columns * p + (columns + p) * (w - 1)));
    const IntTerm most = rows * (2 * columns + w);
    q.apply(multiples_are_apart(), {p, most, area()});
    q.multiply_by({rows, columns, rows * p, rows * columns});
    q.claim("area", area_is_bounded());
  }

  /// The law of turn k: the turn has elements, and its area is added to the area of the turns
  /// before it.
  Truth law_of_turn(const IntTerm& k, const Turn& turn) const {
    return turn.rows >= 1 && turn.columns >= 1 &&
           area_of(k) + turn.rows * turn.reach <= area_of(k + 1) &&
           implies(has_turns_of_one_row(), area_of(k + 1) <= (k / pieces_ + 1) * area_of_row());
  }
  void prove_law_of_turn(Query& q) const {
    const Query::Scope scope(q);
    const IntTerm k = q.fresh("turn");
    q.assume(k < count());
    q.assume(is_area(k, area_(k)) && is_area(k + 1, area_(k + 1)));
    const Turn turn = this->turn(k);
    const Truth law = law_of_turn(k, turn);
    const std::pair<IntTerm, IntTerm> of_turn = q.quotient(k, pieces_);
    const IntTerm& set = of_turn.first;
    const IntTerm& piece = of_turn.second;
    const auto [next_set, next_piece] = q.quotient(k + 1, pieces_);
    q.compare_multiples(pieces_, set, sets_);
    q.compare_multiples(pieces_, next_set, set + 1);
    q.apply(multiples_are_apart(), {at_once_, set, sets_});
    q.apply(multiples_are_apart(), {threads_, piece, pieces_});
    q.claim("elements", turn.rows >= 1 && turn.columns >= 1);
    q.multiply_equals(set, pieces_, 1);
    q.multiply_equals(at_once_, set, k);
    q.multiply_equals(shape_.rows, pieces_, 1);
    q.multiply_equals(k, at_once_, 1);
    q.claim("rows", rows_before(k) + turn.rows <= rows_before(k + 1));
    for (const IntTerm& number : {IntTerm(0), piece + 1}) {
      q.multiply_equals(threads_, next_piece, number);
    }
    for (const IntTerm& number : {set, set + 1}) {
      q.multiply_equals(shape_.columns, next_set, number);
    }
    q.multiply_equals(threads_, piece, 0);
    q.multiply_equals(turn.rows, turn.columns, shape_.columns);
    q.multiply_equals(turn.columns, turn.rows, 1);
    q.suppose(has_turns_of_one_row(), [&, this] {
      q.multiply_equals(shape_.columns, k, set);
      q.apply(multiples_are_apart(), {threads_, piece + 1, pieces_});
      q.claim("turns of a row", k < (set + 1) * pieces_);
      q.multiply_by({shape_.columns, shape_.w - 1});
      return area_of(k + 1) <= (set + 1) * area_of_row();
    });
    q.multiply_by({shape_.columns, shape_.w - 1});
    q.claim("area", law);
  }

  SweepShape<IntTerm> shape_;
  IntTerm threads_;  ///< threads of a row
  IntTerm at_once_;  ///< rows of a turn
  IntTerm pieces_;   ///< pieces of a row
  IntTerm sets_;     ///< sets of rows that the same turns handle
  Function area_;    ///< area of the turns before a turn
};

/// Proves the upper bound of algorithm A for a sweep on one memory. w times the stages of the sweep
/// is at most `stages` times its area, and each turn has at most `rounds` rounds. The query must
/// already bound `stages` and `rounds` by suitable multiples of `each`.
template <class A>
void prove_bound_of_sweep(Query& q, const Cost<IntTerm>& cost, const TaskOf<IntTerm>& task,
                          std::uint64_t factor, const IntTerm& elements, const IntTerm& each,
                          const IntTerm& stages, const IntTerm& rounds) {
  const auto& [p, w] = std::tie(task.machine.p, task.machine.w);
  const IntTerm most = factor * elements * each;
  const IntTerm more = task.machine.l - 1;
  know_factors(q, {stages, rounds, more});
  q.multiply_by({p, rounds, elements});
  q.claim("rounds", p * cost.global.rounds <= most);
  q.multiply_by({p, stages});
  q.claim("stages of the area", p * w * cost.global.stages <= stages * elements * (2 * p + w));
  q.multiply_by({elements * p, elements * w});
  q.claim("stages", p * w * cost.global.stages <= most * (p + w));
  q.multiply_by({w * more});
  q.claim("the bound", is_bounded<A>(lockstep_time(cost, task.machine), task, factor));
}

}  // namespace bankproof::proofs
