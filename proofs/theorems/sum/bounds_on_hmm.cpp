// Upper bounds on sums on the HMM (rows S3 and S4), for all sizes, threads, widths and latencies.
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "columns.hpp"

namespace bankproof::proofs {
namespace {

Theorem sum_by_one_dmm() {
  return Theorem{.id = "S3.upper",
                 .source = "HMM lemma 6",
                 .statement = "the sum by DMM(0) takes at most 5(n/w + nL/p + L + l(log n + 1))",
                 .domain = "all n, p, w, l, L"}
      .proof([](Query& q) {
        const SumLetters of{q};
        const auto [n, p, w, l, L, d] = of.tie();
        q.multiply_by({p, w - 1});
        const Columns columns{n, 1, p, w};
        columns.give(q);
        const auto task = of.task("one-dmm");
        const Cost<IntTerm> cost = Sum::cost(task);

        const IntTerm log = ceil_log2(n);
        q.multiply_by({});
        q.claim("as many levels", columns.levels() <= log);
        q.claim("rounds on shared memory", cost.shared.rounds <= 5 * (log + 1));
        q.multiply_by({w, p, w - 1, p * w, p * (w - 1)});
        q.claim("the stages", p * w * (cost.global.stages + cost.shared.stages) <=
                                  5 * (n * p + n * w + w * p * (2 + log)));
        q.claim("rounds on global memory", p * cost.global.rounds <= 5 * (n + p));
        q.multiply_by({l - 1, L - 1});
        q.multiply_by({w * (L - 1), w * p * (l - 1)});
        const IntTerm time = lockstep_time(cost, task.machine);
        q.claim("the bound", is_bounded<Sum>(time, task, 5));
      })
      .false_twin(prove_a_hundredth_less<SumByOneDmm>);
}

/// Gives the invariant of the launches after the first. If there are several DMMs, there is one
/// such launch, in which DMM(0) adds the sums of all DMMs.
void give_second_launch(Query& q, const Columns& second) {
  const IntTerm levels = second.levels();
  // The launch adds `number` = d sums.
  const auto launched = [=](const IntTerm& number) {
    Columns of = second;
    of.n = number;
    return of;
  };
  q.give(OverChain<Cost<IntTerm>>("further launches")
             .holds([=, &q](auto& number, auto& sum) {
               const auto& [n, blocks, p, w] = second;
               q.claim("as many levels",
                       implies(number == n, ceil_log2(smaller(p, number)) <= levels));
               const auto [global, shared] = std::tie(sum.global, sum.shared);
               const Truth none = global.stages == 0 && global.rounds == 0 && shared.stages == 0 &&
                                  shared.rounds == 0;
               return sum.overlap == 0 && sum.constant.stages == 0 &&
                      implies(number > 1, number == n && none) && implies(n <= 1, none) &&
                      implies(number <= 1 && n > 1,
                              w * global.stages <= second.global_stages() &&
                                  w * shared.stages <= second.shared_stages() &&
                                  global.rounds <= second.global_rounds() &&
                                  shared.rounds <= second.shared_rounds());
             })
             .step([=, &q](auto& number) {
               q.multiply_by({second.p, second.ends()});
               launched(number).give(q);
             })
             .after([=, &q](auto& number, auto&) {
               const Columns of = launched(number);
               q.claim("d sums", of.n == second.n && of.sums() == second.sums() &&
                                     of.pieces() == second.pieces());
               q.claim("as many levels", of.levels() <= levels);
               q.multiply_by({second.ends()});
               q.claim("stages", of.global_stages() <= second.global_stages() &&
                                     of.shared_stages() <= second.shared_stages());
               q.multiply_by({second.w});
               q.claim("rounds", of.global_rounds() <= second.global_rounds());
             }));
}

Theorem sum_by_all_dmms() {
  return Theorem{.id = "S4.upper",
                 .source = "HMM theorem 7",
                 .statement = "the sum by all DMMs takes at most 6(n/w + nL/P + L + l(log n + 1))",
                 .domain = "all n ≥ d², n ≥ dw, p ≥ w, l, L"}
      .proof([](Query& q) {
        const SumLetters of{q};
        const auto [n, p, w, l, L, d] = of.tie();
        q.assume(n >= d * d && n >= d * w && p >= w);
        const Columns first{n, d, p, w};
        const Columns second{d, 1, p, w};
        q.multiply_by({p, w - 1, d * p});
        first.give(q);
        give_second_launch(q, second);
        const auto task = of.task("all-dmms");
        const Cost<IntTerm> cost = Sum::cost(task);

        const IntTerm log = ceil_log2(n);
        q.multiply_by({});
        q.claim("as many levels", first.levels() <= log);
        q.apply(powers_of_two_grow(), {log, 1});
        q.suppose(d > 1, [&] {
          q.multiply_by({d});
          return second.levels() + 1 <= log;
        });
        first.prove_few_pieces(q);
        second.prove_few_pieces(q);

        const IntTerm stages = w * (cost.global.stages + cost.shared.stages);
        const IntTerm most = 6 * (n + 2 * w + w * log);
        q.suppose(d <= 1, [&] {
          q.multiply_by({w, w - 1});
          return stages <= most;
        });
        q.suppose(d > 1 && d <= w, [&] {
          q.multiply_by({w, w - 1});
          return stages <= most;
        });
        q.suppose(d > 1 && d > w, [&] {
          const IntTerm more = d - w;
          q.apply(squares_are_not_negative(), {more, 3});
          q.multiply_by({w, w - 1});
          q.claim("larger", more >= 1);
          return stages <= most;
        });
        q.claim("the stages", stages <= most);
        q.multiply_by({d, p, d * p});
        q.claim("the rounds", d * p * cost.global.rounds <= 6 * (n + d * p));
        q.claim("those on shared memory", cost.shared.rounds <= 6 * (log + 1));
        q.claim("on no other memory", cost.constant.stages == 0 && cost.overlap == 0);
        q.multiply_by({l - 1, L - 1});
        q.multiply_by({w, d * p, w * d * p, w * (L - 1), w * d * p * (l - 1)});
        q.claim("the bound", is_bounded<Sum>(lockstep_time(cost, task.machine), task, 6));
      })
      .false_twin(prove_a_hundredth_less<SumByAllDmms>);
}

}  // namespace

std::vector<Theorem> theorems_on_sums_on_the_hmm() { return {sum_by_one_dmm(), sum_by_all_dmms()}; }

}  // namespace bankproof::proofs
