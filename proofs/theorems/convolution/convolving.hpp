// Invariants of convolve_cost() (algorithms/convolution.hpp), for proofs of upper bounds on it.
//
// A sweep over the rows of pieces sums the products. For each term of a row, the threads of a warp
// read one word of x, and the threads of the row read a run of words of y. Then log s levels add
// the s rows of sums pairwise: s − 1 rows are added to other rows.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "../../../algorithms/convolution.hpp"
#include "../turns/consecutive_runs.hpp"
#include "../turns/row_sweeps.hpp"

namespace bankproof::proofs {

/// Gives the invariants of convolve_cost(), and proves facts about its sums afterwards.
class Convolving {
 public:
  Convolving(Query& q, RowSweeps sweeps, const DirectConvolvingOf<IntTerm>& size)
      : sweeps_(std::move(sweeps)), size_(size), terms_(size.terms()) {
    q.multiply_equals(size.pieces, terms_, 0);
    q.claim("some terms", terms_ >= 1);
    allow_factors(q, {terms_});
    q.multiply_by({size.pieces});
    q.claim("some pieces of rows", size.pieces * sweeps_.pieces() >= 1);
    const IntTerm of_all = sweeps_.of_row() * sweeps_.pieces();
    const IntTerm of_terms = terms_ * sweeps_.reach() * sweeps_.pieces();
    q.multiply_by({of_all, of_terms, sweeps_.padded()});
    q.claim("some words", of_all * (size.pieces - 1) >= 0 && of_all >= 0 &&
                              of_terms * size.pieces >= 0 &&
                              sweeps_.padded() * (size.pieces - 1) >= 0);
    q.multiply_by({});
  }

  /// Upper bound on w times the stages of the products in a piece of a row.
  IntTerm of_products() const {
    return IntTerm(1 + sweeps_.pieces_of_run()) * terms_ * sweeps_.reach();
  }

  void give(Query& q) const {
    give_sweep_of_products(q);
    if (!size_.pieces.constant()) give_levels(q);
  }

  /// Upper bounds on w times the stages of convolve_cost(), and on p times its rounds.
  IntTerm stages() const {
    const auto& [s, of_row] = std::tie(size_.pieces, sweeps_.of_row());
    return sweeps_.pieces() * s * (of_row + of_products()) + of_levels();
  }
  IntTerm rounds() const {
    const auto& [s, p] = std::tie(size_.pieces, sweeps_.p());
    return (1 + 2 * terms_) * p * sweeps_.sweep(s).turns() +
           3 * (2 * sweeps_.padded() * (s - 1) + p * ceil_log2(s));
  }
  /// Whether one turn processes all pieces. If so, stages_of_one_turn() and rounds_of_one_turn()
  /// bound the stages and rounds.
  Truth has_one_turn() const { return size_.pieces <= sweeps_.at_once() && sweeps_.pieces() == 1; }
  IntTerm stages_of_one_turn() const { return of_one_turn() + of_levels(); }
  IntTerm rounds_of_one_turn() const { return 1 + 2 * terms_ + 3 * ceil_log2(size_.pieces); }

  void know_one_turn() const {
    know_one_turn(size_.pieces);
    terms_.query().multiply_equals(terms_, sweeps_.sweep(size_.pieces).turns(), 1);
  }
  /// Proves the bounds on the result of convolve_cost().
  void know(Query& q, const OfRounds& cost) const {
    q.multiply_by({sweeps_.p()});
    q.claim("stages and rounds of all levels",
            sweeps_.w() * cost.stages <= stages() && sweeps_.p() * cost.rounds <= rounds());
    know_one_turn();
    q.multiply_by({});
    q.claim("stages and rounds of one turn",
            implies(has_one_turn(), sweeps_.w() * cost.stages <= stages_of_one_turn() &&
                                        cost.rounds <= rounds_of_one_turn()));
    sweeps_.know_turns(size_.pieces);
  }
  /// Requires p/n threads for each number, and rows in one piece. Proves that one turn processes
  /// all pieces of the terms.
  void know_pieces_of_whole_rows(Query& q) const {
    const auto& [p, padded, at_once] = std::tie(sweeps_.p(), sweeps_.padded(), sweeps_.at_once());
    const auto& [s, terms] = std::tie(size_.pieces, terms_);
    const IntTerm& m = size_.m;
    q.compare_multiples(padded, p / padded, at_once);
    q.multiply_equals(at_once, sweeps_.threads(), padded);
    q.claim("as many pieces as rows", p / padded == at_once && (s == m || s == at_once));
    q.claim("a turn of all pieces", has_one_turn());
    q.compare_multiples(s, terms, 1);
    q.multiply_equals(terms, s, at_once);
    is_one(terms, {at_once});
    q.claim("terms of a piece", at_once * (terms - 1) <= m && s * terms < m + s);
    q.multiply_by({padded, terms - 1});
    q.claim("terms of all threads", p * (terms - 1) <= 2 * padded * m);
    is_one(sweeps_.pieces(), {s * sweeps_.of_row(), sweeps_.of_row()});
    for (const IntTerm& factor : {s, s - 1}) q.scale(factor, sweeps_.of_row(), padded);
    q.scale(m, sweeps_.reach(), padded);
    q.scale(padded, s, m);
  }

