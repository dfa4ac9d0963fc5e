// The upper bounds on image convolutions and matrix products in tiles are tight (rows I2 and X2):
// the times of all members of families of tasks come near to them. A matrix whose side is just
// above the side of a tile has four tiles, and three DMMs process these in two waves.
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
  const IntTerm two(2);
  const IntTerm side = ceil_div(m + IntTerm(1), m);
  const IntTerm blocks = side * side;
  q.compare_multiples(m, side, two);
  q.claim("tiles of a side", side == two);
  q.multiply_equals(side, side, two);
  IntTerm waves = ceil_div(blocks, task.machine.d * IntTerm(1));
  q.claim("two waves", blocks == IntTerm(4) && waves == two);
  return waves;
}

/// Invariant of the waves of a launch: each has at least `rounds` rounds on shared memories. `step`
/// gives the invariants of the sums in a wave.
OverNumbers<Cost<IntTerm>> of_waves(const IntTerm& rounds,
                                    const std::function<void(const IntTerm&)>& step) {
  return {.name = "waves",
          .holds =
              [=](const IntTerm& k, const Cost<IntTerm>& sum) {
                return sum.shared.rounds >= rounds * k && sum.overlap == IntTerm(0);
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
  give_rounds(q, sweep, IntTerm(1));
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
      .step = [=, &q](const IntTerm& k) { q.multiply_equals(p, k, IntTerm(0)); }});
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
  q.apply(multiples_are_apart(), {at_once, sets, turns - IntTerm(1)});
  q.multiply_equals(at_once, sets, turns - IntTerm(1));
  q.claim("sets of rows", sets >= turns);
  q.multiply_by({pieces, sets});
  q.claim("turns", sweep.count() >= turns);
  q.multiply_by({});
}

/// Proves that a sweep whose rows have two warps has a turn for each row, if p < 4w.
void know_turns_of_rows(Query& q, const Sweeping& sweep) {
  const IntTerm one(1);
  const IntTerm two(2);
  const auto& [rows, columns, p, w] = sweep.shape();
  const IntTerm at_once = sweep.shape().rows_at_once();
  const IntTerm sets = ceil_div(rows, at_once);
  q.compare_multiples(w, ceil_div(columns, w), two);
  q.claim("threads of a row", sweep.shape().row_threads() == two * w);
  q.multiply_equals(at_once, sweep.shape().row_threads(), two * w);
  q.compare_multiples(two * w, at_once, one);
  q.claim("one row", at_once == one);
  q.multiply_equals(sets, at_once, one);
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
  const IntTerm more = task.machine.l - IntTerm(1);
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
    const IntTerm one(1);
    const IntTerm two(2);
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const IntTerm& p = task.machine.p;
    const IntTerm side = w + two;
    const IntTerm turns_of_kernel = ceil_div(IntTerm(9), task.machine.p);
    q.multiply_by({w});
    q.claim("threads", p >= two * w);
    q.compare_multiples(p, turns_of_kernel, one);
    q.claim("a turn for the kernel", turns_of_kernel == one);
    know_waves(q, task, w);
    const Sweeping window(q, laws, {side, side, p, w});
    const Sweeping tile(q, laws, {w, w, p, w});
    for (const auto& [sweep, warps, turns] :
         {std::tuple(window, two, IntTerm(3)), std::tuple(tile, one, two)}) {
      know_turns(q, sweep, warps, turns);
    }
    q.give(of_waves(IntTerm(44), [=, &q](const IntTerm&) {
      give_copy_of_tiles(q, window);
      give_copy_of_kernel(q, p);
      give_rounds(q, tile, IntTerm(19));
      give_copy_of_tiles(q, tile);
    }));
    const Cost<IntTerm> cost = ImageConvolution::cost(task);
    q.claim("its rounds", cost.shared.rounds >= IntTerm(88));
    prove_tiles_near<Family>(q, task, cost, w, IntTerm(88), w * w * p * p);
  });
}

/// Gives the invariants of the sum over the words of b that a turn of `rows` rows reads.
void give_words_of_b(Query& q, const IntTerm& rows) {
  const auto one_row = [=, &q](const IntTerm&) {
    q.give(OverNumbers<IntTerm>{.name = "rows of a window",
                                .holds = [=, &q](const IntTerm& k, const IntTerm& stages) {
                                  q.multiply_equals(stages, rows, IntTerm(1));
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
    const IntTerm one(1);
    const IntTerm warps = ceil_div(turn.columns, w);
    q.compare_multiples(w, warps, IntTerm(0));
    q.multiply_equals(warps, turn.rows, one);
    q.claim("a row", turn.rows == one && turn.rows * warps >= one);
    q.multiply_equals(m, smaller(turn.rows * warps, one), one);
    give_words_of_b(q, turn.rows);
    q.give(of_stages());
  };
  q.give(sweep.turns_at_least(IntTerm(2) * m + writes, {.step = in_turn, .factors = {writes}}));
}

/// Gives the invariants of the steps of a wave, with `of_step` rounds for each turn of a step.
void give_steps(Query& q, const Sweeping& sweep, const IntTerm& of_step) {
  const IntTerm one(1);
  const IntTerm turns = sweep.count();
  const auto in_step = [=, &q](const IntTerm& k) {
    const IntTerm writes = select(k == IntTerm(0), one, IntTerm(2));
    q.claim("accesses to c", writes == one + smaller(k, one) && smaller(k + one, one) == one);
    know_factors(q, {writes});
    give_copy_of_tiles(q, sweep);
    give_copy_of_tiles(q, sweep);
    give_tight_product(q, sweep, writes);
  };
  q.give(OverNumbers<Cost<IntTerm>>{
      .name = "steps of a wave",
      .holds =
          [=](const IntTerm& k, const Cost<IntTerm>& sum) {
            const IntTerm later = k.constant() == 0 ? k : smaller(k, one);
            return sum.shared.rounds + turns * later >= of_step * turns * k &&
                   sum.overlap == IntTerm(0);
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
    const IntTerm one(1);
    const IntTerm two(2);
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    const IntTerm& p = task.machine.p;
    const IntTerm m = w + one;
    q.multiply_by({w});
    const IntTerm waves = know_waves(q, task, m);
    const IntTerm steps = ceil_div(task.sizes["inner"], m);
    q.claim("two steps", steps == two);
    const Sweeping sweep(q, laws, {m, m, p, w});
    const IntTerm turns = sweep.count();
    know_turns_of_rows(q, sweep);
    for (const IntTerm& number : {turns, w * turns}) {
      for (const IntTerm& times : {steps, waves}) q.multiply_equals(number, times, two);
    }
    q.multiply_equals(turns, smaller(steps, one), one);
    know_factors(q, {turns, m});
    const IntTerm of_step = two * m + IntTerm(4);
    q.give(of_waves(two * of_step * turns, [=, &q](const IntTerm&) {
      give_copy_of_tiles(q, sweep);
      give_steps(q, sweep, of_step);
    }));
    const Cost<IntTerm> cost = MatrixProduct::cost(task);
    const IntTerm rounds = IntTerm(4) * of_step * m;
    q.claim("rounds of two waves", cost.shared.rounds >= IntTerm(4) * of_step * turns);
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
