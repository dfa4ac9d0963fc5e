// The upper bounds on sums on the HMM are tight (rows S3 and S4): the times of all members of
// families of tasks come near to them.
#include <functional>
#include <string>

#include "../times.hpp"
#include "../turns/tight.hpp"
#include "columns.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of a launch that sums columns. Each number is read, and each sum but one is
/// added in three accesses. An access has at most w words.
void give_columns(Query& q, const Columns& of) {
  const IntTerm all = of.blocks * of.p;
  q.give(OverNumbers<OfRounds>{.name = "turns of the columns",
                               .holds =
                                   [=, &q](const IntTerm& k, const OfRounds& sum) {
                                     q.compare_multiples(all, k, ceil_div(of.n, all));
                                     return of.w * sum.stages >= smaller(k * all, of.n);
                                   },
                               .step =
                                   [=, &q](const IntTerm& turn) {
                                     const IntTerm count = smaller(all, of.n - turn * all);
                                     q.give(OverNumbers<IntTerm>{
                                         .name = "blocks of a turn",
                                         .holds = [=](const IntTerm& k, const IntTerm& stages) {
                                           return of.w * stages >= smaller(k * of.p, count);
                                         }});
                                   }});
  q.give(OverPowers<OfRounds>{
      .name = "levels",
      .holds =
          [=](const IntTerm&, const IntTerm& power, const OfRounds& sum) {
            return of.w * sum.stages >= IntTerm(3) * (smaller(power, of.sums()) - IntTerm(1));
          },
      .step =
          [=, &q](const IntTerm& power) {
            const IntTerm pairs = smaller(power, of.sums() - power);
            q.give(OverNumbers<OfRounds>{
                .name = "turns of a level", .holds = [=](const IntTerm& k, const OfRounds& sum) {
                  return of.w * sum.stages >= IntTerm(3) * smaller(k * of.p, pairs);
                }});
          }});
}

/// Gives invariants of a launch that only say that times are not negative. turn(k) proves facts
/// about its turns.
void give_anything(
    Query& q, const std::function<void(const IntTerm&)>& turn = [](const IntTerm&) {}) {
  const Truth yes = IntTerm(0) == IntTerm(0);
  q.give(OverNumbers<OfRounds>{
      .name = "turns of the columns",
      .holds =
          [=](const IntTerm& k, const OfRounds&) {
            turn(k);
            return yes;
          },
      .step = [&q](const IntTerm&) { q.give(anything<IntTerm>("blocks of a turn")); }});
  q.give(OverPowers<OfRounds>{
      .name = "levels",
      .holds = [=](const IntTerm&, const IntTerm&, const OfRounds&) { return yes; },
      .step = [&q](const IntTerm&) { q.give(anything<OfRounds>("turns of a level")); }});
}

Theorem tight_by_one_dmm() {
  using Family = SumByOneDmm;
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    prove_small_logarithm(q, n, 12, 340);
    const auto task = Family::task(n);
    q.multiply_by({n});
    give_columns(q, {n, IntTerm(1), n, IntTerm(1)});
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", time >= IntTerm(5) * n - IntTerm(1));
    q.multiply_by({n});
    q.claim("near", comes_near<Family>(time, task));
  });
}

/// ⌈log₂ w²⌉ is less than w/110, for w² > 2^23, because 24,200·k² ≤ 2^k for k ≥ 24.
void prove_small_logarithm_of_square(Query& q, const IntTerm& w) {
  const IntTerm log = q.logarithm(w * w);
  const IntTerm least(24);
  const IntTerm part(110);
  q.multiply_by({w});
  q.apply(powers_of_two_grow(), {log, least});
  q.claim("a large logarithm", log >= least);
  q.induct(
      least, log,
      [&](const IntTerm& k) { return IntTerm(2) * part * part * k * k <= q.power_of_two(k); },
      [&](const IntTerm& k) {
        q.assume(q.power_of_two(k + IntTerm(1)) == IntTerm(2) * q.power_of_two(k));
        q.multiply_by({k});
      });
  // If w ≤ 110·log, then also w² ≤ (110·log)².
  const IntTerm before = w - IntTerm(1);
  q.apply(multiples_are_apart(), {w, before, part * log});
  q.apply(multiples_are_apart(), {part * log, before, part * log});
  q.claim("a small logarithm", part * log < w);
}

