// Families of tasks in tiles that are numbered by w: a matrix whose side is just above the side of
// a tile has four tiles, which three DMMs process in two waves.
#pragma once

#include <functional>
#include <vector>

#include "matrix_sweeps.hpp"
#include "row_by_row.hpp"
#include "tight.hpp"

namespace bankproof::proofs {

/// Proves that a matrix of side m + 1 takes two waves of tiles of side m. Returns the number of
/// waves.
inline IntTerm know_waves(Query& q, const TaskOf<IntTerm>& task, const IntTerm& m) {
  const IntTerm side = ceil_div(m + 1, m);
  const IntTerm blocks = side * side;
  q.compare_multiples(m, side, 2);
  q.claim("tiles of a side", side == 2);
  q.multiply_equals(side, side, 2);
  IntTerm waves = ceil_div(blocks, task.machine.d * 1);
  q.claim("two waves", blocks == 4 && waves == 2);
  return waves;
}

/// Invariant of the waves of a launch: each wave has at least `rounds` rounds on shared memories.
/// `step` gives the invariants of the sums in a wave.
inline OverNumbers<Cost<IntTerm>> of_waves(const IntTerm& rounds,
                                           const std::function<void(const IntTerm&)>& step) {
  return OverNumbers<Cost<IntTerm>>("waves")
      .holds(
          [=](auto& k, auto& sum) { return sum.shared.rounds >= rounds * k && sum.overlap == 0; })
      .step(step);
}

/// Gives the invariants of a block's work on shared memory: at least `rounds` rounds in each turn
/// of the sweep. give_copy_of_tiles() gives the invariants of a copy between the window of each
/// block and its shared memory.
inline void give_rounds(Query& q, const Sweeping& sweep, const IntTerm& rounds) {
  const auto rows = [&q](const IntTerm&, const Sweeping::Turn&) { q.give(of_stages()); };
  q.give(sweep.turns_at_least(rounds, {.step = rows}));
}
inline void give_copy_of_tiles(Query& q, const Sweeping& sweep) {
  give_windows(q);
  give_rounds(q, sweep, 1);
}
/// From the number of rounds on the shared memories, proves the theorem on a family whose members
/// are numbered by w.
template <class Family>
inline void prove_tiles_near(Query& q, const TaskOf<IntTerm>& task, const Cost<IntTerm>& cost,
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

}  // namespace bankproof::proofs
