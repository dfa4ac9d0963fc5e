// The upper bounds on matrix products are tight (rows X1 and X2): the times of all members of
// families of tasks come near to them.
#include "../lists.hpp"
#include "../turns/tight_by_width.hpp"
#include "../turns/tight_tiles.hpp"

namespace bankproof::proofs {
namespace {

template <MachineKind on>
Theorem tight_product() {
  return tight_by_width<ProductOnOneMemory<on>>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const RowByRow sweep = known_sweep(q, task.machine, task.sizes["rows"]);
        const auto& m = task.machine;
        q.give(of_rounds(sweep, 3, [=, &q](const SweepTurn<IntTerm>& turn) {
          const Run<IntTerm> words_of_b{turn.column, turn.columns};
          for (const IntTerm& stages :
               {ceil_div(turn.columns, m.w), stages_of(m.memory(), words_of_b, m.w)}) {
            q.multiply_equals(stages, turn.rows, 1);
          }
          q.give(of_stages());
        }));
      },
      [](const IntTerm&) { return 12; });
}

/// Proves that a sweep whose rows have two warps has a turn for each row, if p < 4w.
void know_turns_of_rows(Query& q, const Sweeping& sweep) {
  const auto& [rows, columns, p, w] = sweep.shape();
  const IntTerm at_once = sweep.shape().rows_at_once();
  const IntTerm sets = ceil_div(rows, at_once);
  q.compare_multiples(w, ceil_div(columns, w), 2);
  q.claim("threads of a row", sweep.shape().row_threads() == 2 * w);
  q.multiply_equals(at_once, sweep.shape().row_threads(), 2 * w);
  q.compare_multiples(2 * w, at_once, 1);
  q.claim("one row", at_once == 1);
  q.multiply_equals(sets, at_once, 1);
  q.claim("a set for each row", sets == rows);
  q.multiply_by({sets});
  q.claim("a turn for each row", sweep.count() >= rows);
  q.multiply_by({});
}

/// Gives the invariants of a product of tiles. A turn of one row reads both factors of each term,
/// and makes `writes` accesses to c.
void give_tight_product(Query& q, const Sweeping& sweep, const IntTerm& writes) {
  const IntTerm& m = sweep.shape().rows;
  const IntTerm& w = sweep.shape().w;
  const auto in_turn = [=, &q](const IntTerm&, const Sweeping::Turn& turn) {
    const IntTerm warps = ceil_div(turn.columns, w);
    q.compare_multiples(w, warps, 0);
    const IntTerm stages = bank_stages(Run<IntTerm>{turn.column, turn.columns}, w);
    for (const IntTerm& each : {warps, stages}) q.multiply_equals(each, turn.rows, 1);
    q.claim("a row", turn.rows == 1 && turn.rows * warps >= 1);
    q.multiply_equals(m, smaller(turn.rows * warps, 1), 1);
    q.give(OverNumbers<OfRounds>("words of b").holds([](auto& k, auto& sum) {
      return sum.rounds >= k;
    }));
    q.give(of_stages());
  };
  q.give(sweep.turns_at_least(2 * m + writes, {.step = in_turn, .factors = {writes}}));
}

/// Gives the invariants of the steps of a wave, with `of_step` rounds for each turn of a step.
void give_steps(Query& q, const Sweeping& sweep, const IntTerm& of_step) {
  const IntTerm turns = sweep.count();
  const auto in_step = [=, &q](const IntTerm& k) {
    const IntTerm writes = 1 + select(k > 0, 1, 0);
    q.claim("accesses to c", writes == 1 + smaller(k, 1) && smaller(k + 1, 1) == 1);
    know_factors(q, {writes});
    give_copy_of_tiles(q, sweep);
    give_copy_of_tiles(q, sweep);
    give_tight_product(q, sweep, writes);
  };
  q.give(OverNumbers<Cost<IntTerm>>("steps of a wave")
             .holds([=](auto& k, auto& sum) {
               const IntTerm later = k.constant() == 0 ? k : smaller(k, 1);
               return sum.shared.rounds + turns * later >= of_step * turns * k && sum.overlap == 0;
             })
             .step(in_step)
             .after([=, &q](auto&, auto&) { q.multiply_by({turns}); }));
}

/// In each of two steps a block copies a tile of a and a tile of b, and multiplies them. At the end
/// it copies a tile of c. In the first step it does not read c.
Theorem tight_product_tiles() {
  using Family = ProductByTiles;
  return tight<Family>([](Query& q) {
    const Sweeping::Laws laws(q);
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const IntTerm& p = task.machine.p;
    const IntTerm m = w + 1;
    q.multiply_by({w});
    const IntTerm waves = know_waves(q, task, m);
    const IntTerm steps = ceil_div(task.sizes["inner"], m);
    q.claim("two steps", steps == 2);
    const Sweeping sweep(q, laws, {m, m, p, w});
    const IntTerm turns = sweep.count();
    know_turns_of_rows(q, sweep);
    for (const IntTerm& number : {turns, w * turns}) {
      for (const IntTerm& times : {steps, waves}) q.multiply_equals(number, times, 2);
    }
    q.multiply_equals(turns, smaller(steps, 1), 1);
    know_factors(q, {turns, m});
    const IntTerm of_step = 2 * m + 4;
    q.give(of_waves(2 * of_step * turns, [=, &q](const IntTerm&) {
      give_copy_of_tiles(q, sweep);
      give_steps(q, sweep, of_step);
    }));
    const Cost<IntTerm> cost = MatrixProduct::cost(task);
    const IntTerm rounds = 4 * of_step * m;
    q.claim("rounds of two waves", cost.shared.rounds >= 4 * of_step * turns);
    q.multiply_by({of_step});
    q.claim("its rounds", cost.shared.rounds >= rounds);
    prove_tiles_near<Family>(q, task, cost, w, rounds, m * m * w * w * p * p);
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_matrix_products() {
  return {tight_product<MachineKind::dmm>(), tight_product<MachineKind::umm>(),
          tight_product_tiles()};
}

}  // namespace bankproof::proofs
