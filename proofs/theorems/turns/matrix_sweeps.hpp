// Sweeps over the elements of a matrix (algorithms/sweep.hpp), for proofs of how long they take at
// most.
//
// By p ≥ w threads, of columns ≥ w: a row has fewer threads than two rows have elements, and either
// rows are in one piece each or turns have one row. So a sweep of at least p elements has at most
// 4·rows·columns/p turns. A round on banks has at most (c + w − 1)/w stages for each row of c
// elements that its turn has. Added up, and without the division, this is called the area of a
// sweep here; it is at most rows·(columns + (columns/p + 1)(w − 1)).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "../../../algorithms/sweep.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// What makes something known; a term, and terms, that are known when they are asked for.
using Steps = std::function<void()>;
using Later = std::function<IntTerm()>;
using LaterTerms = std::function<std::vector<IntTerm>()>;

/// An invariant of k terms that makes known what helps where one term is added to any number k of
/// them: before(k), and by what facts are multiplied when all of that term is known.
template <class Sum>
SumInvariant<Sum> with_steps(const std::function<void(const IntTerm&)>& before,
                             const LaterTerms& factors, const SumInvariant<Sum>& holds) {
  const auto next = std::make_shared<std::optional<IntTerm>>();
  return [=](const IntTerm& k, const Sum& sum) {
    if (!*next && !k.constant()) {
      before(k);
      *next = k + IntTerm(1);
    } else if (*next && k.expression().id() == (*next)->expression().id()) {
      k.query().multiply_by(factors());
    }
    return holds(k, sum);
  };
}
template <class Sum>
SumInvariant<Sum> with_factors(const LaterTerms& factors, const SumInvariant<Sum>& holds) {
  return with_steps<Sum>([](const IntTerm&) {}, factors, holds);
}

/// Products of these are factors from then on, without a goal.
inline void know_factors(Query& q, const std::vector<IntTerm>& terms) {
  for (const IntTerm& term : terms) q.multiply_by({term});
  q.multiply_by({});
}

/// The steps prove what they return, and nothing else of them is known afterwards.
template <class Steps>
void know(Query& q, Steps steps) {
  const auto claim = [&] {
    const Query::Scope scope(q);
    Truth proved = steps();
    q.prove("what is known afterwards", proved);
    return proved;
  }();
  q.assume(claim);
}

