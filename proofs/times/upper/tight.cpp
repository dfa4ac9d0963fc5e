// How near sums and prefix sums come to their upper bounds (rows S1, S2, S3 and P1), for all
// members of families of tasks.
#include "tight.hpp"

#include <string>

#include "../times.hpp"
#include "turns.hpp"

namespace bankproof::proofs {
namespace {

/// Gives the invariants of levels that have a turn each or more, of three rounds: a stage each or
/// more.
void give_levels(Query& q, const IntTerm& p) {
  const auto rounds = [](const IntTerm& k, const OfRounds& sum) {
    return sum.rounds >= IntTerm(3) * k && sum.stages >= sum.rounds;
  };
  q.give_invariant<PowersInvariant<OfRounds>>(
      [=](const IntTerm& k, const IntTerm&, const OfRounds& sum) { return rounds(k, sum); });
  q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
    k.query().apply(multiples_are_apart(), {p, k, IntTerm(1)});
    return rounds(k, sum);
  });
}

/// Of a family in which only the latencies of 3·log n rounds count.
template <class Family>
Theorem tight_where_threads_wait() {
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", 2, 5);
    q.multiply_by({n});
    give_levels(q, Family::task(n).machine.p);
    const auto task = Family::task(n);
    const IntTerm time = time_of<typename Family::Algorithm>(task);
    const IntTerm log = q.logarithm(n);
    q.apply(powers_of_two_grow(), {log, IntTerm(1)});
    q.prove("a level", log >= IntTerm(1));
    q.multiply_by({n, n * n, n * n * log});
    q.prove("near", comes_near<Family>(time, task));
  });
}

Theorem tight_on_pram() {
  using Family = SumOnPram;
  return tight<Family>([](Query& q) {
    const IntTerm one(1);
    const IntTerm n = q.number("n", Family::least, Family::least);
    const auto task = Family::task(n);
    const IntTerm& p = task.machine.p;
    const IntTerm log = q.logarithm(n);
    q.apply(powers_of_two_grow(), {log, IntTerm(34)});
    q.prove("a large logarithm", log >= IntTerm(34));
    q.prove("as many levels", q.logarithm(smaller(n, p)) == log);
    q.multiply_by({n});
    const auto turns = [=](std::uint64_t stages) {
      return [=](const IntTerm& k, const OfRounds& sum) {
        k.query().apply(multiples_are_apart(), {p, k, one});
        return sum.stages >= IntTerm(stages) * k;
      };
    };
    q.give_invariant<SumInvariant<OfRounds>>(turns(1));
    q.give_invariant<PowersInvariant<OfRounds>>(
        [=](const IntTerm& k, const IntTerm&, const OfRounds& sum) {
          return sum.stages >= IntTerm(3) * k;
        });
    q.give_invariant<SumInvariant<OfRounds>>(turns(3));
    const IntTerm time = time_of<Sum>(task);
    q.prove("the time", time >= IntTerm(2) + IntTerm(3) * log);
    q.multiply_by({n});
    q.prove("near", comes_near<Family>(time, task));
  });
}

Theorem tight_by_one_dmm() {
  using Family = SumByOneDmm;
  return {
      .id = std::string(Family::id),
      .source = "HMM lemma 6",
      .statement = "the sum by DMM(0) takes more than 4.95(n/w + nL/p + L + l(log n + 1))",
      .domain = std::string(Family::domain),
      .proof =
          [](Query& q) {
            const IntTerm one(1);
            const IntTerm n = q.number("n", Family::least, Family::least);
            prove_small_logarithm(q, n, 12, 340);
            q.multiply_by({n});
            const auto count = std::make_shared<IntTerm>(1);
            q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
              *count = smaller(n, n - k * n);
              return sum.stages >= smaller(k * n, n);
            });
            q.give_invariant<SumInvariant<IntTerm>>([=](const IntTerm& k, const IntTerm& stages) {
              return stages >= smaller(k * n, *count);
            });
            const auto level = std::make_shared<IntTerm>(1);
            q.give_invariant<PowersInvariant<OfRounds>>(
                [=](const IntTerm&, const IntTerm& power, const OfRounds& sum) {
                  *level = power;
                  return sum.stages >= IntTerm(3) * (smaller(power, n) - one);
                });
            q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
              return sum.stages >= IntTerm(3) * smaller(k * n, smaller(*level, n - *level));
            });
            const auto task = Family::task(n);
            const IntTerm time = time_of<Sum>(task);
            q.prove("the time", time >= IntTerm(5) * n - one);
            q.multiply_by({n});
            q.prove("near", comes_near<Family>(time, task));
          },
      .false_twin = prove_too_much<Family>};
}

