// The upper bounds on sums on the HMM are tight (rows S3 and S4): the times of all members of
// families of tasks come near to them.
#include <functional>

#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "columns.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of a launch that sums columns. Each number is read, and each sum but one is
/// added in three accesses. An access has at most w words.
void give_columns(Query& q, const Columns& of) {
  const IntTerm all = of.blocks * of.p;
  q.give(OverNumbers<OfRounds>("turns of the columns")
             .holds([=, &q](auto& k, auto& sum) {
               q.compare_multiples(all, k, ceil_div(of.n, all));
               return of.w * sum.stages >= smaller(k * all, of.n);
             })
             .step([=, &q](auto& turn) {
               const IntTerm count = smaller(all, of.n - turn * all);
               q.give(OverNumbers<IntTerm>("blocks of a turn").holds([=](auto& k, auto& stages) {
                 return of.w * stages >= smaller(k * of.p, count);
               }));
             }));
  q.give(OverPowers<OfRounds>("levels")
             .holds([=](auto&, auto& power, auto& sum) {
               return of.w * sum.stages >= 3 * (smaller(power, of.sums()) - 1);
             })
             .step([=, &q](auto& power) {
               const IntTerm pairs = smaller(power, of.sums() - power);
               q.give(OverNumbers<OfRounds>("turns of a level").holds([=](auto& k, auto& sum) {
                 return of.w * sum.stages >= 3 * smaller(k * of.p, pairs);
               }));
             }));
}

/// Gives trivial invariants of a launch, which say nothing about its time. turn(k) proves facts
/// about turn k.
void give_anything(
    Query& q, const std::function<void(const IntTerm&)>& turn = [](const IntTerm&) {}) {
  q.give(OverNumbers<OfRounds>("turns of the columns")
             .holds([=](auto& k, auto&) {
               turn(k);
               return IntTerm(0) == 0;
             })
             .step([&q](auto&) { q.give(anything<IntTerm>("blocks of a turn")); }));
  q.give(OverPowers<OfRounds>("levels")
             .holds([](auto&, auto&, auto&) { return IntTerm(0) == 0; })
             .step([&q](auto&) { q.give(anything<OfRounds>("turns of a level")); }));
}

Theorem tight_by_one_dmm() {
  using Family = SumByOneDmm;
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    prove_small_logarithm(q, n, 12, 340);
    const auto task = Family::task(n);
    q.multiply_by({n});
    give_columns(q, {n, 1, n, 1});
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", time >= 5 * n - 1);
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
      least, log, [&](const IntTerm& k) { return 2 * part * part * k * k <= q.power_of_two(k); },
      [&](const IntTerm& k) {
        q.double_power(k);
        q.multiply_by({k});
      });
  // If w ≤ 110·log, then also w² ≤ (110·log)².
  const IntTerm before = w - 1;
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
    q.give(OverChain<Cost<IntTerm>>("further launches")
               .holds([](auto&, auto& sum) { return sum.overlap == 0; })
               .step([&q](auto&) { give_anything(q); }));
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", w * time + 3 >= 6 * n);
    q.multiply_by({w, w * w, w * w * w, w * w * w * w});
    q.claim("near", comes_near<Family>(time, task));
  });
}

/// Invariant of a sum over the launches after the first. There is one such launch, which adds two
/// sums. `step` gives the invariants of this launch.
template <class Total>
OverChain<Total> tight_second_launch(const TaskOf<IntTerm>& task,
                                     const std::function<Truth(const Total&)>& none,
                                     const std::function<Truth(const Total&)>& holds,
                                     const std::function<void(const IntTerm&)>& step = nullptr) {
  return OverChain<Total>("further launches")
      .holds([=](auto& sums, auto& sum) {
        Query& q = sums.query();
        const IntTerm each = larger(task.machine.p, 2);
        for (const IntTerm& blocks : {IntTerm(0), IntTerm(1)}) {
          q.compare_multiples(each, ceil_div(sums, each), blocks);
        }
        q.claim("some blocks", implies(sums >= 1, Sum::further_blocks(task, sums) >= 1));
        return sums >= 1 && sums <= 2 && implies(sums > 1, none(sum)) && holds(sum);
      })
      .step(step);
}

Theorem tight_recursive() {
  using Family = SumRecursive;
  return tight<Family>([](Query& q) {
    const IntTerm p = q.number("p", Family::row.least, Family::row.least);
    const auto task = Family::task(p);
    const IntTerm& n = task.sizes["n"];
    prove_small_logarithm(q, n, 12, 340);
    const IntTerm blocks = Sum::blocks(task, n);
    const IntTerm each = larger(p, 2);
    q.compare_multiples(each, ceil_div(n, each), 1);
    q.claim("two blocks", blocks == 2);
    q.multiply_by({p});
    give_columns(q, {n, blocks, p, 1});
    using Launches = Cost<IntTerm>;
    q.give(tight_second_launch<Launches>(
        task, [](const Launches&) { return IntTerm(0) == 0; },
        [](const Launches& sum) { return sum.overlap == 0; },
        [=, &q](const IntTerm& sums) {
          give_anything(q, [=, &q](const IntTerm& k) {
            const IntTerm all = Sum::further_blocks(task, sums) * p;
            q.compare_multiples(all, k, ceil_div(sums, all));
          });
        }));
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", time + 10 >= 5 * n);
    q.give(tight_second_launch<IntTerm>(
        task, [](const IntTerm& launches) { return launches == 0; },
        [=](const IntTerm& launches) { return launches <= 1; }));
    q.multiply_by({p});
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness_of_sums_on_the_hmm() {
  return {tight_by_one_dmm(), tight_by_all_dmms(), tight_recursive()};
}

}  // namespace bankproof::proofs
