// Compares the times of the sum and of simple prefix sums (row P3). If one warp has all numbers,
// both take the same time. For many numbers, simple prefix sums take log n times as long.
#include "../../../algorithms/prefix_sums.hpp"
#include "../../../algorithms/sum.hpp"
#include "../lists.hpp"
#include "levels.hpp"

namespace bankproof::proofs {
namespace {

using OfTask = TaskOf<IntTerm>;
using CostFormula = Cost<IntTerm> (*)(const OfTask&);

OfTask on_a_dmm(std::string_view variant, const IntTerm& n,
                const MachineParametersOf<IntTerm>& letters) {
  return task_on(MachineKind::dmm, variant, letters, {{"n", n}});
}

/// Items of a level, given the level's power of two.
using Items = IntTerm (*)(const IntTerm& n, const IntTerm& power);
IntTerm items_of_sum(const IntTerm& n, const IntTerm& power) { return smaller(power, n - power); }
IntTerm items_of_prefix_sums(const IntTerm& n, const IntTerm& power) { return n - power; }

/// One warp makes all accesses, so each access takes one stage, and each level takes three stages.
Theorem of_one_warp(const std::string& id, const std::string& what, std::string_view variant,
                    CostFormula cost_of, Items items) {
  const auto claim = [=](const OfTask& task, std::uint64_t less) {
    const IntTerm log = ceil_log2(task.sizes["n"]);
    return lockstep_time(cost_of(task), task.machine) + less == 3 * (task.machine.l * log);
  };
  return Theorem{
      .id = id,
      .source = "MOD 8",
      .statement = what + " of at most w numbers take 3l log n with a thread for each, on the DMM",
      .domain = "all w, l, n ≤ w, p ≥ n"}
      .proof([=](Query& q) {
        const IntTerm n = q.number("n", 1, 5);
        const MachineParametersOf<IntTerm> letters{
            .w = q.number("w", 1, 8), .l = q.number("l", 1, 3), .p = q.number("p", 1, 6)};
        q.assume(n <= letters.w && n <= letters.p);
        q.compare_multiples(letters.w, 0 / letters.w, 0);
        q.multiply_by({letters.w});
        const auto in_level = [=, &q](const IntTerm& power) {
          q.give(OverNumbers<OfRounds>("turns of a level").holds([=, &q](auto& k, auto& sum) {
            const IntTerm turns = ceil_div(items(n, power), letters.p);
            q.compare_multiples(letters.p, turns, 1);
            q.compare_multiples(letters.p, turns, 0);
            q.compare_multiples(letters.p, k, 0);
            return turns == 1 && sum.stages == 3 * k && sum.rounds == 3 * k;
          }));
        };
        q.give(OverPowers<OfRounds>("levels")
                   .holds([=](auto& k, auto&, auto& sum) {
                     return sum.stages == 3 * k && sum.rounds == 3 * k;
                   })
                   .step(in_level));
        const OfTask task = on_a_dmm(variant, n, letters);
        const Truth same = claim(task, 0);
        q.multiply_by({letters.l});
        q.claim("the time", same);
      })
      .false_twin([=](Query& q) {
        const OfTask task = on_a_dmm(variant, 5, {.w = 8, .l = 3, .p = 6});
        q.claim("the time", claim(task, 1));
      });
}

Theorem grows(MachineKind machine) {
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  // time ≥ 3(log n − less)n/w.
  const auto claim = [](const OfTask& task, const IntTerm& time, std::uint64_t less) {
    const IntTerm& n = task.sizes["n"];
    const IntTerm three_n = 3 * n;
    return n * ceil_log2(n) * 3 <= task.machine.w * time + less * three_n;
  };
  return Theorem{.id = "P3.large." + on,
                 .source = "MOD 8",
                 .statement = "simple prefix sums take at least 3(log n − 2)n/w on the " + on,
                 .domain = "all n ≥ 2, p, w, l"}
      .proof([=](Query& q) {
        const Numbers of{q.number("n", 2, 9), q.number("p", 1, 4), q.number("w", 1, 2),
                         q.number("l", 1, 3)};
        const IntTerm n = of.n;
        q.multiply_by({of.p, of.w});
        q.give(OverPowers<OfRounds>("levels")
                   .holds([=](auto& k, auto& power, auto& sum) {
                     return carries(sum, of) && sum.requests + 3 * power >= 3 * (k * n + 1);
                   })
                   .step([=, &q](auto& power) {
                     q.give(loop(of, 3, items_of_prefix_sums(n, power)));
                   }));
        const OfTask task =
            task_on(machine, "simple", {.w = of.w, .l = of.l, .p = of.p}, {{"n", n}});
        const Cost<IntTerm> cost = PrefixSums::cost(task);
        const IntTerm time = lockstep_time(cost, task.machine);
        q.multiply_by({of.l - 1});
        q.claim("its stages", cost.global.stages <= time);
        q.multiply_by({of.w});
        q.claim("the bound", claim(task, time, 2));
      })
      .false_twin([=](Query& q) {
        // n is one more than a power of two: 3(log n − 1.998)n.
        const IntTerm n(1025);
        const OfTask task = task_on(machine, "simple", {.w = 1, .l = 1, .p = n}, {{"n", n}});
        q.claim("the bound", claim(task, lockstep_time(PrefixSums::cost(task), task.machine), 1));
      });
}

}  // namespace

std::vector<Theorem> theorems_on_crossovers() {
  return {of_one_warp("P3.small.sum", "sums", "pairwise", Sum::cost<IntTerm>, items_of_sum),
          of_one_warp("P3.small.simple", "simple prefix sums", "simple", PrefixSums::cost<IntTerm>,
                      items_of_prefix_sums),
          grows(MachineKind::dmm), grows(MachineKind::umm)};
}

}  // namespace bankproof::proofs
