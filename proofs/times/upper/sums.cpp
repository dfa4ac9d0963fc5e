// How long sums take at most (rows S1, S2, S3 and S4), for all sizes, threads, widths and
// latencies.
#include <string>

#include "../../../algorithms/sum.hpp"
#include "../times.hpp"
#include "turns.hpp"

namespace bankproof::proofs {
namespace {

Theorem pairwise_sum(MachineKind machine) {
  const std::uint64_t factor = 3 * pieces_on(machine);
  const std::string on = machine == MachineKind::dmm ? "DMM" : "UMM";
  return {
      .id = "S2.upper." + on,
      .source = "MOD theorem 1, HMM lemma 5",
      .statement = "the pairwise sum takes at most " + std::to_string(factor) +
                   "(n/w + nl/p + l log n) on the " + on,
      .domain = "all n, p, w, l",
      .proof =
          [=](Query& q) {
            const IntTerm one(1);
            const IntTerm n = q.number("n", 1, 9);
            const IntTerm p = q.number("p", 1, 4);
            const IntTerm w = q.number("w", 1, 2);
            const IntTerm l = q.number("l", 1, 3);
            q.multiply_by({n, p, w, w - one, l - one, p * w, w * (l - one), p * w * (l - one)});
            give_pairwise(q, w, p, pieces_on(machine), [=] { return IntTerm(n); });
            const auto task = task_on(machine, "pairwise", {.w = w, .l = l, .p = p}, {{"n", n}});
            const IntTerm time = time_of<Sum>(task);
            q.multiply_by({n, l - one});
            q.multiply_by({n, p, w, w - one, p * w, w * (l - one), p * w * (l - one)});
            q.prove("the bound", is_bounded<Sum>(time, task, factor));
          },
      .false_twin =
          [=](Query& q) {
            const IntTerm one(1);
            const auto task = task_on(machine, "pairwise", {.w = one, .l = IntTerm(1000), .p = one},
                                      {{"n", IntTerm(1024)}});
            q.prove("the bound", takes_at_most<Sum>(task, 2));
          }};
}

Theorem sum_of_columns_on_the_pram() {
  return {.id = "S1.upper",
          .source = "HMM lemma 3",
          .statement = "the sum takes at most 3(n/p + log n + 1) on the PRAM",
          .domain = "all n, p",
          .proof =
              [](Query& q) {
                const IntTerm one(1);
                const IntTerm n = q.number("n", 1, 9);
                const IntTerm p = q.number("p", 1, 4);
                q.multiply_by({p});
                const auto times = [&](std::uint64_t rounds) {
                  return [=](const IntTerm& k, const OfRounds& sum) {
                    k.query().apply(multiples_are_apart(), {p, one, k});
                    return sum.stages <= IntTerm(rounds) * k && sum.rounds <= IntTerm(rounds) * k;
                  };
                };
                q.give_invariant<SumInvariant<OfRounds>>(times(1));
                q.give_invariant<PowersInvariant<OfRounds>>(
                    [=](const IntTerm& k, const IntTerm&, const OfRounds& sum) {
                      return times(3)(k, sum);
                    });
                q.give_invariant<SumInvariant<OfRounds>>(times(3));
                q.prove("as many levels", q.logarithm(smaller(n, p)) <= q.logarithm(n));
                const auto task =
                    task_on(MachineKind::pram, "columns", {.w = one, .l = one, .p = p}, {{"n", n}});
                q.prove("the bound", takes_at_most<Sum>(task, 3));
              },
          .false_twin =
              [](Query& q) {
                const IntTerm one(1);
                const auto task =
                    task_on(MachineKind::pram, "columns", {.w = one, .l = one, .p = IntTerm(1024)},
                            {{"n", IntTerm(1024)}});
                q.prove("the bound", takes_at_most<Sum>(task, 2));
              }};
}

/// The numbers of a task on the HMM.
struct Letters {
  IntTerm n;
  IntTerm p;
  IntTerm w;
  IntTerm l;
  IntTerm L;
  IntTerm d;

