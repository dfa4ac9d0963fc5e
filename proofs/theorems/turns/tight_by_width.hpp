// Families of tasks that are numbered by w, in which few threads work in each of many turns: a row
// has w + 1 elements, and p = 4w − 1 threads process one row at a time.
#pragma once

#include <functional>

#include "one_row.hpp"
#include "row_by_row.hpp"
#include "tight.hpp"
#include "turns.hpp"

namespace bankproof::proofs {

/// The sweep over `rows` rows of w + 1 elements by 4w − 1 threads. A row has 2w threads.
inline RowByRow sweep_of(const MachineParametersOf<IntTerm>& m, const IntTerm& rows) {
  return {{rows, m.w + 1, m.p, m.w}, 2 * m.w};
}
/// Proves that a row takes two warps.
inline void prove_two_warps(Query& q, const IntTerm& w) {
  q.compare_multiples(w, ceil_div(w + 1, w), 2);
  q.claim("two warps", ceil_div(w + 1, w) == 2);
  q.multiply_equals(w, ceil_div(w + 1, w), 2);
}

/// The sweep that sweep_of() returns, with proved facts about its turns.
inline RowByRow known_sweep(Query& q, const MachineParametersOf<IntTerm>& m, const IntTerm& rows) {
  RowByRow sweep = sweep_of(m, rows);
  q.conclude("its turns", [&] {
    prove_two_warps(q, m.w);
    sweep.know_shape(q);
    return sweep.has_shape();
  });
  return sweep;
}

/// The theorem on a family numbered by w. `give` gives the invariants of the sums, which take at
/// least rounds(w) rounds.
template <class Family>
Theorem tight_by_width(const std::function<void(Query&, const TaskOf<IntTerm>&)>& give,
                       const std::function<IntTerm(const IntTerm&)>& rounds) {
  return tight<Family>([=](Query& q) {
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    const auto task = Family::task(w);
    give(q, task);
    const IntTerm time = time_of<typename Family::Algorithm>(task);
    q.claim("the time", time >= task.machine.l * rounds(w));
    const IntTerm& p = task.machine.p;
    q.multiply_by({p});
    q.multiply_by({w * p, w, w * w, w * w * w});
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace bankproof::proofs
