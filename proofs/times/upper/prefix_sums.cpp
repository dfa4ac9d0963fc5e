// How long prefix sums take at most (rows P1 and P2), for all sizes, threads, widths and latencies.
#include "../../../algorithms/prefix_sums.hpp"

#include <memory>
#include <string>

#include "../times.hpp"
#include "turns.hpp"

namespace bankproof::proofs {
namespace {

Theorem simple_prefix_sums(MachineKind machine) {
  const std::uint64_t factor = pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return {.id = "P1.upper." + on,
          .source = "MOD lemma 2",
          .statement = "simple prefix sums take at most " + std::to_string(3 * factor) +
                       "(n/w + nl/p + l) log n on the " + on,
          .domain = "all n, p, w, l",
          .proof =
              [=](Query& q) {
                const IntTerm one(1);
                const IntTerm n = q.number("n", 1, 9);
                const IntTerm p = q.number("p", 1, 4);
                const IntTerm w = q.number("w", 1, 2);
                const IntTerm l = q.number("l", 1, 3);
                q.multiply_by({n, p, w, w - one, p * w});
                const auto level = std::make_shared<IntTerm>(1);
                q.give_invariant<PowersInvariant<OfRounds>>(
                    [=](const IntTerm& k, const IntTerm& power, const OfRounds& sum) {
                      *level = power;
                      return w * p * sum.stages <=
                                 IntTerm(3 * factor) * k * (p * n + (w - IntTerm(1)) * (n + p)) &&
                             p * sum.rounds <= IntTerm(3) * k * (n + p);
                    });
                q.give_invariant(of_turns(w, p, 3 * factor, 3, [=] { return n - *level; }));
                const auto task = task_on(machine, "simple", {.w = w, .l = l, .p = p}, {{"n", n}});
                const IntTerm time = time_of<PrefixSums>(task);
                q.multiply_by({l - one, n, p, w, w - one, p * w, w * (l - one), p * w * (l - one)});
                q.prove("the bound", is_bounded<PrefixSums>(time, task, 3 * factor));
              },
          .false_twin =
              [=](Query& q) {
                const IntTerm one(1);
                const auto task =
                    task_on(machine, "simple", {.w = one, .l = IntTerm(1000), .p = one},
                            {{"n", IntTerm(1024)}});
                q.prove("the bound", takes_at_most<PrefixSums>(task, 2));
              }};
}

}  // namespace

std::vector<Theorem> theorems_on_prefix_sums() {
  return {simple_prefix_sums(MachineKind::dmm), simple_prefix_sums(MachineKind::umm)};
}

}  // namespace bankproof::proofs