  explicit Letters(Query& q)
      : n(q.number("n", 1, 9)),
        p(q.number("p", 1, 4)),
        w(q.number("w", 1, 2)),
        l(q.number("l", 1, 3)),
        L(q.number("L", 1, 5)),
        d(q.number("d", 1, 2)) {}
  auto tie() const { return std::tie(n, p, w, l, L, d); }
  TaskOf<IntTerm> task(std::string_view variant) const {
    return task_on(MachineKind::hmm, variant, {.w = w, .l = l, .L = L, .d = d, .p = p}, {{"n", n}});
  }
};

/// Gives the invariants of columns_cost(n, blocks, p, w).
void give_columns(Query& q, const Letters& of, const IntTerm& n, const IntTerm& blocks) {
  const auto [p, w] = std::pair{of.p, of.w};
  const IntTerm one(1);
  // Each block has a piece of each turn, with two pieces of a group a warp and one at each end.
  const auto count = std::make_shared<IntTerm>(1);
  q.give_invariant<SumInvariant<OfRounds>>([=](const IntTerm& k, const OfRounds& sum) {
    const IntTerm all = blocks * p;
    const IntTerm done = smaller(k * all, n);
    *count = smaller(all, n - k * all);
    return w * sum.stages <= IntTerm(2) * (done + k * blocks * (w - one)) && sum.rounds <= k;
  });
  q.give_invariant<SumInvariant<IntTerm>>([=](const IntTerm& k, const IntTerm& stages) {
    k.query().apply(multiples_are_apart(), {p, blocks, k});
    return w * stages <= IntTerm(2) * (smaller(k * p, *count) + k * (w - one)) && k <= blocks;
  });
  give_pairwise(q, w, p, 1, [=] { return smaller(p, n); });
}

Theorem sum_by_one_dmm() {
  return {.id = "S3.upper",
          .source = "HMM lemma 6",
          .statement = "the sum by DMM(0) takes at most 6(n/w + nL/p + L + l(log n + 1))",
          .domain = "all n, p, w, l, L",
          .proof =
              [](Query& q) {
                const Letters of(q);
                const auto [n, p, w, l, L, d] = of.tie();
                const IntTerm one(1);
                q.multiply_by({p, w, w - one, p * w});
                give_columns(q, of, n, one);
                q.prove("as many levels", q.logarithm(smaller(p, n)) <= q.logarithm(n));
                const auto task = of.task("one-dmm");
                const IntTerm time = time_of<Sum>(task);
                q.multiply_by({n, l - one, L - one});
                q.multiply_by({n, p, w, w - one, p * w, p * w * (l - one), w * (L - one),
                               p * w * (L - one), w * (l - one)});
                q.prove("the bound", is_bounded<Sum>(time, task, 6));
              },
          .false_twin =
              [](Query& q) {
                const IntTerm one(1);
                const auto task =
                    task_on(MachineKind::hmm, "one-dmm",
                            {.w = one, .l = one, .L = one, .d = one, .p = IntTerm(1024)},
                            {{"n", IntTerm(1024)}});
                q.prove("the bound", takes_at_most<Sum>(task, 4));
              }};
}

Theorem sum_by_all_dmms() {
  const std::uint64_t factor = 14;
  return {
      .id = "S4.upper",
      .source = "HMM theorem 7",
      .statement = "the sum by all DMMs takes at most " + std::to_string(factor) +
                   "(n/w + nL/P + L + l(log n + 1))",
      .domain = "all n ≥ d², n ≥ dw, p ≥ w, l, L",
      .proof =
          [=](Query& q) {
            const Letters of(q);
            const auto [n, p, w, l, L, d] = of.tie();
            const IntTerm one(1);
            q.assume(n >= d * d && n >= d * w && p >= w);
            q.multiply_by({p, w, d, w - one, d * p, p * w, p * (w - one)});
            give_columns(q, of, n, d);
            q.prove("as many levels", q.logarithm(smaller(p, n)) <= q.logarithm(n));
            // The sums of the DMMs, if they are several, by DMM(0).
            q.give_invariant<ChainInvariant<Cost<IntTerm>>>([=](const IntTerm& number,
                                                                const Cost<IntTerm>& sum) {
              const IntTerm zero(0);
              const IntTerm turns = d + p;  // times p
              const IntTerm levels = ceil_log2(n) + one;
              number.query().prove("as many levels",
                                   implies(one <= number && number <= n,
                                           ceil_log2(smaller(p, number)) <= ceil_log2(n)));

              const auto [global, shared] = std::tie(sum.global, sum.shared);
              const Truth before = number == d && global.stages == zero && global.rounds == zero &&
                                   shared.stages == zero && shared.rounds == zero;
              return (before || number <= one) && sum.overlap == zero &&
                     sum.constant.stages == zero &&
                     p * w * global.stages <= IntTerm(2) * (p * d + (w - one) * turns) + p * w &&
                     p * global.rounds <= turns + p &&
                     p * w * shared.stages <= IntTerm(4) * p * d + IntTerm(2) * p * w +
                                                  IntTerm(3) * (w - one) * p * levels &&
                     p * shared.rounds <= p * (IntTerm(2) + IntTerm(3) * levels);
            });
            give_columns(q, of, d, one);
            const auto task = of.task("all-dmms");
            const IntTerm time = time_of<Sum>(task);
            q.multiply_by({n, l - one, L - one});
            const IntTerm wide = d * p * w;
            q.multiply_by({n * d, n * p, w * (L - one), p, w, d, w - one, d * p, d * (w - one),
                           wide, d * p * (w - one), p * (w - one), wide * (l - one),
                           wide * (L - one), d * w * (l - one), d * w * (L - one)});
            q.prove("the bound", is_bounded<Sum>(time, task, factor));
          },
      .false_twin =
          [](Query& q) {
            const IntTerm one(1);
            const auto task = task_on(MachineKind::hmm, "all-dmms",
                                      {.w = one, .l = one, .L = one, .d = one, .p = IntTerm(1024)},
                                      {{"n", IntTerm(1024)}});
            q.prove("the bound", takes_at_most<Sum>(task, 4));
          }};
}

}  // namespace

std::vector<Theorem> theorems_on_sums() {
  return {pairwise_sum(MachineKind::dmm), pairwise_sum(MachineKind::umm),
          sum_of_columns_on_the_pram(), sum_by_one_dmm(), sum_by_all_dmms()};
}

}  // namespace bankproof::proofs
