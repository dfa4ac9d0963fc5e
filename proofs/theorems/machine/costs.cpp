// The global memory access cost of THS 6.1 compared with the machine's time (row A9), and the
// triangles for which (1+r)R1W costs least according to the source (row A10).
#include <optional>

#include "../lists.hpp"
#include "programs.hpp"

namespace bankproof::proofs {
namespace {

using OfCost = Cost<IntTerm>;

MachineParametersOf<IntTerm> letters(const IntTerm& l, const IntTerm& L) {
  return {.machine = MachineKind::hmm, .w = 4, .l = l, .L = L};
}

/// The lockstep time, written as the cost and the time that lockstep adds to the cost.
IntTerm in_lockstep(const OfCost& cost, const MachineParametersOf<IntTerm>& machine) {
  return global_access_cost(cost, machine) +
         (cost.global.rounds - cost.launches) * (machine.L - 1) + cost.shared.time(machine.l);
}

Theorem lockstep() {
  return Theorem{.id = "A9.lockstep",
                 .source = "THS 6.1",
                 .statement =
                     "in lockstep launches take the global memory access cost, another L − 1 for "
                     "each global round but a launch's first, and the shared rounds",
                 .domain = "all launches whose rounds are on one memory at a time, all l, L"}
      .proof([](Query& q) {
        const auto machine = letters(q.number("l", 1, 2), q.number("L", 1, 5));
        const IntTerm launches = q.number("launches", 0, 2);
        q.give(OverNumbers<OfCost>("launches").holds([=](auto& k, auto& sum) {
          return sum.overlap == 0 && sum.constant.stages == 0 && sum.launches <= k &&
                 lockstep_time(sum, machine) == in_lockstep(sum, machine);
        }));
        const OfCost all = sum_over(launches, [&](const IntTerm&) {
          OfCost one;
          one.global = fresh_sum<Rounds<IntTerm>>(q);
          one.shared = fresh_sum<Rounds<IntTerm>>(q);
          one.launches = smaller(one.global.rounds, 1);
          return one;
        });
        q.claim("the time", lockstep_time(all, machine) == in_lockstep(all, machine));
      })
      .false_twin([](Query& q) {
        // The stated run has two launches of three rounds each. The claimed time is less by L − 1.
        const auto machine = letters(2, 5);
        OfCost all;
        all.global = {12, 6, 48};
        all.launches = 2;
        q.claim("the time",
                lockstep_time(all, machine) + machine.L - 1 == in_lockstep(all, machine));
      });
}

/// Launches one after another, and the times when they begin. In a stated run each launch makes
/// `made` accesses.
struct Overlapped {
  OfCost cost;
  IntTerm end;  ///< the end of the last launch

