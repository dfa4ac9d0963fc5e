// The upper bounds on direct convolutions with p/n threads for each number are tight on one memory
// and on the HMM (rows D4 and D5): the times of all members of families of tasks come near to them.
// One turn processes all pieces, and w + 1 numbers take two warps.
#include <cstdint>
#include <vector>

#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

/// The convolution of w + 1 numbers by 2wm threads: m pieces of one term each.
struct OfOneTurn {
  MemoryKind kind;
  DirectConvolvingOf<IntTerm> size;
  MachineParametersOf<IntTerm> machine;
  IntTerm w = machine.w;
  IntTerm m = size.m;

  SweepShape<IntTerm> sweep(const IntTerm& rows) const { return {rows, size.n, machine.p, w}; }

  /// Proves that one turn has all m rows, of two warps each.
  void know_shape(Query& q) const {
    const SweepShape<IntTerm> all = sweep(m);
    const IntTerm of_row = all.row_threads();
    q.compare_multiples(w, ceil_div(size.n, w), 2);
    q.claim("two warps", ceil_div(size.n, w) == 2);
    q.multiply_equals(w, ceil_div(size.n, w), 2);
    q.claim("threads of a row", of_row == 2 * w && rounded_up(size.n, w) == 2 * w);
    for (const IntTerm& rows : {all.rows_at_once(), machine.p / rounded_up(size.n, w)}) {
      q.multiply_equals(rows, of_row, 2 * w);
      q.multiply_equals(rows, rounded_up(size.n, w), 2 * w);
      q.compare_multiples(2 * w, rows, m);
    }
    q.compare_multiples(2 * w, all.pieces(), 1);
    q.multiply_equals(all.pieces(), of_row, 2 * w);
    q.claim("rows of a turn", all.rows_at_once() == m && all.pieces() == 1);
    q.claim("a piece for each term", size.pieces == m);
    q.multiply_equals(size.terms(), size.pieces, m);
    q.compare_multiples(m, size.terms(), 1);
    q.claim("one term", size.terms() == 1);
  }
  Truth has_shape() const {
    const SweepShape<IntTerm> all = sweep(m);
    return ceil_div(size.n, w) == 2 && all.row_threads() == 2 * w && all.rows_at_once() == m &&
           all.pieces() == 1 && size.pieces == m && size.terms() == 1;
  }

  /// Lower bound on the stages of all products and pairs.
  IntTerm stages() const { return of_products() + 6 * (m - 1); }
  void give(Query& q) const {
    know_turns(size.pieces);
    q.give(OverNumbers<OfRounds>("turns of products")
               .holds([=, *this](auto& k, auto& sum) {
                 return implies(k >= 1, sum.stages >= of_products());
               })
               .step([=, *this, &q](auto& k) {
                 const SweepTurn<IntTerm> turn = know_turn(k, size.pieces);
                 know_terms(turn);
                 q.give(rows_of(turn));
                 q.give(terms_of(turn));
               }));
    q.give(OverPowers<OfRounds>("levels of pairs")
               .holds([=, *this](auto&, auto& power, auto& sum) {
                 return sum.stages >= 6 * (smaller(power, size.pieces) - 1);
               })
               .step([=, *this, &q](auto& power) {
                 const IntTerm pairs = pairs_of_level(size.pieces, power);
                 know_turns(pairs);
                 q.give(
                     OverNumbers<OfRounds>("turns of pairs")
                         .holds([=, *this](auto& k, auto& sum) {
                           return implies(k >= 1, sum.stages >= 6 * pairs);
                         })
                         .step([=, *this, &q](auto& k) { q.give(rows_of(know_turn(k, pairs))); }));
               }));
  }

 private:
  /// How many pieces more a run of y has if it does not begin with a group: 1 on groups, 0 on
  /// banks.
  IntTerm cut() const { return kind == MemoryKind::groups ? 1 : 0; }
  IntTerm of_y(const IntTerm& terms) const { return (2 + cut()) * terms; }

