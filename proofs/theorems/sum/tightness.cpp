// The upper bounds on sums and prefix sums are tight (rows S1, S2 and P1): the times of all members
// of families of tasks come near to them.
#include <string>

#include "../lists.hpp"
#include "../turns/tight.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

/// Gives invariants: each level has at least one turn of three rounds, and each round at least one
/// stage.
void give_levels_of_sum(Query& q, const IntTerm& p) {
  const auto rounds = [](const IntTerm& k, const OfRounds& sum) {
    return sum.rounds >= 3 * k && sum.stages >= sum.rounds;
  };
  q.give(OverPowers<OfRounds>("levels")
             .holds([=](auto& k, auto&, auto& sum) { return rounds(k, sum); })
             .step([=, &q](auto&) {
               q.give(OverNumbers<OfRounds>("turns of a level").holds([=, &q](auto& k, auto& sum) {
                 q.apply(multiples_are_apart(), {p, k, 1});
                 return rounds(k, sum);
               }));
             }));
}

/// The theorem on a family in which only the latencies of 3·log n rounds matter.
template <class Family>
Theorem tight_where_threads_wait() {
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", 2, 5);
    q.multiply_by({n});
    give_levels_of_sum(q, Family::task(n).machine.p);
    const auto task = Family::task(n);
    const IntTerm time = time_of<typename Family::Algorithm>(task);
    const IntTerm log = q.logarithm(n);
    q.apply(powers_of_two_grow(), {log, 1});
    q.claim("a level", log >= 1);
    q.multiply_by({n, n * n, n * n * log});
    q.claim("near", comes_near<Family>(time, task));
  });
}

Theorem tight_on_pram() {
  using Family = SumOnPram;
  return tight<Family>([](Query& q) {
    const IntTerm n = q.number("n", Family::row.least, Family::row.least);
    const auto task = Family::task(n);
    const IntTerm& p = task.machine.p;
    const IntTerm log = q.logarithm(n);
    q.apply(powers_of_two_grow(), {log, 34});
    q.claim("a large logarithm", log >= 34);
    q.claim("as many levels", q.logarithm(smaller(n, p)) == log);
    q.multiply_by({n});
    const auto turns = [=, &q](const std::string& name, std::uint64_t stages) {
      return OverNumbers<OfRounds>(name).holds([=, &q](auto& k, auto& sum) {
        q.apply(multiples_are_apart(), {p, k, 1});
        return sum.stages >= stages * k;
      });
    };
    q.give(turns("turns of the columns", 1));
    q.give(OverPowers<OfRounds>("levels")
               .holds([](auto& k, auto&, auto& sum) { return sum.stages >= 3 * k; })
               .step([=, &q](auto&) { q.give(turns("turns of a level", 3)); }));
    const IntTerm time = time_of<Sum>(task);
    q.claim("the time", time >= 2 + 3 * log);
    q.multiply_by({n});
    q.claim("near", comes_near<Family>(time, task));
  });
}

}  // namespace

std::vector<Theorem> theorems_on_tightness() {
  return {tight_on_pram(), tight_where_threads_wait<PairwiseSumOnDmm>(),
          tight_where_threads_wait<SimplePrefixSumsOnDmm>()};
}

}  // namespace bankproof::proofs