/// A sweep for which w ≤ p ≤ rows·columns and w ≤ columns.
class Sweeping {
 public:
  /// What is known of sweeps: proved of any one, best where there are few facts yet.
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
    q.prove("threads of a sweep", is_covered());
    q.assume(turns_are_bounded() && area_is_bounded());
  }

  /// p times that is at most 4·rows·columns, and 2·rows·columns where w divides the columns.
  IntTerm count() const { return shape_.turns(); }
  const SweepShape<IntTerm>& shape() const { return shape_; }
  /// At most rows·(2·columns + w) and rows·columns·(2 + w/p), and rows·(columns + w − 1) where w
  /// divides the columns and there are at most p of them.
  IntTerm area() const { return area_of(count()); }

  /// Of rounds that have at most `stages` times the area of their turn, a sum of multiples of
  /// `factors`, and are at most `rounds` in a turn; before() helps with a turn.
  SumInvariant<OfRounds> turns(const Later& stages, const Later& rounds, const Steps& before,
                               const LaterTerms& factors) const {
    return with_steps<OfRounds>(
        [=, *this](const IntTerm& k) {
          k.query().assume(implies(k < count(), law_of_turn(k)));
          before();
        },
        factors,
        [=, *this](const IntTerm& k, const OfRounds& sum) {
          return shape_.w * sum.stages <= stages() * area_of(k) && sum.rounds <= rounds() * k;
        });
  }
  /// Of rounds that are so many or more in each turn; before() helps with a turn.
  SumInvariant<OfRounds> turns_at_least(const Later& rounds, const Steps& before,
                                        const LaterTerms& factors) const {
    return with_steps<OfRounds>(
        [=, *this](const IntTerm& k) {
          Query& q = k.query();
          q.assume(implies(k < count(), law_of_turn(k)));
          q.multiply_by({at_once_, threads_});
          q.prove("its place", turn_->row >= IntTerm(0) && turn_->column >= IntTerm(0));
          q.multiply_by({});
          before();
        },
        factors, [=](const IntTerm& k, const OfRounds& sum) { return sum.rounds >= rounds() * k; });
  }
  /// Of the turn for which terms were asked last: its rows, its columns, the area of a row.
  const IntTerm& rows() const { return turn_->rows; }
  const IntTerm& columns() const { return turn_->columns; }
  const IntTerm& first_row() const { return turn_->row; }
  const IntTerm& reach() const { return *reach_; }

  Truth has_turns_of_one_row() const { return at_once_ == one(); }
  /// For those: that turn k, if it is of one of the first rows, is one of as many rows of turns,
  /// and so many times its area one of as many rows' area.
  void know_row(const IntTerm& k, const IntTerm& first_rows, const IntTerm& times) const {
    Query& q = k.query();
    q.multiply_equals(k / pieces_, at_once_, one());
    q.apply(multiples_are_apart(), {pieces_, k / pieces_, first_rows});
    q.apply(multiples_are_apart(), {times * area_of_row(), k / pieces_, first_rows});
    q.multiply_equals(times, at_once_, one());
  }
  /// Area of a row in turns of its own: that of the sweep is as many times that as it has rows.
  IntTerm area_of_row() const { return shape_.columns + pieces_ * (shape_.w - one()); }

  /// Of the rows of a window's round, with so many times the stages that banks have at most;
  /// of_one_row() where the window has one.
  SumInvariant<IntTerm> of_rows(std::uint64_t pieces) const {
    return times_width([=, *this](const IntTerm& k, const IntTerm& stages) {
      if (!k.constant()) {  // of all rows of the window, no more than the turn's
        k.query().apply(multiples_are_apart(), {reach(), k, rows()});
        k.query().multiply_equals(reach(), k, rows());
      }
      return k <= rows() && shape_.w * stages <= IntTerm(pieces) * reach() * k;
    });
  }
  SumInvariant<IntTerm> of_one_row(std::uint64_t pieces) const {
    return times_width([=, *this](const IntTerm& k, const IntTerm& stages) {
      return k <= one() && shape_.w * stages <= IntTerm(pieces) * reach() &&
             implies(k < one(), stages == IntTerm(0));
    });
  }

  /// Proves how many rows a turn has, or pieces a row.
  void know_shape(Query& q) const {
    const auto& [rows, columns, p, w] = shape_;
    for (const IntTerm& number : {at_once_, pieces_}) {
      q.apply(multiples_are_apart(), {threads_, number, one()});
      q.apply(multiples_are_apart(), {threads_, one(), number});
    }
    q.prove("threads of a row", w <= threads_ && threads_ <= p && threads_ < IntTerm(2) * columns);
    q.prove("some rows, some pieces", at_once_ >= one() && pieces_ >= one());
    q.prove("whole rows or one row", has_whole_rows() || has_one_row());
    know_factors(
        q, {rows, columns, p, w, w - one(), threads_, at_once_, at_once_ - one(), pieces_, sets_});
    q.suppose(has_one_row(), [&, rows = rows, columns = columns, p = p, this] {
      q.multiply_equals(sets_, at_once_, one());
      q.multiply_equals(pieces_, threads_, p);
      q.multiply_equals(p, pieces_, one());
      return sets_ == rows && p * pieces_ < columns + p && p * pieces_ <= IntTerm(2) * columns;
    });
    q.multiply_equals(threads_, pieces_, one());
    q.multiply_equals(pieces_, sets_, rows);
    q.prove("whole rows", implies(has_whole_rows(), threads_ >= columns));
    q.multiply_by({rows});
    q.prove("some rows", rows * pieces_ >= one());
  }

 private:
  explicit Sweeping(SweepShape<IntTerm> shape)
      : shape_(std::move(shape)),
        threads_(shape_.row_threads()),
        at_once_(shape_.rows_at_once()),
        pieces_(shape_.pieces()),
        sets_(ceil_div(shape_.rows, at_once_)),
        area_(shape_.w.query().function("area")) {}

  static IntTerm one() { return IntTerm(1); }
  SumInvariant<IntTerm> times_width(const SumInvariant<IntTerm>& holds) const {
    return with_factors<IntTerm>([w = shape_.w] { return std::vector{w}; }, holds);
  }
  Truth is_covered() const {
    const auto& [rows, columns, p, w] = shape_;
    return rows >= one() && w >= one() && w <= columns && w <= p && p <= rows * columns;
  }
  Truth has_whole_rows() const { return pieces_ == one(); }
  Truth fills_warps() const { return rounded_up(shape_.columns, shape_.w) == shape_.columns; }
  Truth has_one_row() const { return at_once_ == one() && threads_ == shape_.p; }

  void prove_laws(Query& q) const {
    know_shape(q);
    prove_law_of_turn(q);
    prove_turns(q);
    prove_area(q);
  }
  Truth turns_are_bounded() const {
    const IntTerm turns = shape_.p * count();
    const IntTerm elements = shape_.rows * shape_.columns;
    return sets_ >= IntTerm(0) && pieces_ >= one() && at_once_ >= one() &&
           turns <= IntTerm(4) * elements && implies(fills_warps(), turns <= IntTerm(2) * elements);
  }
  void prove_turns(Query& q) const {
    const auto& [rows, columns, p, w] = shape_;
    const IntTerm span = larger(threads_, columns);
    const IntTerm most = IntTerm(2) * rows * span;
    q.suppose(has_whole_rows(), [&, rows = rows, p = p, this] {
      q.multiply_equals(sets_, pieces_, one());
      q.multiply_by({p, rows, at_once_ * rows, at_once_ - one(), rows * (at_once_ - one())});
      q.prove("turns, times rows", at_once_ * p * sets_ <= at_once_ * most);
      q.apply(multiples_are_apart(), {at_once_, most, p * sets_});
      return p * count() <= most;
    });
    q.suppose(has_one_row(), [&, rows = rows, p = p, this] {
      q.multiply_equals(p * pieces_, sets_, rows);
      q.multiply_by({rows});
      return p * count() <= most;
    });
    q.multiply_by({rows});
    q.prove("warps of a row",
            implies(fills_warps(), span == columns && implies(columns <= p, has_whole_rows())));
    q.multiply_equals(rows, span, columns);
    q.prove("turns", turns_are_bounded());
  }

  IntTerm area_of(const IntTerm& k) const { return k.constant() == 0 ? k : area_(k); }
  IntTerm rows_before(const IntTerm& k) const {
    return smaller(k * at_once_, shape_.rows * pieces_);
  }
  /// What the area of the first k turns is by definition: their elements, and w − 1 for each row of
  /// a turn.
  Truth is_area(const IntTerm& k, const IntTerm& area) const {
    const IntTerm rows = rows_before(k);
    const IntTerm elements = select(has_whole_rows(), rows * shape_.columns,
                                    k / pieces_ * shape_.columns + k % pieces_ * threads_);
    return area == elements + rows * (shape_.w - one());
  }
  Truth area_is_bounded() const {
    const auto& [rows, columns, p, w] = shape_;
    return area() >= IntTerm(0) && area() <= rows * (IntTerm(2) * columns + w) &&
           p * area() <= rows * columns * (IntTerm(2) * p + w) && area() <= rows * area_of_row() &&
           implies(fills_warps() && columns <= p, area() <= rows * (columns + w - one()));
  }
  void prove_area(Query& q) const {
    const auto& [rows, columns, p, w] = shape_;
    const IntTerm zero(0);
    const IntTerm sets = count() / pieces_;
    q.assume(is_area(count(), area()));
    q.compare_multiples(pieces_, sets, sets_);
    q.multiply_equals(columns, sets, rows);
    q.multiply_equals(threads_, count() % pieces_, zero);
    q.multiply_equals(rows, pieces_, one());
    q.multiply_by({pieces_ * at_once_});
    q.prove("no negative rows", rows_before(count()) >= zero);
    q.multiply_by({columns, threads_, w - one()});
    const IntTerm none = q.unknown("area");
    q.prove("area of no turn", implies(is_area(zero, none), none == zero));
    q.prove("no negative area", area() >= zero);
    q.suppose(fills_warps() && columns <= p, [&, rows = rows, columns = columns, w = w, this] {
      q.multiply_by({columns, w - one()});
      return area() <= rows * (columns + w - one());
    });
    q.multiply_by({columns, w - one()});
    q.prove("area of rows", area() <= rows * area_of_row());
    q.multiply_by({p, columns * p, p * (w - one()), rows * (w - one())});
    q.prove("area, times p", p * area() <= rows * (columns * p + (columns + p) * (w - one())));
    const IntTerm most = rows * (IntTerm(2) * columns + w);
    q.apply(multiples_are_apart(), {p, most, area()});
    q.multiply_by({rows, columns, rows * p, rows * columns});
    q.prove("area", area_is_bounded());
  }

  /// Of turn k: it has elements, and its area is added to that of those before it.
  Truth law_of_turn(const IntTerm& k) const {
    *turn_ = shape_.turn(k);
    *reach_ = columns() + shape_.w - one();
    return rows() >= one() && columns() >= one() &&
           area_of(k) + rows() * reach() <= area_of(k + one()) &&
           implies(has_turns_of_one_row(),
                   area_of(k + one()) <= (k / pieces_ + one()) * area_of_row());
  }
  void prove_law_of_turn(Query& q) const {
    const Query::Scope scope(q);
    const IntTerm k = q.fresh("turn");
    q.assume(k < count());
    q.assume(is_area(k, area_(k)) && is_area(k + one(), area_(k + one())));
    const Truth law = law_of_turn(k);
    const auto [set, piece] = q.quotient(k, pieces_);
    const auto [next_set, next_piece] = q.quotient(k + one(), pieces_);
    q.compare_multiples(pieces_, set, sets_);
    q.compare_multiples(pieces_, next_set, set + one());
    q.apply(multiples_are_apart(), {at_once_, set, sets_});
    q.apply(multiples_are_apart(), {threads_, piece, pieces_});
    q.prove("elements", rows() >= one() && columns() >= one());
    q.multiply_equals(set, pieces_, one());
    q.multiply_equals(at_once_, set, k);
    q.multiply_equals(shape_.rows, pieces_, one());
    q.multiply_equals(k, at_once_, one());
    q.prove("rows", rows_before(k) + rows() <= rows_before(k + one()));
    for (const IntTerm& number : {IntTerm(0), piece + one()}) {
      q.multiply_equals(threads_, next_piece, number);
    }
    for (const IntTerm& number : {set, set + one()}) {
      q.multiply_equals(shape_.columns, next_set, number);
    }
    q.multiply_equals(threads_, piece, IntTerm(0));
    q.multiply_equals(rows(), columns(), shape_.columns);
    q.multiply_equals(columns(), rows(), one());
    q.suppose(has_turns_of_one_row(), [&, this] {
      q.multiply_equals(shape_.columns, k, set);
      q.apply(multiples_are_apart(), {threads_, piece + one(), pieces_});
      q.prove("turns of a row", k < (set + one()) * pieces_);
      q.multiply_by({shape_.columns, shape_.w - one()});
      return area_of(k + one()) <= (set + one()) * area_of_row();
    });
    q.multiply_by({shape_.columns, shape_.w - one()});
    q.prove("area", law);
  }

  SweepShape<IntTerm> shape_;
  IntTerm threads_;  ///< of a row
  IntTerm at_once_;  ///< rows of a turn
  IntTerm pieces_;   ///< of a row
  IntTerm sets_;     ///< of rows
  Function area_;    ///< of the turns before
  std::shared_ptr<SweepTurn<IntTerm>> turn_ = std::make_shared<SweepTurn<IntTerm>>();
  std::shared_ptr<IntTerm> reach_ = std::make_shared<IntTerm>();
};

/// A's bound of a sweep on one memory that has at most `stages` times its area, and in each turn so
/// many rounds, of which both are known to be at most as large a multiple of `each` as it takes.
template <class A>
void prove_bound_of_sweep(Query& q, const Cost<IntTerm>& cost, const TaskOf<IntTerm>& task,
                          std::uint64_t factor, const IntTerm& elements, const IntTerm& each,
                          const IntTerm& stages, const IntTerm& rounds) {
  const auto& [p, w] = std::tie(task.machine.p, task.machine.w);
  const IntTerm most = IntTerm(factor) * elements * each;
  const IntTerm more = task.machine.l - IntTerm(1);
  know_factors(q, {stages, rounds, more});
  q.multiply_by({p, rounds, elements});
  q.prove("rounds", p * cost.global.rounds <= most);
  q.multiply_by({p, stages});
  q.prove("stages of the area",
          p * w * cost.global.stages <= stages * elements * (IntTerm(2) * p + w));
  q.multiply_by({elements * p, elements * w});
  q.prove("stages", p * w * cost.global.stages <= most * (p + w));
  q.multiply_by({w * more});
  q.prove("the bound", is_bounded<A>(lockstep_time(cost, task.machine), task, factor));
}

}  // namespace bankproof::proofs