  IntTerm of_products() const { return 2 * m + 2 * m + of_y(m) - cut() * ceil_div(m, w); }
  void know_turns(const IntTerm& rows) const {
    Query& q = rows.query();
    const SweepShape<IntTerm> all = sweep(rows);
    const IntTerm sets = ceil_div(rows, all.rows_at_once());
    q.compare_multiples(all.rows_at_once(), sets, 1);
    q.multiply_equals(sets, all.pieces(), 1);
    q.claim("one turn", all.turns() == 1);
  }
  SweepTurn<IntTerm> know_turn(const IntTerm& k, const IntTerm& rows) const {
    Query& q = k.query();
    const SweepShape<IntTerm> all = sweep(rows);
    const IntTerm set = k / all.pieces();
    q.multiply_equals(set, all.pieces(), 1);
    q.multiply_equals(all.rows_at_once(), set, 0);
    q.multiply_equals(all.row_threads(), k % all.pieces(), 0);
    SweepTurn<IntTerm> turn = all.turn(k);
    q.claim("a turn of all rows",
            turn.row == 0 && turn.rows == rows && turn.column == 0 && turn.columns == size.n);
    return turn;
  }
  void know_terms(const SweepTurn<IntTerm>& turn) const {
    Query& q = m.query();
    const IntTerm warps = ceil_div(turn.columns, w);
    const IntTerm end = turn.row * size.terms() + turn.rows * size.terms();
    const IntTerm terms = minus_or_zero(smaller(end, size.m), turn.row * size.terms());
    for (const IntTerm& row : {turn.row, turn.rows}) q.multiply_equals(row, size.terms(), 1);
    q.compare_multiples(w, warps, 2);
    q.claim("all terms, of two warps", terms == m && warps == 2);
    q.multiply_equals(warps, terms, m);
    q.multiply_equals(m, warps, 2);
    q.compare_multiples(w, ceil_div(terms, w), ceil_div(m, w));
  }
  void know_run(const Run<IntTerm>& run) const {
    Query& q = w.query();
    q.compare_multiples(w, boundaries(run.thread, run.count, w), 1);
    q.claim("two warps of a run", stages_of(kind, run, w) >= 2);
  }
  /// Invariant of a sum over the rows of a round of partial sums.
  OverNumbers<IntTerm> rows_of(const SweepTurn<IntTerm>& turn) const {
    return OverNumbers<IntTerm>("rows of partial sums")
        .holds([=, *this](auto& k, auto& stages) { return stages >= 2 * k; })
        .step([=, *this](auto& k) {
          know_run({row_major(turn.row + k, turn.column, rounded_up(size.n, w)), turn.columns});
        });
  }
  /// Invariant of a turn's sum over terms.
  OverNumbers<IntTerm> terms_of(const SweepTurn<IntTerm>& turn) const {
    return OverNumbers<IntTerm>("terms")
        .holds([=, *this](auto& k, auto& stages) {
          return stages + cut() * ceil_div(k, w) >= of_y(k);
        })
        .step([=, *this](auto& k) {
          const IntTerm word = turn.column + turn.row * size.terms() + k;
          know_run({word, turn.columns});
          k.query().compare_multiples(w, word / w, k / w);
          k.query().claim("a cut", stages_of(kind, Run<IntTerm>{word, turn.columns}, w) +
                                           cut() * ceil_div(k + 1, w) >=
                                       of_y(1) + cut() * ceil_div(k, w));
        });
  }
};

/// Gives trivial invariants for a copy by one DMM.
void give_copy_of_pieces(Query& q) {
  q.give(anything<OfRounds>("turns on global memory"));
  q.give(anything<OfRounds>("turns on shared memory"));
}

/// The theorem on a family numbered by w, with m > 2^(from − 1) and part·⌈log₂ m⌉ < 2m (tight.hpp).
template <class Family>
Theorem tight_in_one_turn(std::uint64_t from, std::uint64_t part) {
  return tight<Family>([=](Query& q) {
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const bool hmm = is_hierarchical(task.machine.machine);
    const OfOneTurn turn{hmm ? MemoryKind::banks : task.machine.memory(),
                         Convolution::size_of(task), task.machine};
    q.multiply_by({w});
    prove_small_logarithm(q, turn.m, from, part);
    q.conclude("its turns", [&] {
      turn.know_shape(q);
      return turn.has_shape();
    });
    IntTerm time(0);
    q.conclude("the time", [&] {
      if (hmm) {  // copies take some time, too
        give_copy_of_pieces(q);
        give_copy_of_pieces(q);
      }
      turn.give(q);
      if (hmm) give_copy_of_pieces(q);
      time = time_of<Convolution>(task);
      q.compare_multiples(w, ceil_div(turn.m, w), w);
      return time >= turn.stages() && ceil_div(turn.m, w) <= w;
    });
    q.multiply_by(powers(w, 1, 7));
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_pieces() {
  return {tight_in_one_turn<ConvolutionOfPieces<MachineKind::dmm>>(16, 4096),
          tight_in_one_turn<ConvolutionOfPieces<MachineKind::umm>>(16, 4096),
          tight_in_one_turn<ConvolutionOfShares>(12, 340)};
}

}  // namespace bankproof::proofs