  /// Requires fewer threads than words in a row. Proves that all terms are in one piece.
  void know_single_piece(Query& q) const {
    const auto& [p, padded, at_once] = std::tie(sweeps_.p(), sweeps_.padded(), sweeps_.at_once());
    const auto& [s, terms] = std::tie(size_.pieces, terms_);
    const IntTerm& m = size_.m;
    const IntTerm row = p * sweeps_.pieces();
    const IntTerm sets = ceil_div(s, at_once);
    q.compare_multiples(padded, p / padded, 0);
    q.claim("one piece", s == 1);
    const IntTerm reach = sweeps_.pieces() * sweeps_.reach();
    is_one(s, {terms, padded, sweeps_.pieces() * sweeps_.of_row(), terms * reach});
    is_one(at_once, {sets});
    q.claim("all terms", terms == m && sets == 1);
    is_one(sets, {row, row * terms});
    q.multiply_equals(row, terms, m);
    q.multiply_equals(reach, terms, m);
  }

  const IntTerm& pieces() const { return size_.pieces; }
  const IntTerm& terms() const { return terms_; }

 private:
  /// Upper bound on w times the stages of all levels.
  IntTerm of_levels() const { return 3 * sweeps_.pieces() * (size_.pieces - 1) * sweeps_.of_row(); }
  /// Upper bound on w times the stages of a turn that processes all pieces. On groups, a run in y
  /// has on average (n − 1)/w pieces more than on banks (consecutive_runs.hpp).
  IntTerm of_one_turn() const {
    const auto& [reach, of_row] = std::tie(sweeps_.reach(), sweeps_.of_row());
    const IntTerm cuts = sweeps_.pieces_of_run() == 1 ? 0 : size_.n - 1;
    return sweeps_.pieces() * size_.pieces * of_row + size_.m * (2 * reach + cuts);
  }
  /// Proves that the first `rows` rows take one turn if all pieces together take one turn.
  void know_one_turn(const IntTerm& rows) const {
    Query& q = rows.query();
    const IntTerm sets = ceil_div(rows, sweeps_.at_once());
    q.compare_multiples(sweeps_.at_once(), sets, 1);
    q.multiply_equals(sweeps_.pieces(), sets, 1);
    q.claim("one turn", implies(has_one_turn(), sweeps_.sweep(rows).turns() == 1));
  }
  /// Multiplies both sides of b = 1 by each of these factors.
  static void is_one(const IntTerm& b, const std::vector<IntTerm>& others) {
    for (const IntTerm& other : others) b.query().multiply_equals(other, b, 1);
  }
  bool is_on_groups() const { return sweeps_.pieces_of_run() == 2; }
  void give_sweep_of_products(Query& q) const {
    if (is_on_groups()) prove_consecutive_runs(q, sweeps_.w());
    q.give(OverNumbers<OfRounds>("turns of products")
               .holds([*this](auto& k, auto& sum) {
                 const auto& [s, w] = std::tie(size_.pieces, sweeps_.w());
                 const IntTerm most = sweeps_.of_row() + of_products();
                 return w * sum.stages <= most * sweeps_.before(s, k) &&
                        w * sum.stages <= most * s * sweeps_.pieces() &&
                        implies(k <= 0, w * sum.stages <= 0) &&
                        implies(k == 1, w * sum.stages <= of_one_turn()) &&
                        sum.rounds <= (1 + 2 * terms_) * k;
               })
               .step([*this, &q](auto& k) {
                 const IntTerm& s = size_.pieces;
                 const SweepTurn<IntTerm> turn = sweeps_.sweep(s).turn(k);
                 sweeps_.know_turn(s, k, {sweeps_.of_row(), terms_ * sweeps_.reach()});
                 know_terms(turn);
                 q.scale(sweeps_.of_row(), 0, sweeps_.before(s, k));
                 if (is_on_groups()) know_first_turn(k, turn);
                 q.give(sweeps_.rows_of(turn));
                 q.give(terms_of(turn));
               }));
  }
  /// Invariant of a turn's sum over terms.
  OverNumbers<IntTerm> terms_of(const SweepTurn<IntTerm>& turn) const {
    const IntTerm first = first_word(turn);
    return OverNumbers<IntTerm>("terms")
        .holds([=, *this](auto& k, auto& stages) {
          const auto& [reach, w] = std::tie(sweeps_.reach(), sweeps_.w());
          Truth few = w * stages <= IntTerm(sweeps_.pieces_of_run()) * reach * k;
          if (!is_on_groups()) return few;
          const IntTerm word = k.constant() == 0 ? first : first + k;
          const IntTerm left = left_before(word, turn.columns, w);
          return few && left >= 0 &&
                 w * stages + left <=
                     (reach + size_.n - 1) * k + left_before(first, turn.columns, w);
        })
        .step([=, *this](auto& k) {
          const IntTerm word = first + k;
          sweeps_.know_run({word, turn.columns});
          if (!is_on_groups()) return;
          k.query().assume_shown(
              takes_what_is_left(word, first + (k + 1), turn.columns, sweeps_.w()));
        });
  }
  /// The word of y that a turn reads first.
  IntTerm first_word(const SweepTurn<IntTerm>& turn) const {
    return turn.column + turn.row * terms_;
  }
  /// Proves two upper bounds on the number of terms in a turn: m, and ⌈m/s⌉ for each of its rows.
  void know_terms(const SweepTurn<IntTerm>& turn) const {
    Query& q = terms_.query();
    const auto& [reach, w] = std::tie(sweeps_.reach(), sweeps_.w());
    const IntTerm end = turn.row * terms_ + turn.rows * terms_;
    const IntTerm terms = minus_or_zero(smaller(end, size_.m), turn.row * terms_);
    const IntTerm warps = ceil_div(turn.columns, w);
    q.scale(terms_, 0, turn.row);
    q.scale(terms_, 0, turn.rows);
    q.claim("terms of a turn", terms >= 0 && terms <= turn.rows * terms_ && terms <= size_.m);
    q.scale(reach, terms, turn.rows * terms_);
    for (const IntTerm& most : {reach, size_.n - 1}) q.scale(most, terms, size_.m);
    sweeps_.know_warps(turn.columns);
    q.scale(terms, w * warps, reach);
  }
  /// Proves for groups that the first run of the first turn begins at word 0. So there is no budget
  /// left over from earlier runs (consecutive_runs.hpp).
  void know_first_turn(const IntTerm& k, const SweepTurn<IntTerm>& turn) const {
    Query& q = k.query();
    const auto& [w, pieces] = std::tie(sweeps_.w(), sweeps_.pieces());
    const IntTerm first = first_word(turn);
    const IntTerm rest = minus_or_zero(turn.columns, 1) % w;
    q.assume_shown(takes_what_is_left(first, first + 1, turn.columns, w));
    q.compare_multiples(pieces, k / pieces, 0);
    q.multiply_equals(sweeps_.at_once(), k / pieces, 0);
    q.multiply_equals(sweeps_.threads(), k % pieces, 0);
    q.multiply_equals(terms_, turn.row, 0);
    q.compare_multiples(w, first / w, 0);
    q.multiply_equals(rest, first % w, 0);
    q.claim("nothing is left of it", implies(k == 0, left_before(first, turn.columns, w) <= 0));
  }
  void give_levels(Query& q) const {
    q.give(OverPowers<OfRounds>("levels")
               .holds([*this](auto& k, auto& power, auto& sum) {
                 const auto& [s, p] = std::tie(size_.pieces, sweeps_.p());
                 const IntTerm all = s - 1;
                 const IntTerm added = power.constant() == 1 ? 0 : smaller(power, s) - 1;
                 const auto is_few = [&](const IntTerm& pairs) {
                   return sweeps_.w() * sum.stages <=
                              3 * sweeps_.of_row() * sweeps_.pieces() * pairs &&
                          p * sum.rounds <= 3 * (2 * sweeps_.padded() * pairs + p * k);
                 };
                 return is_few(added) && is_few(all) &&
                        implies(has_one_turn(), sum.rounds <= 3 * k);
               })
               .step([*this, &q](auto& power) {
                 const IntTerm rows = pairs_of_level(size_.pieces, power);
                 know_level(q, power, rows);
                 q.give(turns_of_level(q, rows));
               })
               .after([*this, &q](auto&, auto&) {
                 q.multiply_by({sweeps_.p(), sweeps_.of_row()});
               }));
  }
  /// Proves facts about the level of distance `power`, which adds `rows` rows to other rows.
  void know_level(Query& q, const IntTerm& power, const IntTerm& rows) const {
    const IntTerm& s = size_.pieces;
    const IntTerm all = s - 1;
    const IntTerm added = smaller(power, s) - 1;
    const IntTerm after = smaller(2 * power, s) - 1;
    q.claim("pairs", rows >= 1 && added + rows == after);
    for (const IntTerm& factor : {sweeps_.of_row() * sweeps_.pieces(), sweeps_.padded()}) {
      q.multiply_equals(factor, added + rows, after);
      q.scale(factor, after, all);
    }
    sweeps_.know_turns(rows);
    know_one_turn(rows);
  }
  OverNumbers<OfRounds> turns_of_level(Query& q, const IntTerm& rows) const {
    return OverNumbers<OfRounds>("turns of a level")
        .holds([=, *this](auto& k, auto& sum) {
          return sweeps_.w() * sum.stages <= 3 * sweeps_.of_row() * sweeps_.before(rows, k) &&
                 sum.rounds <= 3 * k;
        })
        .step([=, *this, &q](auto& k) {
          const SweepTurn<IntTerm> turn = sweeps_.sweep(rows).turn(k);
          sweeps_.know_turn(rows, k, {sweeps_.of_row()});
          q.give(sweeps_.rows_of(turn));
        });
  }

  RowSweeps sweeps_;
  DirectConvolvingOf<IntTerm> size_;
  IntTerm terms_;
};

}  // namespace bankproof::proofs