Theorem tight_by_all_dmms() {
  using Family = SumByAllDmms;
  return tight<Family>([](Query& q) {
    const IntTerm w = q.number("w", Family::row.least, Family::row.least);
    prove_small_logarithm_of_square(q, w);
    const auto task = Family::task(w);
    const IntTerm& p = task.machine.p;
    const IntTerm& n = task.sizes["n"];
    q.multiply_by({w, p});
    give_columns(q, {n, w, p, w});
    q.give(OverChain<Cost<IntTerm>>{
        .name = "further launches",
        .holds = [](const IntTerm&, const Cost<IntTerm>& sum) { return sum.overlap == IntTerm(0); },
        .step = [&q](const IntTerm&) { give_anything(q); }});
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", w * time + IntTerm(3) >= IntTerm(6) * n);
    q.multiply_by({w, w * w, w * w * w, w * w * w * w});
    q.claim("near", comes_near<Family>(time, task));
  });
}

/// Invariant of a sum over the launches after the first. There is one such launch, which adds two
/// sums. `step` gives the invariants of a launch on this number of sums.
template <class Total>
OverChain<Total> tight_second_launch(const TaskOf<IntTerm>& task,
                                     const std::function<Truth(const Total&)>& none,
                                     const std::function<Truth(const Total&)>& holds,
                                     const std::function<void(const IntTerm&)>& step = nullptr) {
  return {.name = "further launches",
          .holds =
              [=](const IntTerm& sums, const Total& sum) {
                Query& q = sums.query();
                const IntTerm one(1);
                const IntTerm each = larger(task.machine.p, IntTerm(2));
                for (const IntTerm& blocks : {IntTerm(0), one}) {
                  q.compare_multiples(each, ceil_div(sums, each), blocks);
                }
                q.claim("some blocks",
                        implies(sums >= one, Sum::further_blocks(task, sums) >= one));
                return sums >= one && sums <= IntTerm(2) && implies(sums > one, none(sum)) &&
                       holds(sum);
              },
          .step = step};
}

Theorem tight_recursive() {
  using Family = SumRecursive;
  return tight<Family>([](Query& q) {
    const IntTerm one(1);
    const IntTerm p = q.number("p", Family::row.least, Family::row.least);
    const auto task = Family::task(p);
    const IntTerm& n = task.sizes["n"];
    prove_small_logarithm(q, n, 12, 340);
    const IntTerm blocks = Sum::blocks(task, n);
    const IntTerm each = larger(p, IntTerm(2));
    q.compare_multiples(each, ceil_div(n, each), one);
    q.claim("two blocks", blocks == IntTerm(2));
    q.multiply_by({p});
    give_columns(q, {n, blocks, p, one});
    using Launches = Cost<IntTerm>;
    q.give(tight_second_launch<Launches>(
        task, [](const Launches&) { return IntTerm(0) == IntTerm(0); },
        [](const Launches& sum) { return sum.overlap == IntTerm(0); },
        [=, &q](const IntTerm& sums) {
          give_anything(q, [=, &q](const IntTerm& k) {
            const IntTerm all = Sum::further_blocks(task, sums) * p;
            q.compare_multiples(all, k, ceil_div(sums, all));
          });
        }));
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", time + IntTerm(10) >= IntTerm(5) * n);
    q.give(tight_second_launch<IntTerm>(
        task, [](const IntTerm& launches) { return launches == IntTerm(0); },
        [=](const IntTerm& launches) { return launches <= one; }));
    q.multiply_by({p});
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_sums_on_the_hmm() {
  return {tight_by_one_dmm(), tight_by_all_dmms(), tight_recursive()};
}

}  // namespace bankproof::proofs