  Overlapped(Query& q, const MachineParametersOf<IntTerm>& machine, const IntTerm& launches,
             std::optional<std::uint64_t> made = {})
      : end(0) {
    const Function begin = q.function("begin");
    const Function accesses = q.function("accesses");
    // For each launch: the stages of each access, the sum of the stages so far, and the time when
    // the port is free.
    const Function stages = q.function("stages", 2);
    const Function sum = q.function("sum", 2);
    const Function free = q.function("free", 2);
    q.assume(begin(0) == 0);
    q.give(OverNumbers<OfCost>("launches").holds([=](auto& k, auto& so_far) {
      return global_access_cost(so_far, machine) <= begin(k);
    }));
    cost = sum_over(launches, [&](const IntTerm& k) {
      const IntTerm count = made ? IntTerm(*made) : accesses(k);
      q.assume(sum(k, 0) == 0 && free(k, 0) == begin(k));
      q.assume(count >= 0);
      take_steps(q, count, [&](const IntTerm& a) {
        q.assume(sum(k, a + 1) == sum(k, a) + stages(k, a));
        q.assume(free(k, a + 1) >= free(k, a) + stages(k, a));
        return free(k, a) >= begin(k) + sum(k, a);
      });
      OfCost of_launch;
      of_launch.global.stages = sum(k, count);
      q.assume(of_launch.global.stages >= 0);
      of_launch.launches = smaller(of_launch.global.stages, 1);
      q.compare_multiples(machine.L - 1, of_launch.global.stages, 0);
      // A launch ends after its last access is complete.
      q.assume(begin(k + 1) >= begin(k));
      q.assume(
          implies(of_launch.global.stages >= 1, begin(k + 1) >= free(k, count) + machine.L - 1));
      return of_launch;
    });
    end = begin(launches);
  }
};

Theorem overlapped() {
  return Theorem{.id = "A9.overlapped",
                 .source = "THS 6.1",
                 .statement =
                     "launches take at least the global memory access cost, in whatever order "
                     "their accesses are dispatched",
                 .domain = "all launches, all L"}
      .proof([](Query& q) {
        const auto machine = letters(q.number("l", 1, 2), q.number("L", 1, 5));
        const IntTerm launches = q.number("launches", 0, 2);
        q.multiply_by({machine.L - 1});
        const Overlapped all(q, machine, launches);
        q.claim("the bound", global_access_cost(all.cost, machine) <= all.end);
      })
      .false_twin([](Query& q) {
        // Two launches of two accesses each, compared with the cost for a latency that is
        // one higher.
        const Overlapped all(q, letters(1, 5), 2, 2);
        q.claim("the bound", global_access_cost(all.cost, letters(1, 6)) <= all.end);
      });
}

/// Whether triangles of t diagonals of tiles cost at most as much as triangles of `other`
/// diagonals. In the cost that THS theorem 6.5.1 prints, the part that depends on t is rn/w − 2t(L
/// − 1): it adds rn/w for rn = (tw)² additional words, and saves the latencies of 2t launches. The
/// algorithm's own cost has t(t + 1) instead of t², and more launches where triangles recur
/// (SummedAreaTable::global_cost_upper).
Truth costs_at_most(const IntTerm& t, const IntTerm& other, const IntTerm& w, const IntTerm& L) {
  const auto cost = [&](const IntTerm& of) { return of * of * w - 2 * of * (L - 1); };
  return cost(t) <= cost(other);
}

Theorem best_triangles() {
  return Theorem{.id = "A10.best",
                 .source = "THS 6.6",
                 .statement =
                     "of rn/w − 2t(L − 1), rn = (tw)², the part of the source's cost of (1+r)R1W "
                     "that depends on its triangles of t diagonals of tiles, the least is at the "
                     "whole number t next to (L − 1)/w, whatever the size of the matrix",
                 .domain = "all w, L; matrices in which the triangles do not meet or recur"}
      .proof([](Query& q) {
        const auto [w, L, t, other] =
            q.numbers({{"w", 1, 4}, {"L", 1, 10}, {"t", 0, 2}, {"other", 0, 5}});
        const IntTerm wanted = 2 * (L - 1);
        q.assume(2 * t * w <= wanted + w && wanted <= 2 * t * w + w);
        // The difference is (other − t)((other + t)w − 2(L − 1)).
        q.suppose(other > t, [&] {
          q.multiply_by({w});
          q.claim("beyond", (other + t) * w >= wanted);
          q.multiply_by({other - t});
          return costs_at_most(t, other, w, L);
        });
        q.suppose(other < t, [&] {
          q.multiply_by({w});
          q.claim("before", (other + t) * w <= wanted);
          q.multiply_by({t - other});
          return costs_at_most(t, other, w, L);
        });
        q.suppose(other == t, [&] {
          q.compare_multiples(w, other * other, t * t);
          q.compare_multiples(t, other, t);
          q.compare_multiples(other, other, t);
          q.compare_multiples(L, other, t);
          return costs_at_most(t, other, w, L);
        });
        q.claim("the least", costs_at_most(t, other, w, L));
      })
      .false_twin([](Query& q) {
        // (L − 1)/w = 9/4, rounded up.
        q.claim("the least", costs_at_most(3, 2, 4, 10));
      });
}

Theorem worthwhile_triangles() {
  return Theorem{.id = "A10.worthwhile",
                 .source = "THS 6.6",
                 .statement =
                     "rn/w − 2t(L − 1), rn = (tw)², the part of the source's cost of (1+r)R1W that "
                     "depends on its triangles of t ≥ 1 diagonals of tiles, is at most 0, that of "
                     "no triangles, just where tw ≤ 2(L − 1)",
                 .domain = "all w, L, t; matrices in which the triangles do not meet or recur"}
      .proof([](Query& q) {
        const auto [w, L, t] = q.numbers({{"w", 1, 4}, {"L", 1, 10}, {"t", 1, 2}});
        const IntTerm most = 2 * (L - 1);
        q.compare_multiples(t, t * w, most);
        q.claim("where", implies(t * w <= most, costs_at_most(t, 0, w, L)));
        q.claim("only there", implies(t * w > most, !costs_at_most(t, 0, w, L)));
      })
      .false_twin([](Query& q) { q.claim("where", costs_at_most(5, 0, 4, 10)); });
}

}  // namespace

std::vector<Theorem> theorems_on_costs() {
  return {lockstep(), overlapped(), best_triangles(), worthwhile_triangles()};
}

}  // namespace bankproof::proofs
