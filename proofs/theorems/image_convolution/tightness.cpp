// Theorems that the times of image convolutions and matrix products in tiles come near to their
// upper bounds (rows I2 and X2), for all members of families of tasks. A matrix whose side is just
// above that of a tile has four tiles, which three DMMs process in two waves.
#include <functional>

#include "../times.hpp"
#include "../turns/matrix_sweeps.hpp"
#include "../turns/row_by_row.hpp"
#include "../turns/tight.hpp"

namespace bankproof::proofs {
namespace {

/// Proves that a matrix of side m + 1 takes two waves of tiles of side m. Returns the number of
/// waves.
IntTerm know_waves(Query& q, const TaskOf<IntTerm>& task, const IntTerm& m) {
  const IntTerm side = ceil_div(m + 1, m);
  const IntTerm blocks = side * side;
  q.compare_multiples(m, side, 2);
  q.claim("tiles of a side", side == 2);
  q.multiply_equals(side, side, 2);
  IntTerm waves = ceil_div(blocks, task.machine.d * 1);
  q.claim("two waves", blocks == 4 && waves == 2);
  return waves;
}

/// Invariant of the waves of a launch: each has at least `rounds` rounds on shared memories. `step`
/// gives the invariants of the sums in a wave.
OverNumbers<Cost<IntTerm>> of_waves(const IntTerm& rounds,
                                    const std::function<void(const IntTerm&)>& step) {
  return {.name = "waves",
          .holds =
              [=](const IntTerm& k, const Cost<IntTerm>& sum) {
                return sum.shared.rounds >= rounds * k && sum.overlap == 0;
              },
          .step = step};
}

/// Gives the invariants of a block's work on shared memory: at least `rounds` rounds in each turn
/// of the sweep. give_copy_of_tiles() adds the copies of a window of each block.
void give_rounds(Query& q, const Sweeping& sweep, const IntTerm& rounds) {
  const auto rows = [&q](const IntTerm&, const Sweeping::Turn&) { q.give(of_stages()); };
  q.give(sweep.turns_at_least(rounds, {.step = rows}));
}
void give_copy_of_tiles(Query& q, const Sweeping& sweep) {
  give_windows(q);
  give_rounds(q, sweep, 1);
}
/// Gives the invariants of a copy of the kernel by each block, in at least one round on shared
/// memory.
void give_copy_of_kernel(Query& q, const IntTerm& p) {
  q.give(anything<OfRounds>("turns on global memory", [&q](const IntTerm&) {
    q.give(anything<OfRounds>("blocks of a wave"));
  }));
  q.give(OverNumbers<OfRounds>{
      .name = "turns on shared memory",
      .holds = [](const IntTerm& k, const OfRounds& sum) { return sum.rounds >= k; },
      .step = [=, &q](const IntTerm& k) { q.multiply_equals(p, k, 0); }});
}

/// Proves that a sweep with `warps` warps in a row has at least `turns` turns.
void know_turns(Query& q, const Sweeping& sweep, const IntTerm& warps, const IntTerm& turns) {
  const auto& [rows, columns, p, w] = sweep.shape();
  const IntTerm at_once = sweep.shape().rows_at_once();
  const IntTerm sets = ceil_div(rows, at_once);
  const IntTerm pieces = sweep.shape().pieces();
  q.multiply_by({w});
  q.compare_multiples(w, ceil_div(columns, w), warps);
  q.claim("threads of a row", sweep.shape().row_threads() == warps * w);
  q.multiply_equals(at_once, sweep.shape().row_threads(), warps * w);
  q.apply(multiples_are_apart(), {w, w, warps * at_once});
  q.multiply_equals(w, w, warps * at_once);
  q.claim("rows of a turn", warps * at_once < w);
  q.apply(multiples_are_apart(), {at_once, sets, turns - 1});
  q.multiply_equals(at_once, sets, turns - 1);
  q.claim("sets of rows", sets >= turns);
  q.multiply_by({pieces, sets});
  q.claim("turns", sweep.count() >= turns);
  q.multiply_by({});
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

/// The theorem on a family whose members are numbered by w. It follows from the rounds on the
/// shared memories.
template <class Family>
void prove_tiles_near(Query& q, const TaskOf<IntTerm>& task, const Cost<IntTerm>& cost,
                      const IntTerm& w, const IntTerm& rounds, const IntTerm& denominators) {
  const IntTerm& p = task.machine.p;
  const IntTerm more = task.machine.l - 1;
  q.multiply_by({w, p});
  q.multiply_by({more});
  const IntTerm time = lockstep_time(cost, task.machine);
  q.claim("the time", time >= rounds * more);
  std::vector<IntTerm> factors = powers(w, 1, 8);
  factors.push_back(denominators);
  q.multiply_by(factors);
  q.claim("near", comes_near<Family>(time, task));
}

Theorem tight_image_tiles() {
  using Family = ImageByTiles;
  return tight<Family>([](Query& q) {
    const Sweeping::Laws laws(q);
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const IntTerm& p = task.machine.p;
    const IntTerm side = w + 2;
    const IntTerm turns_of_kernel = ceil_div(9, task.machine.p);
    q.multiply_by({w});
    q.claim("threads", p >= 2 * w);
    q.compare_multiples(p, turns_of_kernel, 1);
    q.claim("a turn for the kernel", turns_of_kernel == 1);
    know_waves(q, task, w);
    const Sweeping window(q, laws, {side, side, p, w});
    const Sweeping tile(q, laws, {w, w, p, w});
    for (const auto& [sweep, warps, turns] : {std::tuple(window, 2, 3), std::tuple(tile, 1, 2)}) {
      know_turns(q, sweep, warps, turns);
    }
    q.give(of_waves(44, [=, &q](const IntTerm&) {
      give_copy_of_tiles(q, window);
      give_copy_of_kernel(q, p);
      give_rounds(q, tile, 19);
      give_copy_of_tiles(q, tile);
    }));
    const Cost<IntTerm> cost = ImageConvolution::cost(task);
    q.claim("its rounds", cost.shared.rounds >= 88);
    prove_tiles_near<Family>(q, task, cost, w, 88, w * w * p * p);
  });
}

/// Gives the invariants of the sum over the words of b that a turn of `rows` rows reads.
void give_words_of_b(Query& q, const IntTerm& rows) {
  const auto one_row = [=, &q](const IntTerm&) {
    q.give(OverNumbers<IntTerm>{.name = "rows of a window",
                                .holds = [=, &q](const IntTerm& k, const IntTerm& stages) {
                                  q.multiply_equals(stages, rows, 1);
                                  return stages >= k;
                                }});
  };
  q.give(OverNumbers<OfRounds>{
      .name = "words of b",
      .holds = [](const IntTerm& k, const OfRounds& sum) { return sum.rounds >= k; },
      .step = one_row});
}

/// Gives the invariants of a product of tiles. A turn of one row reads both factors of each term,
/// and makes `writes` accesses to c.
void give_tight_product(Query& q, const Sweeping& sweep, const IntTerm& writes) {
  const IntTerm& m = sweep.shape().rows;
  const IntTerm& w = sweep.shape().w;
  const auto in_turn = [=, &q](const IntTerm&, const Sweeping::Turn& turn) {
    const IntTerm warps = ceil_div(turn.columns, w);
    q.compare_multiples(w, warps, 0);
    q.multiply_equals(warps, turn.rows, 1);
    q.claim("a row", turn.rows == 1 && turn.rows * warps >= 1);
    q.multiply_equals(m, smaller(turn.rows * warps, 1), 1);
    give_words_of_b(q, turn.rows);
    q.give(of_stages());
  };
  q.give(sweep.turns_at_least(2 * m + writes, {.step = in_turn, .factors = {writes}}));
}

/// Gives the invariants of the steps of a wave, with `of_step` rounds for each turn of a step.
void give_steps(Query& q, const Sweeping& sweep, const IntTerm& of_step) {
  const IntTerm turns = sweep.count();
  const auto in_step = [=, &q](const IntTerm& k) {
    const IntTerm writes = select(k == 0, 1, 2);
    q.claim("accesses to c", writes == 1 + smaller(k, 1) && smaller(k + 1, 1) == 1);
    know_factors(q, {writes});
    give_copy_of_tiles(q, sweep);
    give_copy_of_tiles(q, sweep);
    give_tight_product(q, sweep, writes);
  };
  q.give(OverNumbers<Cost<IntTerm>>{
      .name = "steps of a wave",
      .holds =
          [=](const IntTerm& k, const Cost<IntTerm>& sum) {
            const IntTerm later = k.constant() == 0 ? k : smaller(k, 1);
            return sum.shared.rounds + turns * later >= of_step * turns * k && sum.overlap == 0;
          },
      .step = in_step,
      .after = [=, &q](const IntTerm&, const Cost<IntTerm>&) { q.multiply_by({turns}); }});
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

std::vector<Theorem> theorems_on_tightness_of_tiles() {
  return {tight_product_tiles(), tight_image_tiles()};
}

}  // namespace bankproof::proofs
