// Upper bounds on sums on one memory (rows S1 and S2), for all sizes, threads, widths and
// latencies.
#include <string>

#include "../../../algorithms/sum.hpp"
#include "../lists.hpp"
#include "../turns/close.hpp"
#include "../turns/turns.hpp"

namespace bankproof::proofs {
namespace {

Theorem pairwise_sum(MachineKind machine) {
  const std::uint64_t factor = 3 * pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return Theorem{.id = "S2.upper." + on,
                 .source = "MOD theorem 1, HMM lemma 5",
                 .statement = "the pairwise sum takes at most " + std::to_string(factor) +
                              "(n/w + nl/p + l log n) on the " + on,
                 .domain = "all n, p, w, l"}
      .proof([=](Query& q) {
        const auto [n, p, w, l] = q.numbers({{"n", 1, 9}, {"p", 1, 4}, {"w", 1, 2}, {"l", 1, 3}});
        q.multiply_by({n, p, w, w - 1, l - 1, p * w, w * (l - 1), p * w * (l - 1)});
        give_pairwise(q, w, p, pieces_on(machine), n);
        const auto task = task_on(machine, "pairwise", {.w = w, .l = l, .p = p}, {{"n", n}});
        const IntTerm time = time_of<Sum>(task);
        q.multiply_by({n, l - 1});
        q.multiply_by({n, p, w, w - 1, p * w, w * (l - 1), p * w * (l - 1)});
        q.claim("the bound", is_bounded<Sum>(time, task, factor));
      })
      .false_twin(machine == MachineKind::dmm ? prove_a_hundredth_less<PairwiseSumOnDmm>
                                              : prove_a_hundredth_less<PairwiseSumOnUmm>);
}

Theorem sum_of_columns_on_the_pram() {
  return Theorem{.id = "S1.upper",
                 .source = "HMM lemma 3",
                 .statement = "the sum takes at most 3(n/p + log n + 1) on the PRAM",
                 .domain = "all n, p"}
      .proof([](Query& q) {
        const auto [n, p] = q.numbers({{"n", 1, 9}, {"p", 1, 4}});
        q.multiply_by({p});
        const auto takes = [=, &q](std::uint64_t rounds) {
          return [=, &q](const IntTerm& k, const OfRounds& sum) {
            q.apply(multiples_are_apart(), {p, 1, k});
            return sum.stages <= rounds * k && sum.rounds <= rounds * k;
          };
        };
        q.give(OverNumbers<OfRounds>("turns of the columns").holds(takes(1)));
        q.give(OverPowers<OfRounds>("levels")
                   .holds([=](auto& k, auto&, auto& sum) { return takes(3)(k, sum); })
                   .step([=, &q](auto&) {
                     q.give(OverNumbers<OfRounds>("turns of a level").holds(takes(3)));
                   }));
        q.claim("as many levels", q.logarithm(smaller(n, p)) <= q.logarithm(n));
        const auto task =
            task_on(MachineKind::pram, "columns", {.w = 1, .l = 1, .p = p}, {{"n", n}});
        q.claim("the bound", takes_at_most<Sum>(task, 3));
      })
      .false_twin(prove_a_hundredth_less<SumOnPram>);
}

}  // namespace

std::vector<Theorem> theorems_on_sums() {
  return {pairwise_sum(MachineKind::dmm), pairwise_sum(MachineKind::umm),
          sum_of_columns_on_the_pram()};
}

}  // namespace bankproof::proofs
