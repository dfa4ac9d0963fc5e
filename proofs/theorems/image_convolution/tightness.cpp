// The upper bounds on image convolutions are tight (rows I1 and I2): the times of all members of
// families of tasks come near to them.
#include "../lists.hpp"
#include "../turns/tight_by_width.hpp"
#include "../turns/tight_tiles.hpp"

namespace bankproof::proofs {
namespace {

/// For a pixel of the first row, or of the last row, 3 of the 9 terms are beyond the edge. So each
/// of these two rows saves 6 rounds.
template <MachineKind on>
Theorem tight_image() {
  return tight_by_width<ImageOnOneMemory<on>>(
      [](Query& q, const TaskOf<IntTerm>& task) {
        const RowByRow sweep = known_sweep(q, task.machine, task.sizes["rows"]);
        q.give(OverNumbers<OfRounds>("turns of a row each")
                   .holds([=](auto& k, auto& sum) {
                     const IntTerm all = 19 * k;
                     return implies(k < sweep.rows(), sum.rounds + 6 >= all) &&
                            sum.rounds + 6 + 6 >= all && sum.stages >= sum.rounds;
                   })
                   .step([=, &q](auto& k) {
                     sweep.know_turn(k);
                     for (int round = 0; round < 19; ++round) q.give(of_stages());
                   }));
      },
      [](const IntTerm& w) { return 19 * w - 12; });
}

/// Gives the invariants of the copy of the kernel: each block writes it to shared memory in at
/// least one round.
void give_copy_of_kernel(Query& q, const IntTerm& p) {
  q.give(anything<OfRounds>("turns on global memory", [&q](const IntTerm&) {
    q.give(anything<OfRounds>("blocks of a wave"));
  }));
  q.give(OverNumbers<OfRounds>("turns on shared memory")
             .holds([](auto& k, auto& sum) { return sum.rounds >= k; })
             .step([=, &q](auto& k) { q.multiply_equals(p, k, 0); }));
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

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_image_convolutions() {
  return {tight_image<MachineKind::dmm>(), tight_image<MachineKind::umm>(), tight_image_tiles()};
}

}  // namespace bankproof::proofs