/// The logarithm of w², which is more than 2^23, is less than w/110: 24,200·k² ≤ 2^k for k ≥ 24.
void prove_small_logarithm_of_square(Query& q, const IntTerm& w) {
  const IntTerm log = q.logarithm(w * w);
  const IntTerm least(24);
  const IntTerm part(110);
  q.multiply_by({w});
  q.apply(powers_of_two_grow(), {log, least});
  q.prove("a large logarithm", log >= least);
  q.induct(
      least, log,
      [&](const IntTerm& k) { return IntTerm(2) * part * part * k * k <= q.power_of_two(k); },
      [&](const IntTerm& k) {
        q.assume(q.power_of_two(k + IntTerm(1)) == IntTerm(2) * q.power_of_two(k));
        q.multiply_by({k});
      });
  // Were w ≤ 110·log, then also w² ≤ (110·log)².
  const IntTerm before = w - IntTerm(1);
  q.apply(multiples_are_apart(), {w, before, part * log});
  q.apply(multiples_are_apart(), {part * log, before, part * log});
  q.prove("a small logarithm", part * log < w);
}

/// Gives invariants of the launches after the first that say nothing: they take no negative time.
void give_anything(Query& q) {
  const auto yes = [](const auto&...) { return IntTerm(0) == IntTerm(0); };
  q.give_invariant<ChainInvariant<Cost<IntTerm>>>(
      [](const IntTerm&, const Cost<IntTerm>& sum) { return sum.overlap == IntTerm(0); });
  q.give_invariant<SumInvariant<OfRounds>>(yes);
  q.give_invariant<SumInvariant<IntTerm>>(yes);
  q.give_invariant<PowersInvariant<OfRounds>>(yes);
  q.give_invariant<SumInvariant<OfRounds>>(yes);
}

Theorem tight_by_all_dmms() {
  using Family = SumByAllDmms;
  return {
      .id = std::string(Family::id),
      .source = "HMM theorem 7",
      .statement = "the sum by all DMMs takes more than 5.94(n/w + nL/P + L + l(log n + 1))",
      .domain = std::string(Family::domain),
      .proof =
          [](Query& q) {
            const IntTerm one(1);
            const IntTerm w = q.number("w", Family::least, Family::least);
            prove_small_logarithm_of_square(q, w);
            const auto task = Family::task(w);
            const IntTerm& p = task.machine.p;
            const IntTerm& n = task.sizes["n"];
            q.multiply_by({w, p});
            const auto count = std::make_shared<IntTerm>(1);
            q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
              const IntTerm all = w * p;
              *count = smaller(all, n - k * all);
              k.query().compare_multiples(all, k, ceil_div(n, all));
              return w * sum.stages >= smaller(k * all, n);
            });
            q.give_invariant<SumInvariant<IntTerm>>([=](const IntTerm& k, const IntTerm& stages) {
              return w * stages >= smaller(k * p, *count);
            });
            const auto level = std::make_shared<IntTerm>(1);
            q.give_invariant<PowersInvariant<OfRounds>>(
                [=](const IntTerm&, const IntTerm& power, const OfRounds& sum) {
                  *level = power;
                  return w * sum.stages >= IntTerm(3) * (smaller(power, n) - one);
                });
            q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
              return w * sum.stages >= IntTerm(3) * smaller(k * p, smaller(*level, n - *level));
            });
            give_anything(q);
            const IntTerm time = time_of<Sum>(task);
            q.prove("the time", w * time + IntTerm(3) >= IntTerm(6) * n);
            q.multiply_by({w, w * w, w * w * w, w * w * w * w});
            q.prove("near", comes_near<Family>(time, task));
          },
      .false_twin = prove_too_much<Family>};
}

}  // namespace

std::vector<Theorem> theorems_on_tightness() {
  return {tight_on_pram(), tight_by_one_dmm(), tight_by_all_dmms(),
          tight_where_threads_wait<PairwiseSumOnDmm>(),
          tight_where_threads_wait<SimplePrefixSumsOnDmm>()};
}

}  // namespace bankproof::proofs
